"""Nearest rows by blocks of all distances, for files in which a tree excludes little: many attributes, much noise.

Squared distances come from one matrix product, which is fast and not exact. Its error is bounded, so the few rows that
may be nearest are known; only their distances are computed exactly, coordinate after coordinate as in a tree.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.kd_tree import KdTree

ENTRIES = 1 << 21  # distances at a time
SAMPLE = 64  # known records that show whether a tree is faster
FEW_ATTRIBUTES = 6  # up to these a tree always excludes enough to be faster
SMALL = 1 << 20  # pairs of records for which both ways are quick
VISITED = 0.25  # share of the leaves that a search visits beyond which blocks are faster
EPSILON = float(np.finfo(np.float64).eps)


def tree_excludes_little(tree: KdTree, known: NDArray[np.float64]) -> bool:
    """Whether a search for the nearest row would visit a large share of the leaves, by a sample of the records."""
    if known.shape[1] <= FEW_ATTRIBUTES or len(known) * len(tree.rows) <= SMALL or len(tree.roots) != 1:
        return False
    if not (np.isfinite(known).all() and np.isfinite(tree.rows).all()):
        return False
    sample = known[:: max(len(known) // SAMPLE, 1)]
    leaves = tree.right < 0
    lower, upper = tree.lower[leaves], tree.upper[leaves]
    visited = 0.0
    for record in sample:
        least = ((tree.rows - record) ** 2).sum(axis=1).min()
        gap = np.maximum(np.maximum(lower - record, record - upper), 0.0)
        visited += ((gap**2).sum(axis=1) < least).mean()
    return bool(visited > VISITED * len(sample))


def nearest_in_blocks(
    tree: KdTree, known: NDArray[np.float64], true_row: NDArray[np.int64], tolerance: float
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """The least distance of each record, the number of rows at it, whether its own is one of them, and the lowest.

    Nothing is missing, and there is at least one row.
    """
    rows, dimensions = tree.rows, known.shape[1]
    lengths = np.einsum("ij,ij->i", rows, rows)
    longest = np.sqrt(lengths.max())
    step = max(ENTRIES // len(rows), 1)
    parts = []
    for begin in range(0, len(known), step):
        records = known[begin : begin + step]
        own_lengths = np.einsum("ij,ij->i", records, records)
        near = records @ rows.T
        near *= -2.0
        near += lengths
        near += own_lengths[:, None]
        error = 8 * (dimensions + 4) * EPSILON * (np.sqrt(own_lengths) + longest) ** 2
        cut = (near.min(axis=1) + error) * (1 + tolerance) + error
        record, row = np.nonzero(near <= cut[:, None])
        exact = _squared_distances(rows, row, records, record)
        firsts = np.searchsorted(record, np.arange(len(records)))
        least = np.minimum.reduceat(exact, firsts)
        limit = least * (1 + tolerance)
        tied = exact <= limit[record]
        ties = np.bincount(record[tied], weights=tree.multiplicity[row[tied]], minlength=len(records))
        nearest = np.minimum.reduceat(np.where(tied, tree.first[row], np.iinfo(np.int64).max), firsts)
        truth = true_row[begin : begin + len(records)]
        of_truth = _squared_distances(rows, np.maximum(truth, 0), records, np.arange(len(records)))
        parts.append((least, ties.astype(np.int64), (truth >= 0) & (of_truth <= limit), nearest))
    distance, count, truth_tied, first = (np.concatenate(part) for part in zip(*parts, strict=True))
    return distance, count, truth_tied, first


def _squared_distances(
    rows: NDArray[np.float64], row: NDArray[np.int64], known: NDArray[np.float64], record: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Sums of squared differences of pairs, added up in the order of the coordinates."""
    total = np.zeros(len(row))
    for j in range(known.shape[1]):
        gap = rows[row, j] - known[record, j]
        total += gap * gap
    return total
