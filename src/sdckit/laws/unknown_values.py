"""Values that the intruder does not know: what a row has there is as likely for the record as it is for anybody.

A block adds nothing for such a record. For it to be compared with a record whose value is known, how likely the row's
value is for anybody is taken from the latter: a row with a rare value is hers who is known to have it, not of somebody
of whom nothing is known.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Block, Equality, Floats, Margin
from sdckit.laws.holes import knows_holes
from sdckit.laws.release_law import RowClasses

SAMPLE = 2_000  # values of known records, and released values, by which a margin is found
OWN = np.exp(-0.5)  # likelihood that a record's own row has usually, where the best is 1
STEP = 0.01  # of the logarithm of how likely a value is: rows that differ by less share an entry


def margins(view: AttackerView, rows: RowClasses, blocks: Sequence[Block]) -> list[Block]:
    """The margin of each attribute that is not known of some records."""
    if knows_holes(view):
        return []
    found: list[Block] = []
    for name in view.attributes:
        about = [block for block in blocks if block.names == (name,)]
        known = ~view.known.absent(name)
        if not about or known.all() or not known.any():
            continue
        values = np.nan_to_num(view.released.columns[name][rows.first].astype(float), nan=-np.inf)
        levels, of_row = np.unique(np.round(_log_margin(about, known, values, rows) / STEP), return_inverse=True)
        of_record = np.where(known, 0, UNKNOWN).astype(np.int64)
        found.append(Margin((name,), -STEP * levels[None, :], of_record, of_row.astype(np.int64)))
    return found


def _log_margin(blocks: Sequence[Block], known: NDArray[np.bool_], values: Floats, rows: RowClasses) -> Floats:
    """How likely each class of rows is for anybody whose value is known, as a logarithm."""
    if len(blocks) == 1 and isinstance(only := blocks[0], Equality):
        share = _shares(only.of_row, rows)
        return np.log(share + (1 - share) * np.exp(only.unequal))
    distinct, first, of = np.unique(values, return_index=True, return_inverse=True)
    points = _spread(len(distinct))
    sample = np.flatnonzero(known)[_spread(int(known.sum()))]
    total = np.zeros(len(points))
    for record in sample:
        total += np.exp(sum(block.of_pairs(np.full(len(points), record), first[points]) for block in blocks))
    found: Floats = np.log(np.maximum(total / len(sample), OWN / int(known.sum())))
    return found[of] if len(points) == len(distinct) else np.interp(of, points, found)


def _shares(codes: NDArray[np.int64], rows: RowClasses) -> Floats:
    """The share of the rows that have the code of each class."""
    _, of = np.unique(codes, return_inverse=True)
    share: Floats = np.bincount(of, weights=rows.sizes)[of] / rows.sizes.sum()
    return share


def _spread(count: int) -> NDArray[np.int64]:
    """So many positions at most, from the first to the last."""
    return np.linspace(0, count - 1, min(count, SAMPLE)).astype(np.int64)
