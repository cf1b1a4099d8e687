"""The reading of the arena: what its tables show, computed from the page itself and put before them.

A hook of mkdocs. The tables are those that `python -m benchmarks arena` wrote, so that the reading is never older. Some
of their rows are computed again where the files are at hand: tables that are older than the code end the build.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from checkout import look_here

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

PAGE = "project/arena.md"
INFORMED, ORDINARY, EXPECTED = "informed-intruder", "ordinary-intruder", "expected"
CLASSICAL = ("distance", "mahalanobis", "masked-mahalanobis", "kernel", "rank", "probabilistic", "mixed")
LISTED = 6
CHECKED = 4  # rows computed again


@dataclass(frozen=True)
class Row:
    """One recipe on one file: the percentage that each attack re-identifies."""

    file: str
    recipe: str
    found: dict[str, float]

    @property
    def classical(self) -> float:
        """What the best linkage finds that needs no model."""
        return max((self.found[name] for name in CLASSICAL if name in self.found), default=0.0)


class NoArena(Exception):
    """A page without tables to read, which ends the build."""


def rows(markdown: str) -> list[Row]:
    """The rows of all tables that have both intruders."""
    found: list[Row] = []
    for section in re.split(r"^## ", markdown, flags=re.M)[1:]:
        lines = [line for line in section.splitlines() if line.startswith("|")]
        if len(lines) < 3:
            continue
        head, _, *body = ([cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines)
        if not {INFORMED, ORDINARY} <= set(head):
            continue
        for cells in body:
            numbers = dict(zip(head[1:], cells[1:], strict=False))
            figures = {name: float(cell) for name, cell in numbers.items() if re.fullmatch(r"\d+(\.\d+)?", cell)}
            if {INFORMED, ORDINARY} <= figures.keys():
                found.append(Row(section.partition("\n")[0], cells[0], figures))
    if not found:
        raise NoArena(f"{PAGE} has no table of the two intruders; rebuild it: python -m benchmarks arena")
    return found


def largest(listed: Sequence[Row], other: str, value: str) -> str:
    """A table of the recipes with the largest difference."""
    lines = [f"| recipe | file | informed | {other} |", "| --- | --- | ---: | ---: |"]
    for row in listed:
        compared = row.classical if value == "classical" else row.found[value]
        lines.append(f"| {row.recipe} | {row.file} | {row.found[INFORMED]:g} % | {compared:g} % |")
    return "\n".join(lines)


def reading(markdown: str) -> str:
    """What the tables show, in sentences and two short tables."""
    every = rows(markdown)
    halved = sum(row.classical < row.found[INFORMED] / 2 for row in every)
    differing = sum(row.found[INFORMED] - row.found[ORDINARY] >= 5 for row in every)
    safe = sum(row.found[INFORMED] <= 5 for row in every)
    off = [abs(row.found[EXPECTED] - row.found[INFORMED]) for row in every if EXPECTED in row.found]
    missed = sorted(every, key=lambda row: row.classical - row.found[INFORMED])[:LISTED]
    secret = sorted(every, key=lambda row: row.found[ORDINARY] - row.found[INFORMED])[:LISTED]
    expected = f"What it expects without the truth is off by {median(off):.1f} points in the median.\n\n" if off else ""
    return (
        "## The reading\n\n"
        f"In {safe} of {len(every)} rows the informed intruder re-identifies at most 5 % of the records: the default "
        "parameters of most methods do not protect against somebody who knows every masked attribute and the "
        f"categories. {expected}"
        "**The linkages of the textbooks understate the risk.** "
        f"In {halved} of {len(every)} rows the best of them finds less than half of what the informed intruder finds. "
        "Most is missed where groups or ranks are published, which a distance does not see:\n\n"
        f"{largest(missed, 'best linkage', 'classical')}\n\n"
        "**Some protection is a secret.** "
        f"In {differing} rows knowledge of the method adds at least 5 points to what the intruder finds without it. "
        "Where the difference is large, part of the protection lasts only until somebody knows how the file was "
        f"made:\n\n{largest(secret, 'ordinary', ORDINARY)}\n\n"
        "How to use the tables: look for the row of your recipe, compare *informed* with *expected* and *calibrated*, "
        "and then measure your own file, since shares depend on the number of records and on the attributes that are "
        "known.\n\n"
    )


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Called by mkdocs for every page."""
    if page.file.src_uri != PAGE:
        return markdown
    look_here()
    from tools.arena_check import refuse_outdated

    refuse_outdated(markdown, CHECKED)
    head, heading, tables = markdown.partition("\n## ")
    return f"{head}\n\n{reading(markdown)}{heading.strip()} {tables}"
