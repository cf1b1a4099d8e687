"""Separation and distinction: how well sets of keys distinguish records."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.measure import Cost, Score, risk
from sdckit.parameters import param
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("separation", reference="motwani2007", cost=Cost.SLOW)
class Separation(KeyMeasure):
    r"""Share of the pairs of released records that differ in some of the known keys.

    A set of keys that separates nearly all pairs is a quasi-identifier, whatever role it was declared with. The details
    give for each set of at most `keys` keys its separation and its distinction, the number of distinct combinations by
    the number of records, those that separate most first. Where keys are missing, the details give the figure by both
    readings of a missing key, and the higher one counts.

    Formula: $\frac{|\{(i, j) : x_i \ne x_j \text{ on the keys}\}|}{n (n - 1) / 2}$;  $\text{distinction} =
    \frac{|\{x_i\}|}{n}$

    Intruder: compares keys, and chooses those that distinguish most persons.

    Use it when it is not clear which attributes are keys, or which of them to generalise first.
    """

    keys: int = param(2, "largest number of keys in the sets that the details list", low=1, grid=(1, 2, 3))
    listed: int = param(20, "number of sets that the details list", low=1)

    def of_keys(self, keys: ReleasedKeys) -> Score:
        by_record, value, distinct = _of(keys.codes, keys.frequency)
        sets = {}
        for size in range(1, min(self.keys, len(keys.names)) + 1):
            for chosen in combinations(range(len(keys.names)), size):
                codes = np.ascontiguousarray(keys.codes[:, list(chosen)])
                _, separated, distinction = _of(codes, wildcard_frequencies(codes))
                names = tuple(keys.names[index] for index in chosen)
                sets[names] = {"separation": separated, "distinction": distinction}
        ordered = sorted(sets, key=lambda names: -sets[names]["separation"])[: self.listed]
        return Score(
            value,
            by_record=keys.release.by_original_record(by_record),
            by_attribute={name: sets[(name,)]["separation"] for name in keys.names},
            details={
                "attributes": keys.names,
                "distinction": distinct,
                "sets": {" + ".join(names): sets[names] for names in ordered},
            },
        )


def _of(codes: NDArray[np.int32], frequency: NDArray[np.int64]) -> tuple[NDArray[np.float64], float, float]:
    """The share of the other records that each differs from, its mean, and the distinction."""
    records = len(codes)
    apart = (records - frequency) / max(records - 1, 1)
    return apart.astype(np.float64), float(apart.mean()), float((1.0 / frequency).sum() / records)
