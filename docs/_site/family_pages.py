"""The page of a family: what its members have in common, how to choose among them, and how they compare.

The definition is the docstring of the family's folder, the rest of the text is `docs/families/KIND/FAMILY.md`, and the
tables are made from the declarations of the members and from the stored curves of risk and loss.
"""

import inspect
from collections.abc import Sequence
from importlib import import_module

from checkout import ROOT
from tools.method_charts import FILES, RISKS
from tools.method_curves import Point, stored

from sdckit.catalogue import Entry
from sdckit.formatting import figure
from sdckit.graph import Graph
from sdckit.masking import Masking
from sdckit.measure import Cost, Measure, Need

NEEDS = {Need.ROWS: "which row belongs to which record", Need.RECIPE: "the recipe", Need.TRUTH: "the true links"}
COMPARED = (
    "Each with its default parameters, or with the usual value nearest to them, on the files of the curves on its "
    "page: the share re-identified by an intruder who does not know the method (*ordinary*) and by one who does "
    "(*informed*), and the losses. Methods that serve other goals can hardly be ranked by these figures."
)


def title(family: str) -> str:
    """The name of a family's folder as a title."""
    return family.replace("_", " ").capitalize()


def cell(text: str) -> str:
    """Text that stays within a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def family_page(family: str, members: Sequence[Entry]) -> str:
    """The page of a family."""
    folder = import_module(members[0].component.__module__.rpartition(".")[0])
    introduction = inspect.cleandoc(folder.__doc__ or "")
    parts = [f"# {title(family)}", introduction, written(members[0].kind, family), "## Members", table(members)]
    return "\n\n".join(part for part in [*parts, *compared(members)] if part) + "\n"


def written(kind: str, family: str) -> str:
    """What is written by hand about a family; one of another package has nothing."""
    path = ROOT / "docs" / "families" / kind / f"{family}.md"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def table(members: Sequence[Entry]) -> str:
    """One row a member, with what its class declares."""
    declared = "masks" if members[0].kind == "masking" else "needs"
    rows = [f"| [{each.name}]({each.name}.md) | {cell(each.summary)} | {declaration(each)} |" for each in members]
    return "\n".join([f"| name | definition | {declared} |", "| --- | --- | --- |", *rows])


def declaration(entry: Entry) -> str:
    """What a masking masks, or what a measure needs beside the two files."""
    component = entry.component
    if issubclass(component, Masking):
        return "edges" if entry.domain is Graph else f"{component.kinds.title} attributes"
    if not issubclass(component, Measure):
        return "–"
    needed = [words for need, words in NEEDS.items() if need in component.needs]
    return "; ".join(needed + (["time"] if component.cost is Cost.SLOW else [])) or "–"


def compared(members: Sequence[Entry]) -> list[str]:
    """A table of risk and loss of the members of a family of maskings, for each file of their curves."""
    points = {each.name: near_default(each) for each in members if each.kind == "masking"}
    parts = []
    for file in dict.fromkeys(file for of_member in points.values() for file in of_member):
        rows = {name: of_member[file] for name, of_member in points.items() if file in of_member}
        labels = list(dict.fromkeys(label for point in rows.values() for label in point.figures))
        labels.sort(key=lambda label: label not in RISKS)
        lines = [f"| {FILES[file]} | {' | '.join(labels)} |", f"| --- | {' | '.join('---' for _ in labels)} |"]
        for name, point in rows.items():
            setting = f" `{point.parameter}={point.value:g}`" if point.parameter else ""
            cells = [figure(point.figures[label]) if label in point.figures else "–" for label in labels]
            lines.append(f"| [{name}]({name}.md){setting} | {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    return ["## Compared", COMPARED, *parts] if parts else []


def near_default(entry: Entry) -> dict[str, Point]:
    """For each file, the point of the first parameter whose value is nearest to the default."""
    points = stored().get(entry.name, [])
    defaults = {each.name: each.default for each in entry.parameters}
    nearest: dict[str, Point] = {}
    for point in points:
        first = next(each.parameter for each in points if each.file == point.file)
        if point.parameter != first:
            continue
        default = defaults.get(point.parameter, 0.0)
        known = nearest.get(point.file)
        if known is None or abs(point.value - default) < abs(known.value - default):
            nearest[point.file] = point
    return nearest
