"""Printed beside computed: a source's figure and ours are of different types, and a cell holds one of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from sdckit.charts.published_against_ours import published_against_ours
from sdckit.measure import number
from sdckit.published.reproduction import Finding, Reproduction

LIMITS = (
    "reproduced: every cell is equal at its printed digits. not reproduced: else, with the mean deviation of its cells "
    "and, for comparison, that of saying the mean of the printed cells everywhere. There is no word for nearly: its "
    "limits would have been set after the figures had been seen."
)


@dataclass(frozen=True)
class Printed:
    """A figure as a source prints it."""

    value: float
    decimals: int = 2


@dataclass(frozen=True)
class Computed:
    """A figure of ours; `spread` is its standard deviation over the seeds, where it was drawn from several."""

    value: float
    spread: float | None = None


@dataclass(frozen=True)
class Cell:
    """One figure of a table: the labels of its cell, what is printed there, and what we compute for it."""

    labels: Mapping[str, Any]
    figure: str
    printed: Printed
    computed: Computed

    @property
    def deviation(self) -> float:
        """Ours less theirs."""
        return self.computed.value - self.printed.value

    @property
    def equal(self) -> bool:
        """Whether ours is the printed one, as far as it is printed."""
        return abs(self.deviation) <= 0.5 * 10.0**-self.printed.decimals + 1e-9

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            **self.labels,
            "figure": self.figure,
            "printed": self.printed.value,
            "ours": number(self.computed.value),
            "spread": self.computed.spread,
            "deviation": number(self.deviation),
        }


class Outcome(StrEnum):
    """Whether a part of a table was reproduced."""

    REPRODUCED = "reproduced"
    NOT = "not reproduced"


@dataclass(frozen=True)
class Verdict:
    """A part of a table, its mean absolute deviation, and that of saying the mean of its printed cells everywhere."""

    part: str
    outcome: Outcome
    cells: tuple[Cell, ...]
    deviation: float
    baseline: float
    why: str = ""

    @property
    def furthest(self) -> Cell:
        """The cell that is off most."""
        return max(self.cells, key=lambda cell: abs(cell.deviation))

    @property
    def description(self) -> str:
        """How far off it is, and where most."""
        if len(self.cells) == 1:
            return f"off by {self.furthest.deviation:+.3g} where {self.furthest.printed.value:g} is printed"
        varying = [key for key in self.furthest.labels if len({cell.labels[key] for cell in self.cells}) > 1]
        where = ", ".join(f"{key} = {self.furthest.labels[key]}" for key in varying)
        return (
            f"off by {self.deviation:.3g} on average (saying the mean everywhere: {self.baseline:.3g}), "
            f"most at {where}: {self.furthest.deviation:+.3g}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "part": self.part,
            "outcome": self.outcome.value,
            "cells": len(self.cells),
            "mean_absolute_deviation": self.deviation,
            "baseline": self.baseline,
            "furthest": self.furthest.to_dict(),
            "why": self.why,
        }


def judged(part: str, cells: Sequence[Cell], why: str = "") -> Verdict:
    """Whether a part of a table is reproduced: every cell equal at its printed digits; `why` says why it is not."""
    printed = np.array([cell.printed.value for cell in cells])
    off = np.array([abs(cell.deviation) for cell in cells])
    baseline = float(np.mean(np.abs(printed - printed.mean())))
    if all(cell.equal for cell in cells):
        return Verdict(part, Outcome.REPRODUCED, tuple(cells), float(off.mean()), baseline)
    return Verdict(part, Outcome.NOT, tuple(cells), float(off.mean()), baseline, why)


@dataclass(frozen=True)
class Comparison(Reproduction):
    """A table of a source beside ours, cell by cell, with a verdict on each of its parts.

    `readings` are the ways to read what the source leaves open, side by side: what each assumes, and how far its
    figures are from the printed ones on average.
    """

    verdicts: tuple[Verdict, ...] = ()
    readings: tuple[Mapping[str, Any], ...] = ()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, part by part."""
        return tuple(cell for verdict in self.verdicts for cell in verdict.cells)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return super().to_dict() | {
            "limits": LIMITS,
            "cells": [cell.to_dict() for cell in self.cells],
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "readings": [dict(each) for each in self.readings],
        }

    def table(self) -> tuple[Mapping[str, Any], ...]:
        """One line per cell: its labels, what is printed, what we compute, and how its part was judged."""
        return tuple(
            cell.to_dict() | {"part": verdict.part, "outcome": verdict.outcome.value}
            for verdict in self.verdicts
            for cell in verdict.cells
        )


def compared(
    name: str,
    source: str,
    cells: Sequence[Cell],
    verdicts: Sequence[Verdict],
    *,
    convention: str,
    findings: Sequence[Finding] = (),
    notes: Sequence[str] = (),
    readings: Sequence[Mapping[str, Any]] = (),
) -> Comparison:
    """A comparison with its table in the order of the cells, and its picture."""
    points = [
        {
            "figure": cell.figure,
            "labels": ", ".join(f"{key} {value}" for key, value in cell.labels.items()),
            "kind": next(iter(cell.labels.values())),
            "printed": cell.printed.value,
            "ours": cell.computed.value,
            "spread": cell.computed.spread,
            "outcome": verdict.outcome.value,
        }
        for verdict in verdicts
        for cell in verdict.cells
    ]
    chart = published_against_ours(f"{name}: computed by us against printed in the source", points)
    return Comparison(
        source,
        beside(cells),
        tuple(findings),
        {name: chart},
        convention,
        tuple(notes),
        tuple(verdicts),
        tuple(readings),
    )


def beside(cells: Sequence[Cell]) -> tuple[Mapping[str, Any], ...]:
    """The rows of the table: for each cell what is printed, what we compute, and by how much it is off.

    Where ours is a mean over draws, a row gives the standard deviation of one draw.
    """
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in cells:
        for whose, value in (
            ("printed", cell.printed.value),
            ("ours", cell.computed.value),
            *((("our sd", cell.computed.spread),) if cell.computed.spread is not None else ()),
            ("off by", cell.deviation),
        ):
            row = rows.setdefault((*cell.labels.values(), whose), {**cell.labels, "figures": whose})
            row[cell.figure] = round(float(value), cell.printed.decimals + (whose != "printed")) + 0.0  # no -0
    figures = dict.fromkeys(cell.figure for cell in cells)
    return tuple({key: row.get(key, "") for key in dict.fromkeys([*row, *figures])} for row in rows.values())
