"""Two fuzzy partitions of the same records compared by pairs of records, without matching their clusters.

Both measures are the Rand index where the partitions are crisp. With c clusters and n records they take c n² / 2 steps,
so that of large files pairs are drawn at random.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks

ALL_PAIRS = 3_000  # records up to which all pairs are compared
DRAWN = 1_000_000  # pairs that are drawn above


@dataclass(frozen=True)
class PairComparison:
    """How two partitions agree on pairs of records.

    `distance`        Hüllermeier and Rifqi: the mean difference of how far two records belong together; 1 − fuzzy Rand
    `standard_error`  of the distance, 0 where all pairs were compared
    `rand`, `jaccard` Campello's fuzzy indices, 1 for equal crisp partitions
    """

    distance: float
    standard_error: float
    rand: float
    jaccard: float
    pairs: int


def compare_pairs(
    one: NDArray[np.float64], other: NDArray[np.float64], rng: np.random.Generator | None = None
) -> PairComparison:
    """Compare the memberships of the same records in two partitions, which may have different numbers of clusters.

    Example
    -------
    >>> crisp = np.eye(2)[[0, 0, 1, 1]]
    >>> compare_pairs(crisp, crisp[:, ::-1]).rand  # the numbers of clusters do not matter
    1.0
    """
    one, other = (np.ascontiguousarray(each, dtype=np.float64) for each in (one, other))
    if len(one) != len(other):
        raise ValueError(f"partitions of {len(one)} and {len(other)} records cannot be compared; use the same records")
    if len(one) < 2:
        return PairComparison(0.0, 0.0, 1.0, 1.0, 0)
    if len(one) <= ALL_PAIRS:
        left, right = (each.astype(np.int64) for each in np.triu_indices(len(one), 1))
    else:
        left, right = _drawn_pairs(len(one), rng or np.random.default_rng(0))
    parts: dict[int, NDArray[np.float64]] = {}

    def add(start: int, stop: int) -> None:
        parts[start] = _compare(one, other, left, right, start, stop)

    over_row_blocks(len(left), add, block=65_536)
    gap, square, a, b, c, d = np.sum([parts[start] for start in sorted(parts)], axis=0)
    pairs = len(left)
    mean = float(gap / pairs)
    variance = max(float(square / pairs) - mean**2, 0.0)
    drawn = len(one) > ALL_PAIRS
    return PairComparison(
        mean,
        float(np.sqrt(variance / pairs)) if drawn else 0.0,
        float((a + d) / (a + b + c + d)),
        float(a / (a + b + c)) if a + b + c > 0 else 1.0,
        pairs,
    )


def _drawn_pairs(records: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    left = rng.integers(records, size=DRAWN)
    right = rng.integers(records - 1, size=DRAWN)
    return left, right + (right >= left)


@njit(cache=True, nogil=True)
def _together(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[float, float, float]:
    """Of two records: how far they belong together, and Campello's degrees of the same and of different clusters."""
    apart = same = 0.0
    top = next_top = other_top = next_other = -1.0
    at = other_at = -1
    for i in range(len(first)):
        a, b = first[i], second[i]
        apart += abs(a - b)
        same = max(same, min(a, b))
        if a > top:
            next_top, top, at = top, a, i
        elif a > next_top:
            next_top = a
        if b > other_top:
            next_other, other_top, other_at = other_top, b, i
        elif b > next_other:
            next_other = b
    different = min(top, other_top)
    if at == other_at:
        different = max(min(top, next_other), min(next_top, other_top))
    return 1.0 - apart / 2, same, max(different, 0.0)


@njit(cache=True, nogil=True)
def _compare(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    start: int,
    stop: int,
) -> NDArray[np.float64]:
    sums = np.zeros(6)
    for pair in range(start, stop):
        x, y = left[pair], right[pair]
        alike, same, different = _together(one[x], one[y])
        other_alike, other_same, other_different = _together(other[x], other[y])
        gap = abs(alike - other_alike)
        sums[0] += gap
        sums[1] += gap * gap
        sums[2] += min(same, other_same)
        sums[3] += min(same, other_different)
        sums[4] += min(different, other_same)
        sums[5] += min(different, other_different)
    return sums
