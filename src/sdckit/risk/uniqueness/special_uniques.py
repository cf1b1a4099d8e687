"""What the two scores of special uniques share: the search, the probability of a correct match, contributions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sdckit.kernels.intervals import wilson
from sdckit.kernels.suda import data_intrusion_simulation, special_uniques, suda_probabilities
from sdckit.measure import Score
from sdckit.parameters import param
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@dataclass(frozen=True, kw_only=True)
class SpecialUniqueDetection(KeyMeasure):
    """What the two ways to weigh a minimal sample unique share."""

    sampling_fraction: float = param(0.1, "assumed share of the population that is in the file", low=0, high=1)
    largest: int = param(5, "largest number of keys in a minimal sample unique", low=1, grid=(2, 3, 5))

    former_details: ClassVar[Mapping[str, str]] = {"largest_chance": "largest_probability"}
    weight: ClassVar[Callable[[int, int], float]]
    counts_all_uniques: ClassVar[bool] = False

    def of_keys(self, keys: ReleasedKeys) -> Score:
        found = special_uniques(keys.codes, type(self).weight, self.largest, keys.missing)
        # By own-value a row may differ from all others by its holes alone: that makes nobody a sample unique.
        whole = ~keys.missing.any(axis=1) if keys.holes_are_values else np.ones(len(keys.codes), dtype=bool)
        uniques = int(((keys.frequency == 1) & (whole | found.unique)).sum())
        in_pairs = int(((keys.frequency == 2) & whole).sum())
        file_probability = data_intrusion_simulation(uniques, in_pairs, self.sampling_fraction)
        counted = uniques if self.counts_all_uniques else int((found.scores > 0).sum())
        probability = suda_probabilities(found.scores, file_probability, len(keys.names), counted)
        total = found.scores.sum()
        shares = found.contributions.sum(axis=0) / total if total else np.zeros(len(keys.names))
        return Score(
            float(probability.mean()),
            by_record=keys.release.by_original_record(probability),
            by_attribute=dict(zip(keys.names, shares.tolist(), strict=True)),
            interval=wilson(float(probability.sum()), len(probability)),
            details={
                "attributes": keys.names,
                "uniques": uniques,
                "special_uniques": int((found.scores > 0).sum()),
                "dis": file_probability,
                "largest_score": float(found.scores.max()),
                "largest_probability": float(probability.max()),
                "minimal_uniques_by_size": {str(size): int(n) for size, n in enumerate(found.by_size) if n},
            },
        )
