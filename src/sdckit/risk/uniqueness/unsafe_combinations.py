"""Unsafe combinations: combinations of a few keys that few records share."""

from math import comb

import numpy as np

from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.intervals import wilson
from sdckit.kernels.rare_combinations import minimal_rare_combinations
from sdckit.measure import Score, risk
from sdckit.parameters import param
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("unsafe-combinations", reference="hundepool2012")
class UnsafeCombinations(KeyMeasure):
    r"""Share of released records with a combination of few keys that too few records share.

    All sets of up to `dimension` keys are examined; a combination of values is unsafe if fewer than `threshold`
    records have it. By attribute: the share of records for which it is part of a minimal unsafe combination, one no
    part of which is unsafe. A missing key is never part of a combination. Whether it agrees with every value or with
    none is read both ways where keys are missing; the details give both figures, and the higher one counts.

    Formula: $\frac{1}{n} \cdot |\{i : f_K(i) < \text{threshold for some set } K \text{ of at most } d \text{ keys}\}|$

    Intruder: knows only a few of the keys, and it is not known which.

    Use it when no intruder is likely to know all keys at once: it is less demanding than k-anonymity on all of them.
    """

    dimension: int = param(3, "largest number of keys in a combination (d)", low=1, grid=(1, 2, 3))
    threshold: int = param(3, "smallest number of records that must share a combination", low=1, grid=(2, 3, 5, 10))

    def of_keys(self, keys: ReleasedKeys) -> Score:
        distinct = class_of(keys.codes)
        involved = np.zeros((len(distinct.sizes), len(keys.names)), dtype=bool)
        sets: dict[str, int] = {}
        first = distinct.first()
        for rare in minimal_rare_combinations(
            keys.codes[first], distinct.sizes, self.threshold, self.dimension, keys.missing[first]
        ):
            involved[rare.rows[:, None], list(rare.keys)] = True
            sets[str(len(rare.keys))] = sets.get(str(len(rare.keys)), 0) + 1
        too_few = len(distinct.of) < self.threshold  # whatever the keys, also for a record that has none
        unsafe = (np.any(involved, axis=1)[distinct.of] | too_few).astype(float)
        by_key = (involved * distinct.sizes[:, None]).sum(axis=0) / len(unsafe)
        sizes = range(1, min(self.dimension, len(keys.names)) + 1)
        return Score(
            float(unsafe.mean()),
            by_record=keys.release.by_original_record(unsafe),
            by_attribute=dict(zip(keys.names, by_key.tolist(), strict=True)),
            interval=wilson(float(unsafe.sum()), len(unsafe)),
            details={
                "attributes": keys.names,
                "sets_of_keys": sum(comb(len(keys.names), size) for size in sizes),
                "sets_that_add_unsafe_records_by_size": sets,
            },
        )
