"""The intruders find at least as much as other attacks without the truth: a small arena."""

import numpy as np
import pytest

from sdckit.release import protect
from sdckit.risks import InformedIntruder, IntersectionAttack, MixedLinkage, OrdinaryIntruder, ProbabilisticLinkage
from sdckit.testing.files import a_file

TOLERANCE = 0.015
RECIPES = ["additive-noise:variance_share=1", "rank-swapping:window=0.3", ["pram", "additive-noise"]]
KEYS = ["age", "yearly income", "grade", "town"]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES)
def test_no_attack_without_the_truth_finds_more_on_average(recipe):
    found = {
        InformedIntruder: [],
        OrdinaryIntruder: [],
        IntersectionAttack: [],
        MixedLinkage: [],
        ProbabilisticLinkage: [],
    }
    for seed in range(5):
        release = protect(a_file(150, seed=seed).only(KEYS), recipe, seed=seed)
        for attack, shares in found.items():
            shares.append(attack().measure(release, seed=1).value)
    mean = {attack: np.mean(shares) for attack, shares in found.items()}
    assert mean[InformedIntruder] >= max(mean.values()) - TOLERANCE
    assert mean[OrdinaryIntruder] >= max(mean[MixedLinkage], mean[ProbabilisticLinkage]) - TOLERANCE
