"""Learned tables: what becomes of a value, counted in replays; numbers by their rank, categories by their code.

Entries are lifts: the log of how much likelier a released value is for a record than for anybody. A little background
is mixed in, so that an event that no replay showed is unlikely but not impossible. Where the records that were masked
again are the known ones, what became of a record itself in some replays may say more of its row than its value does, as
where it is moved to the mean of a group before noise is added: the table that predicts other replays better is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.sorted_positions import sorted_positions
from sdckit.laws.blocks import UNKNOWN, Floats, Indices, Table

CELLS, FINE = 100, 250  # of ranks: of a smooth table, and of one that shows more where there are many pairs
ALONG, ACROSS = (2.0, 15.0), (1.5, 3.0)  # cells of smoothing along and across the diagonal: least and most
FINE_ALONG, FINE_ACROSS = (5.0, 30.0), (0.7, 6.0)
WIDE, NARROW = 8000.0, 2000.0  # the same times the number of pairs, between these
REPEATED = 0.9  # share of the records that end alike from which replays are repetitions
BACKGROUND = 1e-3
HOLES = 1e-4  # of the rows, added to both sides of a lift: what no replay showed is no more than this likely
ENOUGH = 8  # replays from which a record's own are looked at
CLEARLY = 0.05  # gain in log-likelihood from which a record's own replays are preferred
TYPICAL = 100.0  # replayed records by which a category counts what all show of its type of change
RAKING = 20  # rounds
POOLED = 4.0  # replays of its own by which a record counts what all with its value show


def rank_cells(values: Floats, among: Floats, cells: int = CELLS) -> Indices:
    """The cell of the middle rank of each value among others; −1 where it is missing."""
    ordered = np.sort(among[~np.isnan(among)])
    below, up_to = sorted_positions(ordered, values)
    middle = (below + up_to) / 2
    cell = np.minimum((middle / max(len(ordered), 1) * cells).astype(np.int64), cells - 1)
    return np.where(np.isnan(values), UNKNOWN, cell)


@dataclass(frozen=True, eq=False)
class LearnedNumbers:
    """The learned law of a number: lifts by cells of ranks, and the line of each record where it is fixed.

    Where `lines` is None, the line of a value is its rank among the released ones.
    """

    name: str
    entries: Floats
    lines: Indices | None

    def table(self, values: Floats, released: Floats, rows: Indices | slice) -> Table:
        """The law for records with these values and some rows of a released column."""
        cells = len(self.entries)
        of_row = rank_cells(released[rows], released, cells)
        lines = rank_cells(values, released, cells) if self.lines is None else self.lines
        of_row = np.where(of_row == UNKNOWN, self.entries.shape[1] - 1, of_row)
        return Table((self.name,), self.entries, lines, of_row, lift=True)


@dataclass(frozen=True, eq=False)
class LearnedCategories:
    """The learned law of a category: lifts by code, and the line of each record where it is not its code."""

    name: str
    entries: Floats
    lines: Indices | None

    def table(self, values: Indices, released: Indices, rows: Indices | slice) -> Table:
        """The law for records with these codes and some rows of a released column; −1 is a missing value."""
        missing = self.entries.shape[1] - 1
        lines = np.where(values < 0, UNKNOWN, values) if self.lines is None else self.lines
        codes, entries = released[rows], self.entries
        of_row = np.where(codes < 0, missing, codes)
        if (codes >= missing).any():  # categories that no replay showed have a column of their own
            entries = np.hstack([entries, np.full((len(entries), 1), np.log(HOLES))])
            of_row = np.where(codes >= missing, missing + 1, of_row)
        return Table((self.name,), entries, lines, of_row, lift=True)


def learned_numbers(
    name: str,
    before: Floats,
    after: Sequence[tuple[Floats, Floats]],
    known: Floats,
    released: Floats,
    rows: Indices,
) -> Table:
    """The law of a number for known records and some rows, where not all records are known."""
    return number_law(name, [before] * len(after), after).table(known, released, rows)


def number_law(
    name: str,
    before: Sequence[Floats],
    after: Sequence[tuple[Floats, Floats]],
    *,
    by_record: bool = False,
    most: int = CELLS,
) -> LearnedNumbers:
    """The law of a number; `before` has its values in each replay, `after` what became of each and the masked column.

    A value that went missing is NaN. `by_record` says that `before` are always all records, which are known. Where they
    are not, ranks among the known ones would be inexact, and a value is compared with the released ones instead.
    There are as many cells as `most`, or one for each record.
    """
    cells = int(min(most, max(2, len(before[0]))))
    ends = np.array([rank_cells(values, column, cells) for values, column in after])
    if not by_record:
        starts = np.array(
            [rank_cells(values, column, cells) for values, (_, column) in zip(before, after, strict=True)]
        )
        return LearnedNumbers(name, _rank_table(starts, ends, cells), None)
    start = rank_cells(before[0], before[0], cells)
    if len(ends) >= ENOUGH:
        half = len(ends) // 2
        first, second = ends[:half], ends[half:]
        centre = _centres(first, cells)
        centre = np.where(start == UNKNOWN, UNKNOWN, np.where(centre == UNKNOWN, start, centre))
        own, value = (_rank_table(lines, second, cells) for lines in (centre, start))
        if _gain(own, centre, second, cells) > _gain(value, start, second, cells) + CLEARLY:
            return LearnedNumbers(name, own, centre)
    return LearnedNumbers(name, _rank_table(start, ends, cells), start)


def learned_categories(
    name: str, before: Indices, after: Sequence[Indices], known: Indices, released: Indices, rows: Indices
) -> Table:
    """The law of a category for known records and some rows, where not all records are known."""
    return category_law(name, [before] * len(after), after, known, released).table(known, released, rows)


def category_law(
    name: str,
    before: Sequence[Indices],
    after: Sequence[Indices],
    known: Indices,
    released: Indices,
    *,
    covers: NDArray[np.bool_] | None = None,
    by_record: bool = False,
) -> LearnedCategories:
    """The law of a category, by code; −1 where it is missing.

    `covers[b, a]` says that b is a or comprises it. Where not all records are known, what few of them show of
    a category is completed by what all show of becoming the same, a coarser one, another or missing; and the table is
    scaled so that it gives the share of each category in the release, which the intruder sees.
    """
    starts = np.array(before)
    lines = int(max(starts.max(initial=0), known.max(initial=0))) + 1
    columns = int(max(released.max(initial=0), *(each.max(initial=0) for each in after))) + 1
    ends = np.array([np.where(codes < 0, columns, codes) for codes in after])
    counts = _counted(starts, ends, lines, columns + 1)
    if not by_record and covers is not None:
        columns_seen = np.bincount(np.where(released < 0, columns, released), minlength=columns + 1)
        known_seen = np.bincount(known[known >= 0], minlength=lines)
        entries = _raked_lifts(counts, _types(covers, lines, columns), known_seen, columns_seen)
        return LearnedCategories(name, entries, None)
    if by_record and len(ends) >= ENOUGH:
        half = len(ends) // 2
        first, second = ends[:half], ends[half:]
        start = starts[0]
        pooled = _counted(start, first, lines, columns + 1)
        own = _own_lifts(start, first, pooled)
        each = np.where(start < 0, UNKNOWN, np.arange(len(start)))
        if _gain(own, each, second, columns) > _gain(lifts(pooled), start, second, columns) + CLEARLY:
            return LearnedCategories(name, _own_lifts(start, ends, counts), each)
    return LearnedCategories(name, lifts(counts), None)


def lifts(counts: Floats) -> Floats:
    """The log of P(column | line) / P(column), with a background of the column's own share."""
    margin = counts.sum(axis=0) / max(counts.sum(), 1e-300)
    return _lifts(_shares(counts, margin), margin)


