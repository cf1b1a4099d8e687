"""SUDA2: special uniques, who stand out by few keys already."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.suda import data_intrusion_simulation, elliot_weight, ihsn_weight, special_uniques, suda_chances
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@dataclass(frozen=True, kw_only=True)
class SpecialUniqueDetection(Measure):
    """What the two ways to weigh a minimal sample unique share."""

    sampling_fraction: float = param(0.1, "share of the population that is in the file, as supposed", low=0, high=1)
    largest: int = param(4, "most keys in a minimal sample unique", low=1, grid=(2, 3, 4, 6))

    weight: ClassVar[Callable[[int, int], float]]

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release)
        found = special_uniques(keys.codes, type(self).weight, self.largest)
        uniques, in_pairs = int((keys.frequency == 1).sum()), int((keys.frequency == 2).sum())
        file_chance = data_intrusion_simulation(uniques, in_pairs, self.sampling_fraction)
        chance = suda_chances(found.scores, file_chance, len(keys.names))
        total = found.scores.sum()
        shares = found.contributions.sum(axis=0) / total if total else np.zeros(len(keys.names))
        return Score(
            float(chance.mean()),
            by_record=release.by_original_record(chance),
            by_attribute=dict(zip(keys.names, shares.tolist(), strict=True)),
            interval=wilson(float(chance.sum()), len(chance)),
            details={
                "attributes": keys.names,
                "uniques": uniques,
                "special_uniques": int((found.scores > 0).sum()),
                "dis": file_chance,
                "largest_score": float(found.scores.max()),
                "largest_chance": float(chance.max()),
                "minimal_uniques_by_size": {str(size): int(n) for size, n in enumerate(found.by_size) if n},
            },
        )


@risk("suda2", reference="manning2008")
class Suda2(SpecialUniqueDetection):
    """Mean chance of a right match on special uniques, those who are unique by few of their keys already (DIS-SUDA).

    A minimal sample unique (MSU) is a set of keys on which a record is unique and no part of which makes it so; one of
    s keys out of m scores (m − s)!, and a record the sum over its MSUs. The chance that a unique match in the file is
    right, by the data intrusion simulation (DIS), is spread over the uniques by their scores. By attribute: the share
    of all scores that involves it. A missing key is never part of an MSU.

    Formula: (1 / n) · Σᵢ 1 / (1 + (U/θ − U) / (Sᵢ^q · Σ S^{−q})),  θ = U·π / (U·π + P·(1−π)),  q = 1 + (8−m)/20

    Intruder: recognises a person by a striking combination of few characteristics.

    Use it when keys are categorical and you want to see which records and which keys to recode or suppress first.
    """

    weight = elliot_weight


@risk("suda2-ihsn", reference="templ2015")
class Suda2Ihsn(SpecialUniqueDetection):
    """Mean chance of a right match on special uniques, scored by how many larger sets of keys are unique with them.

    As suda2, with another weight of a minimal sample unique of s keys out of m: the number of sets that contain it,
    itself not counted, as a share of the sets of s keys. Unlike (m − s)! it does not explode with the number of keys.

    Formula: (1 / n) · Σᵢ 1 / (1 + (U/θ − U) / (Sᵢ^q · Σ S^{−q})),  Sᵢ = Σ over MSUs of (2^(m−s) − 1) · s!·(m−s)! / m!

    Intruder: recognises a person by a striking combination of few characteristics.

    Use it when figures are compared with those of the International Household Survey Network's practice.
    """

    weight = ihsn_weight
