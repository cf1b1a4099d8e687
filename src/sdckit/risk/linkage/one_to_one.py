"""What the one-to-one linkages share: which of equal records gets which of equal rows is drawn at random."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import EquivalenceClasses
from sdckit.risk.linkage.linkage import ScoredLinks


def order_of_content(values: NDArray[np.float64] | NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int64]:
    """A random order that depends on the rows' values, not on their order in the file.

    Where several assignments are best, the one found depends on the order of the rows; that must not be the file's,
    which the released one may have kept, nor that of the values, which is near the truth by itself.
    """
    sorted_rows = np.lexsort(values.T[::-1]) if values.shape[1] else np.arange(len(values))
    return sorted_rows[rng.permutation(len(values))]


@dataclass(frozen=True, eq=False)
class OneToOne:
    """An assignment of known records to rows, and which of either are equal to one another."""

    link: NDArray[np.int64]
    known: EquivalenceClasses
    released: EquivalenceClasses
    details: Mapping[str, object] = field(default_factory=dict)

    def targets(self) -> NDArray[np.int64]:
        """The row that each known record is assigned to."""
        return self.link

    def score(self, truth: NDArray[np.int64], judged: NDArray[np.int64]) -> ScoredLinks:
        """The probability of a correct link if equal records draw lots for the rows assigned to them together."""
        rows, classes = len(self.released.of), len(self.released.sizes)
        linked = np.flatnonzero(self.link >= 0)
        pairs, times = np.unique(
            self.known.of[linked] * classes + self.released.of[self.link[linked]], return_counts=True
        )
        own = np.where(truth >= 0, self.known.of * classes + self.released.of[np.maximum(truth, 0)], -1)
        at = np.minimum(np.searchsorted(pairs, own), max(len(pairs) - 1, 0))
        truth_tied = (pairs[at] == own) if len(pairs) else np.zeros(len(own), dtype=bool)
        sizes = self.known.sizes[self.known.of] * self.released.sizes[self.released.of[np.maximum(truth, 0)]]
        probability = np.where(truth_tied, (times[at] if len(pairs) else 0) / sizes, 0.0)[judged]
        return ScoredLinks(probability, truth_tied[judged], probability == 1.0, rows, self.details)
