"""The case of five records on the page of a masking: a table of the values before and after, worked by the code."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.catalogue import Entry
from sdckit.errors import SdcError
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.release import Release
from tools.method_files import FEW, PICTURED, Sample, fitting, pictured
from tools.method_pictures import labels, origins


@dataclass(frozen=True)
class Case:
    """The cells of a table, the row of a record in the release if there is one, and the parameters used."""

    masked: str
    settings: Mapping[str, Any]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remark: str

    @property
    def markdown(self) -> str:
        """The table."""
        written = ", ".join(f"`{name}={value}`" for name, value in self.settings.items()) or "the default parameters"
        lines = [f"{self.masked}, masked with {written}. {self.remark}", ""]
        lines += [f"| {' | '.join(self.head)} |", f"| {' | '.join('---' for _ in self.head)} |"]
        return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in self.rows)])


def case(entry: Entry) -> Case | None:
    """Five records before and after; where five are too few for the method, the first five of a hundred.

    The parameters are the first usual ones that change a value, since little happens to five records.
    """
    few, many = (pictured(entry), None) if entry.domain is Graph else (fitting(entry, FEW), fitting(entry, PICTURED))
    for sample in filter(None, (few, many)):
        for settings in usual(entry) if sample is few else ({},):
            try:
                made = worked(sample, sample.masked(entry, **settings), settings)
            except SdcError:
                continue
            if any("**" in cell for row in made.rows for cell in row):
                return made
    return None


def usual(entry: Entry) -> Iterator[dict[str, Any]]:
    """Settings to try: groups of two, the default, then each usual value from the last."""
    declared = {each.name: each for each in entry.parameters}
    if "group_size" in declared:
        yield {"group_size": 2}
    yield {}
    for name, each in declared.items():
        yield from ({name: value} for value in reversed(each.grid))


def worked(sample: Sample, release: Release, settings: Mapping[str, Any]) -> Case:
    """The table of one release."""
    if isinstance(sample.data, Graph):
        return of_network(sample.data, release.masked, settings)
    title = "Five records" if len(sample.data) == FEW else f"Five of {len(sample.data)} records"
    names = sample.attributes
    before, after = (np.array([column(data, name) for name in names]).T for data in (sample.data, release.masked))
    origin = origins(release)
    if origin is None:
        head = ("record", *names, "new row", *(f"{name}′" for name in names))
        rows = tuple(
            (str(index + 1), *before[index], str(index + 1), *(f"**{cell}**" for cell in after[index]))
            for index in range(FEW)
        )
        return Case(title, settings, head, rows, "No new row belongs to a record.")
    row_of = {int(record): row for row, record in enumerate(origin)}
    head = ("record", *names, *(f"{name}′" for name in names))
    everyone = [
        (str(record + 1), *before[record], *changed(before[record], after, row_of.get(record)))
        for record in range(len(before))
    ]
    first = sorted(range(len(before)), key=lambda record: (not any("**" in cell for cell in everyone[record]), record))
    rows = tuple(everyone[record] for record in sorted(first[:FEW]))  # those that change, then others
    return Case(title, settings, head, rows, "Changed values are bold.")


def changed(before: NDArray[Any], after: NDArray[Any], row: int | None) -> tuple[str, ...]:
    """The released cells of a record, bold where they differ."""
    if row is None:
        return tuple("**not released**" if index == 0 else "" for index in range(len(before)))
    return tuple(
        new if new == old else f"**{new.strip() or '–'}**" for old, new in zip(before, after[row], strict=True)
    )


def column(data: Microdata, name: str) -> list[str]:
    """The values of an attribute as text."""
    if data.attribute(name).categories:
        return [label.replace("*", r"\*") for label in labels(data, name)]
    return [f"{value:.4g}" if np.isfinite(value) else "" for value in data.columns[name]]


def of_network(before: Graph, after: Graph, settings: Mapping[str, Any]) -> Case:
    """The neighbours of five nodes."""
    rows = []
    for node in range(FEW):
        cells = [neighbours(graph, node) for graph in (before, after)]
        rows.append((str(node + 1), cells[0], cells[1] if cells[0] == cells[1] else f"**{cells[1]}**"))
    title = f"The first five of {len(before)} people"
    head = ("node", *("links to" if graph.directed else "linked with" for graph in (before, after)))
    remark = "Changed neighbourhoods are bold." + (" Weights are in brackets." if before.weight is not None else "")
    return Case(title, settings, (*head[:2], f"{head[2]}′"), tuple(rows), remark)


def neighbours(graph: Graph, node: int) -> str:
    """The nodes that a node links to, with weights where there are any."""
    labels = [str(each + 1) for each in graph.neighbours(node)]
    if graph.weight is not None:
        weights = graph.weight[graph.indptr[node] : graph.indptr[node + 1]]
        labels = [f"{label} ({weight:g})" for label, weight in zip(labels, weights, strict=True)]
    return ", ".join(labels) or "–"