def _shares(counts: Floats, margin: Floats) -> Floats:
    """The share of each column in its line; the margin where the line has nothing."""
    sums = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, sums, out=np.tile(margin, (len(counts), 1)), where=sums > 0)
    return shares


def _lifts(share: Floats, margin: Floats) -> Floats:
    mixed = (1 - BACKGROUND) * share + BACKGROUND * margin
    result: Floats = np.log(np.maximum(mixed, 1e-12) / np.maximum(margin, 1e-12))
    result[:, margin <= 0] = np.log(HOLES)
    return result


def _types(covers: NDArray[np.bool_], lines: int, columns: int) -> Indices:
    """What each end is to each start: 0 the same, 1 coarser, 2 another, 3 missing."""
    types = np.full((lines, columns + 1), 2, dtype=np.int64)
    width, height = min(covers.shape[1], lines), min(covers.shape[0], columns)
    types[:width, :height][covers[:height, :width].T] = 1
    same = np.arange(min(lines, columns))
    types[same, same] = 0
    types[:, columns] = 3
    return types


def _raked_lifts(counts: Floats, types: Indices, known: Indices, released: Indices) -> Floats:
    """Lifts by line, drawn towards what all lines show of each type, with the margins that the two files have."""
    margin = (released + 1e-3) / (released + 1e-3).sum()
    of_type = np.bincount(types.ravel(), weights=counts.ravel(), minlength=4) / max(counts.sum(), 1e-300)
    within = np.zeros_like(counts)
    for kind, share in enumerate(of_type):
        weight = np.where(types == kind, margin, 0.0)
        within += share * weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
    within /= np.maximum(within.sum(axis=1, keepdims=True), 1e-300)
    joint = (counts + TYPICAL * within) / (counts.sum(axis=1, keepdims=True) + TYPICAL)
    weights = (known + 1e-3) / (known + 1e-3).sum()
    joint *= weights[:, None]
    for _ in range(RAKING):
        joint *= (margin / np.maximum(joint.sum(axis=0), 1e-300))[None, :]
        joint *= (weights / np.maximum(joint.sum(axis=1), 1e-300))[:, None]
    return _lifts(_shares(joint, margin), margin)


