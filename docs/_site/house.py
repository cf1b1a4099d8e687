"""The house: the parts of the package and which of them import which, drawn from the source files.

A hook of mkdocs: a page with the comment `<!-- house -->` gets the drawing there.
"""

import ast
import html
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from checkout import ROOT
from tools.method_pictures import svg, text

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

MARK = "<!-- house -->"
PACKAGE = ROOT / "src" / "sdckit"
CONTRACTS = "contracts"  # the single files of the package
WIDTH, ROOM, GAP, FLOOR = 680, 34, 10, 92


def part_of(path: Path) -> str:
    """The folder of a source file, or the floor of the single files."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else CONTRACTS


def imports() -> Counter[tuple[str, str]]:
    """How many files of each part import another part."""
    counted: Counter[tuple[str, str]] = Counter()
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent == PACKAGE and path.name in {"__init__.py", "__main__.py"}:
            continue  # the doors look into every room
        names = {
            node.module.split(".")[1]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sdckit.")
        }
        others = {name if name in folders else CONTRACTS for name in names} - {part_of(path)}
        counted.update((part_of(path), other) for other in others)
    return counted


def floors(edges: Counter[tuple[str, str]]) -> list[list[str]]:
    """The parts from the ground up: each is above the parts that it imports more often than it is imported by them."""
    left = sorted({part for pair in edges for part in pair})
    levels: list[list[str]] = []
    while left:
        ready = [part for part in left if not any(edges[part, other] > edges[other, part] for other in left)]
        levels.append(ready or left)
        left = [part for part in left if part not in levels[-1]]
    return levels


def drawing() -> str:
    """The house as a figure, with the same in words."""
    edges = imports()
    levels = floors(edges)
    files = Counter(part_of(path) for path in PACKAGE.rglob("*.py"))
    height = FLOOR * len(levels) + 10
    centre = {}
    rooms = []
    for floor, parts in enumerate(levels):
        width = min((WIDTH - GAP * (len(parts) + 1)) / len(parts), 170)
        left = (WIDTH - len(parts) * (width + GAP) + GAP) / 2
        y = height - FLOOR * (floor + 1) + 20
        for index, part in enumerate(parts):
            x = left + index * (width + GAP)
            centre[part] = (x + width / 2, y)
            rooms.append(f'<rect class="room" x="{x:.0f}" y="{y}" width="{width:.0f}" height="{ROOM}" rx="3"/>')
            rooms.append(text(x + width / 2, y + 15, part.replace("_", " "), "title"))
            rooms.append(text(x + width / 2, y + 28, f"{files[part]} files", "label"))
    beams = [
        f'<line class="beam" x1="{centre[one][0]:.0f}" y1="{centre[one][1] + ROOM}" x2="{centre[other][0]:.0f}" '
        f'y2="{centre[other][1]}" stroke-width="{min(1 + number / 12, 5):.1f}"/>'
        for (one, other), number in sorted(edges.items())
        if centre[one][1] < centre[other][1]
    ]
    listed = "; ".join(", ".join(parts) for parts in reversed(levels)).replace("_", " ")
    title = f"The parts of the package, from the top floor to the ground: {listed}. Lines are imports."
    caption = f"<figcaption>{html.escape(title)} A thicker line stands for more files.</figcaption>"
    return f'<figure class="house">{svg(WIDTH, height, [*beams, *rooms], title)}{caption}</figure>'


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Called by mkdocs for every page."""
    return markdown.replace(MARK, drawing()) if MARK in markdown else markdown
