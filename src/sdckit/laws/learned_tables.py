"""Learned tables: what becomes of a value, counted in replays; numbers by their rank, categories by their code.

Entries are lifts: the log of how much likelier a released value is for a record than for anybody. A little background
is mixed in, so that an event that no replay showed is unlikely but not impossible.
"""

from collections.abc import Sequence

import numpy as np

from sdckit.laws.blocks import UNKNOWN, Floats, Indices, Table

CELLS = 100  # of ranks
SMOOTHING = 1.0  # cells
BACKGROUND = 1e-3
HOLES = 1e-4  # of the rows, added to both sides of a lift: what no replay showed is no more than this likely


def rank_cells(values: Floats, among: Floats, cells: int = CELLS) -> Indices:
    """The cell of the middle rank of each value among others; −1 where it is missing."""
    ordered = np.sort(among[~np.isnan(among)])
    middle = (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")) / 2
    cell = np.minimum((middle / max(len(ordered), 1) * cells).astype(np.int64), cells - 1)
    return np.where(np.isnan(values), UNKNOWN, cell)


def learned_numbers(
    name: str, before: Floats, after: Sequence[tuple[Floats, Floats]], known: Floats, released: Floats, rows: Indices
) -> Table:
    """The law of a number; `after` has what became of each value of `before` in a replay, and the column of the replay.

    A value that went missing is NaN. `rows` are the rows of `released` that the table is for.
    """
    from scipy.ndimage import gaussian_filter

    cells = int(min(CELLS, max(2, len(before))))
    start = rank_cells(before, before, cells)
    counts, holes = np.zeros((cells, cells)), np.zeros(cells)
    for values, column in after:
        end = rank_cells(values, column, cells)
        seen = start != UNKNOWN
        missing = seen & (end == UNKNOWN)
        np.add.at(counts, (start[seen & ~missing], end[seen & ~missing]), 1.0)
        np.add.at(holes, start[missing], 1.0)
    counts = gaussian_filter(counts, SMOOTHING, mode="nearest")
    entries = lifts(np.column_stack([counts, holes]))
    of_row = rank_cells(released[rows], released, cells)
    return Table((name,), entries, rank_cells(known, before, cells), np.where(of_row == UNKNOWN, cells, of_row))


def learned_categories(
    name: str, before: Indices, after: Sequence[Indices], known: Indices, released: Indices, rows: Indices
) -> Table:
    """The law of a category, by code; −1 where it is missing."""
    lines = int(max(before.max(initial=0), known.max(initial=0))) + 1
    columns = int(max(released.max(initial=0), *(each.max(initial=0) for each in after))) + 1
    counts = np.zeros((lines, columns + 1))
    seen = before >= 0
    for codes in after:
        np.add.at(counts, (before[seen], np.where(codes < 0, columns, codes)[seen]), 1.0)
    of_row = released[rows]
    return Table((name,), lifts(counts), np.where(known < 0, UNKNOWN, known), np.where(of_row < 0, columns, of_row))


def lifts(counts: Floats) -> Floats:
    """The log of P(column | line) / P(column), with a background of the column's own share."""
    margin = counts.sum(axis=0) / max(counts.sum(), 1e-300)
    sums = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, sums, out=np.tile(margin, (len(counts), 1)), where=sums > 0)
    mixed = (1 - BACKGROUND) * share + BACKGROUND * margin
    result: Floats = np.log(np.maximum(mixed, 1e-12) / np.maximum(margin, 1e-12))
    unseen = margin <= 0
    result[:, unseen] = np.log(HOLES)
    return result