def _own_lifts(before: Indices, ends: Indices, pooled: Floats) -> Floats:
    """Lifts with a line for each record: its own replays, and a few by what all with its value show."""
    counts = np.zeros((len(before), pooled.shape[1]))
    for end in ends:
        counts[np.arange(len(before)), end] += 1.0
    margin = pooled.sum(axis=0) / max(pooled.sum(), 1e-300)
    own = (counts + POOLED * _shares(pooled, margin)[np.maximum(before, 0)]) / (len(ends) + POOLED)
    return _lifts(own, margin)


def _counted(start: Indices, ends: Indices, lines: int, columns: int) -> Floats:
    """How often each start had each end; starts of −1 are not counted."""
    starts = np.broadcast_to(start, ends.shape)
    seen = starts >= 0
    pairs = starts[seen] * columns + ends[seen]
    counts: Floats = np.bincount(pairs, minlength=lines * columns).reshape(lines, columns).astype(float)
    return counts


def _rank_table(start: Indices, ends: Indices, cells: int) -> Floats:
    """Lifts by cell of rank, smoothed; the last column is that of a missing value."""
    counts = _counted(start, np.where(ends == UNKNOWN, cells, ends), cells, cells + 1)
    smooth = _smoothed(counts[:, :cells], _independent_pairs(ends))
    return lifts(np.column_stack([smooth, counts[:, cells]]))


def _independent_pairs(ends: Indices) -> int:
    """How many pairs there are that replays did not merely repeat, as a deterministic method does."""
    records = ends.shape[1]
    return records if np.count_nonzero(ends[0] == ends[-1]) > REPEATED * records else ends.size


def _smoothed(counts: Floats, pairs: int) -> Floats:
    """Counts of start and end smoothed along the diagonal: near ranks move alike. The fewer pairs, the wider."""
    from scipy.ndimage import gaussian_filter

    cells = len(counts)
    cell, move = np.indices((cells, 2 * cells - 1))
    end = cell + move - (cells - 1)
    inside = (end >= 0) & (end < cells)
    sheared = np.where(inside, counts[cell, np.clip(end, 0, cells - 1)], 0.0)
    least_and_most = (ALONG, ACROSS) if cells <= CELLS else (FINE_ALONG, FINE_ACROSS)
    along, across = (
        np.clip(times / max(pairs, 1), *ends) for times, ends in zip((WIDE, NARROW), least_and_most, strict=True)
    )
    sheared = gaussian_filter(sheared, (along, across), mode="nearest")
    smooth: Floats = sheared[
        np.arange(cells)[:, None], np.arange(cells)[None, :] - np.arange(cells)[:, None] + cells - 1
    ]
    return smooth


def _centres(ends: Indices, cells: int) -> Indices:
    """The median cell that each record had in replays; −1 where it was always missing."""
    seen = np.where(ends == UNKNOWN, np.nan, ends)
    present = ~np.isnan(seen).all(axis=0)
    centre = np.full(ends.shape[1], UNKNOWN, dtype=np.int64)
    centre[present] = np.clip(np.rint(np.nanmedian(seen[:, present], axis=0)), 0, cells - 1)
    return centre


def _gain(table: Floats, start: Indices, ends: Indices, missing: int) -> float:
    """The mean lift of what became of the records in replays."""
    seen = start >= 0
    end = np.where(ends[:, seen] == UNKNOWN, missing, ends[:, seen])
    return float(table[start[seen][None, :], end].mean()) if seen.any() else 0.0
