"""What the one-to-one linkages share: which of equal records gets which of equal rows is left to chance."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import EquivalenceClasses
from sdckit.risk.linkage.linkage import Links


def order_of_content(values: NDArray[np.float64] | NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int64]:
    """A random order that hangs on the rows' values, not on where they stand.

    Where several assignments are best, the one found hangs on the order of the rows; that must not be the file's, which
    the released one may have kept, nor that of the values, which is near the truth by itself.
    """
    sorted_rows = np.lexsort(values.T[::-1]) if values.shape[1] else np.arange(len(values))
    return sorted_rows[rng.permutation(len(values))]


def links_of_classes(
    link: NDArray[np.int64],
    truth: NDArray[np.int64],
    known: EquivalenceClasses,
    released: EquivalenceClasses,
    records: NDArray[np.int64],
    details: dict[str, object],
) -> Links:
    """The chance of each record if equal records draw lots for the rows they got together, and so do equal rows."""
    rows, classes = len(released.of), len(released.sizes)
    linked = np.flatnonzero(link >= 0)
    pairs, times = np.unique(known.of[linked] * classes + released.of[link[linked]], return_counts=True)
    own = np.where(truth >= 0, known.of * classes + released.of[np.maximum(truth, 0)], -1)
    at = np.minimum(np.searchsorted(pairs, own), max(len(pairs) - 1, 0))
    truth_tied = (pairs[at] == own) if len(pairs) else np.zeros(len(own), dtype=bool)
    sizes = known.sizes[known.of] * released.sizes[released.of[np.maximum(truth, 0)]]
    chance = np.where(truth_tied, (times[at] if len(pairs) else 0) / sizes, 0.0)
    return Links(records, chance, truth_tied, chance == 1.0, rows, details)
