"""How far a number has moved: tables of lifts for moves within a window of ranks and for errors of a given size.

Both are needed, since swapping moves a value by ranks and noise by amounts. A value that many records share covers
a range of ranks: what it may have become is the average over this range. Without that, the frequent value which stays
as it is would seem to show that rare values hardly move.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sdckit.kernels.sorted_positions import sorted_positions
from sdckit.laws.blocks import UNKNOWN, Floats, Indices

WINDOWS = (0.003, 0.006, 0.012, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6)  # of the file, in rank
ERRORS = (0.01, 0.03, 0.1, 0.2, 0.316, 0.5, 0.7, 1.0, 1.5)  # standard deviations, of the known values' own
WEIGHTS = (0.60, 0.37, 0.03)  # of all windows, of all errors, and of no relation, before anything is learned
NARROWEST = 1e-6  # range of ranks
LEAST = 1e-100  # of a density beside its largest


@dataclass(frozen=True, eq=False)
class CellsOfRanks:
    """A column in cells by rank among `ordered` values; equal values are never divided between cells."""

    values: Floats
    ordered: Floats
    cells: int

    @cached_property
    def of(self) -> Indices:
        """The cell of each value, by its middle rank; −1 where it is missing."""
        below, up_to = self._ranks
        cell = np.minimum(((below + up_to) / 2 * self.cells).astype(np.int64), self.cells - 1)
        return np.where(np.isnan(self.values), UNKNOWN, cell)

    @cached_property
    def range(self) -> tuple[Floats, Floats]:
        """The ranks that each cell covers; an empty cell covers its middle."""
        low, high = np.full(self.cells, np.inf), np.full(self.cells, -np.inf)
        seen = self.of != UNKNOWN
        below, up_to = self._ranks
        np.minimum.at(low, self.of[seen], below[seen])
        np.maximum.at(high, self.of[seen], up_to[seen])
        low = np.where(np.isfinite(low), low, self._middle)
        return low, np.maximum(np.where(np.isfinite(high), high, low), low + NARROWEST)

    @cached_property
    def mean(self) -> Floats:
        """The mean value of each cell; that of an empty one is the quantile."""
        seen = self.of != UNKNOWN
        count = np.bincount(self.of[seen], minlength=self.cells)
        total = np.bincount(self.of[seen], weights=self.values[seen], minlength=self.cells)
        quantile = np.quantile(self.ordered, self._middle) if len(self.ordered) else np.zeros(self.cells)
        return np.where(count > 0, total / np.maximum(count, 1), quantile)

    @property
    def width(self) -> Floats:
        """How far the values of each cell reach, to the middle of the gaps beside it; 0 for an empty cell."""
        filled = np.unique(self.of[self.of != UNKNOWN])
        width = np.zeros(self.cells)
        if len(filled) < 2:
            width[filled] = 1.0
            return width
        gaps = np.maximum(np.diff(self.mean[filled]), 0.0)  # means of values that nearly tie may be in the wrong order
        width[filled] = (np.concatenate([gaps[:1], gaps]) + np.concatenate([gaps, gaps[-1:]])) / 2
        return width

    @property
    def _middle(self) -> Floats:
        return (np.arange(self.cells) + 0.5) / self.cells

    @cached_property
    def _ranks(self) -> tuple[Floats, Floats]:
        below, up_to = sorted_positions(self.ordered, self.values)
        count = max(len(self.ordered), 1)
        return below / count, up_to / count


def movement_lifts(known: CellsOfRanks, released: CellsOfRanks) -> tuple[Floats, Floats]:
    """The tables of all moves, with a line for each cell known and a column for each one released; and their weights.

    The last table is that of no relation. An entry says how much likelier the cell is than for anybody.
    """
    low, high = released.range
    share = (high - low) / (high - low).sum()
    tables = []
    for window in WINDOWS:
        table = _within(known.range, released.range, window)
        tables.append(table / np.maximum(table @ share, 1e-300)[:, None])
    deviation = float(np.nanstd(known.values)) if len(known.ordered) else 0.0
    if deviation > 0:
        width = released.width
        gap = (known.mean[:, None] - released.mean[None, :]) / deviation
        for error in ERRORS:
            table = np.exp(-0.5 * (gap / error) ** 2) * width
            # No cell is within reach of a small error: all are as likely as for anybody.
            table = np.where(table.sum(axis=1, keepdims=True) > LEAST * width.max(), table, share)
            tables.append(table / table.sum(axis=1, keepdims=True) / share)
    tables.append(np.ones((known.cells, released.cells)))
    return np.array(tables), _first_weights(deviation > 0)


def _first_weights(errors: bool) -> Floats:
    """The weights of the tables before anything is learned, with or without those of errors.

    Windows and errors weigh as their widths, so that every gap is about as likely: where the files say little of a
    gap, the law stays wide. Equal weights would make small gaps likely, and the intruder overconfident.
    """
    windows, sizes = np.array(WINDOWS), np.array(ERRORS if errors else ())
    of_errors = WEIGHTS[1] * sizes / sizes.sum() if errors else sizes
    weights = np.concatenate([WEIGHTS[0] * windows / windows.sum(), of_errors, WEIGHTS[2:]])
    result: Floats = weights / weights.sum()
    return result


def _within(one: tuple[Floats, Floats], other: tuple[Floats, Floats], window: float) -> Floats:
    """For each pair of ranges, the share of pairs of their ranks that lie within the window."""
    low, high = (each[:, None] for each in one)
    other_low, other_high = (each[None, :] for each in other)

    def area(gap: float) -> Floats:
        """Of the pairs whose difference is less than the gap."""
        corners = (low - other_high, high - other_high, low - other_low, high - other_low)
        squares = [np.maximum(gap - each, 0.0) ** 2 for each in corners]
        result: Floats = (squares[0] - squares[1] - squares[2] + squares[3]) / 2
        return result

    sides = (high - low) * (other_high - other_low)
    result: Floats = np.maximum((area(window) - area(-window)) / sides, 0.0)
    return result
