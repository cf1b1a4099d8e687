"""Printed beside computed: a source's figure and ours are of different types, and a cell holds one of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from sdckit.measure import number
from sdckit.published.reproduction import Reproduction

FURTHEST = 1.5  # of the baseline's deviation: as far off as any cell of a close part may be
CLEARLY = 0.5  # of the baseline's deviation: as far off as a close part may be on average


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
    """One figure of a table: where it stands, what is printed there, and what we compute for it."""

    place: Mapping[str, Any]
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
            **self.place,
            "figure": self.figure,
            "printed": self.printed.value,
            "ours": number(self.computed.value),
            "spread": self.computed.spread,
            "deviation": number(self.deviation),
        }


class Outcome(StrEnum):
    """How near a part of a table was come to."""

    REPRODUCED = "reproduced"
    CLOSE = "close"
    NOT = "not reproduced"


@dataclass(frozen=True)
class Verdict:
    """A part of a table, its mean absolute deviation, and that of saying the mean of its printed cells everywhere.

    `furthest` is the cell that is off most.
    """

    part: str
    outcome: Outcome
    cells: int
    deviation: float
    baseline: float
    furthest: Cell
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "part": self.part,
            "outcome": self.outcome.value,
            "cells": self.cells,
            "mean_absolute_deviation": self.deviation,
            "baseline": self.baseline,
            "furthest": self.furthest.to_dict(),
            "why": self.why,
        }


def judged(part: str, cells: Sequence[Cell], why: str = "") -> Verdict:
    """Whether a part of a table is reproduced, close or not; `why` is kept for what is not reproduced.

    Reproduced: every cell is equal at its printed digits. Close: on average at most half as far off as the baseline,
    and no cell further off than half as much again. A single cell can only be reproduced or not.
    """
    printed = np.array([cell.printed.value for cell in cells])
    off = np.array([abs(cell.deviation) for cell in cells])
    baseline = float(np.mean(np.abs(printed - printed.mean())))
    furthest = cells[int(off.argmax())]
    if all(cell.equal for cell in cells):
        return Verdict(part, Outcome.REPRODUCED, len(cells), float(off.mean()), baseline, furthest)
    close = off.mean() <= CLEARLY * baseline and off.max() <= FURTHEST * baseline
    return Verdict(
        part, Outcome.CLOSE if close else Outcome.NOT, len(cells), float(off.mean()), baseline, furthest, why
    )


@dataclass(frozen=True)
class Comparison(Reproduction):
    """A table of a source beside ours, cell by cell, with a verdict on each of its parts."""

    cells: tuple[Cell, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    convention: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return super().to_dict() | {
            "convention": self.convention,
            "cells": [cell.to_dict() for cell in self.cells],
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
        }


def beside(cells: Sequence[Cell]) -> tuple[Mapping[str, Any], ...]:
    """The rows of the table: for each place what is printed, what we compute, and by how much it is off."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in cells:
        for whose, value in (
            ("printed", cell.printed.value),
            ("ours", cell.computed.value),
            ("off by", cell.deviation),
        ):
            row = rows.setdefault((*cell.place.values(), whose), {**cell.place, "figures": whose})
            row[cell.figure] = round(float(value), cell.printed.decimals + (whose != "printed"))
    return tuple(rows.values())
