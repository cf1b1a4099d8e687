"""The best distances of each family, through the catalogue."""

import numpy as np
import pytest
from tests.methods.files import correlated, numeric

from sdckit.catalogue import build, entries
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.methods.microaggregation.mdav import Mdav
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.methods.swapping.rank_swapping import RankSwapping
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect
from sdckit.risk.linkage.distance_linkage import DistanceLinkage

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile

FAMILIES = [entry.name for entry in entries("risk") if entry.family == "worst_case"]


def noisy(records: int = 60, attributes: int = 3, share: float = 0.3, seed: int = 1) -> Release:
    return protect(numeric(correlated(records, attributes, seed)), AdditiveNoise(variance_share=share), seed=seed)


@pytest.mark.parametrize("name", ["bilinear-linkage", "bilinear-metric-linkage"])
def test_an_unproven_family_still_links_what_the_weighted_mean_in_it_does(name, census):
    """All 13 attributes of Census in a second: far from proven, so only the start from the smaller family helps."""
    release = protect(numeric(census), RankSwapping(window=0.15), seed=1)
    plain = DistanceLinkage().measure(release)
    score = build("risk", name, budget=1.0).measure(release, seed=1)
    assert score.value >= plain.details["strict"]


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_found_never_exceeds_what_is_proven(name):
    score = build("risk", name, budget=1.0).measure(noisy(), seed=1)
    assert score.bound is not None
    assert 0 <= score.value <= score.bound <= 1
    assert score.details["proof"]
    assert score.by_record is not None
    assert np.nanmean(score.by_record) == pytest.approx(score.value)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_larger_family_links_at_least_as_many(seed):
    release = noisy(seed=seed)
    found = {name: build("risk", name, budget=2.0).measure(release, seed=1) for name in FAMILIES}
    for larger, smaller in (
        ("choquet-linkage", "choquet-metric-linkage"),
        ("choquet-linkage", "weighted-mean-linkage"),
        ("bilinear-linkage", "weighted-mean-linkage"),
        ("bilinear-linkage", "bilinear-metric-linkage"),
    ):
        if found[larger].details["proven"]:
            assert found[larger].value >= found[smaller].value
        assert found[larger].bound >= found[smaller].value
    plain = DistanceLinkage().measure(release)
    assert found["weighted-mean-linkage"].bound >= plain.details["strict"]


@pytest.mark.parametrize("name", FAMILIES)
def test_an_untouched_file_is_linked_whole(name):
    data = numeric(correlated(30, 2, seed=3))
    assert build("risk", name, budget=1.0).measure(Release.in_order(data, data), seed=1).value == 1


@pytest.mark.parametrize("name", FAMILIES)
def test_one_record_and_one_attribute_are_no_obstacle(name):
    assert build("risk", name, budget=0.5).measure(noisy(records=1), seed=1).value == 1
    score = build("risk", name, budget=0.5).measure(noisy(attributes=1), seed=1)
    assert score.by_attribute is not None
    assert len(score.by_attribute) == 1


def test_an_attribute_of_mere_noise_gets_next_to_no_weight():
    data = numeric(correlated(80, 2, seed=5))
    steps = (Step(AdditiveNoise(variance_share=1e-4), ("a",)), Step(AdditiveNoise(variance_share=400), ("b",)))
    score = build("risk", "weighted-mean-linkage", budget=2.0).measure(protect(data, Recipe(steps), seed=1), seed=1)
    assert score.by_attribute is not None
    assert score.by_attribute["b"] < 0.05 * score.by_attribute["a"]


def test_linking_within_what_the_recipe_leaves_possible_finds_at_least_as_many():
    release = protect(numeric(correlated(80, 3, seed=6)), RankSwapping(window=0.1), seed=1)
    free = build("risk", "weighted-mean-linkage", budget=2.0).measure(release, seed=1)
    within = build("risk", "weighted-mean-linkage", budget=2.0, within=True).measure(release, seed=1)
    assert within.bound >= free.value
    assert within.value >= free.value


def test_the_other_direction_links_the_same_file():
    release = noisy()
    forth = build("risk", "weighted-mean-linkage", budget=1.0).measure(release, seed=1)
    back = build("risk", "weighted-mean-linkage", budget=1.0, reverse=True).measure(release, seed=1)
    assert 0 < back.value <= 1
    assert back.details["records_learnt_on"] == forth.details["records_learnt_on"]


def test_held_out_records_are_linked_less_than_the_ones_learnt_on():
    """The worst case is in-sample: averaged over draws, records that were not learnt on are found less often."""
    gaps = []
    for seed in range(4):
        score = build("risk", "bilinear-linkage", budget=1.0, holdout=0.5).measure(noisy(80, 4, seed=seed), seed=seed)
        gaps.append(score.value - score.details["held_out"])
    assert np.mean(gaps) > 0


def test_many_records_are_learnt_on_in_part_and_many_attributes_refused():
    score = build("risk", "weighted-mean-linkage", budget=0.5, max_records=20).measure(noisy(100), seed=1)
    assert score.details["records_learnt_on"] == 20
    assert score.by_record is not None
    assert np.isfinite(score.by_record).sum() == 20
    with pytest.raises(NotApplicableError, match="8 at most"):
        build("risk", "choquet-linkage", budget=0.5).measure(noisy(attributes=9), seed=1)
    with pytest.raises(NotApplicableError, match="recipe"):
        build("risk", "owa-linkage", within=True).measure(noisy(), Intruder(knows_method=False), seed=1)


def test_attributes_microaggregated_together_stand_for_each_other(census):
    """Two blocks of two: both values of a block move to one centroid, so one shows what the other does.

    Their interaction in the learnt fuzzy measure is lower than that of attributes of different blocks, on average over
    draws of 300 records (the finding of the papers on learnt fuzzy measures).
    """
    within, across = [], []
    for draw in range(4, 8):
        rows = np.random.default_rng(draw).choice(len(census), 300, replace=False)
        data = numeric(census[rows][:, [0, 1, 4, 7]])
        recipe = Recipe((Step(Mdav(group_size=3), ("a", "b")), Step(Mdav(group_size=8), ("c", "d"))))
        score = build("risk", "choquet-linkage", budget=2.0).measure(protect(data, recipe, seed=1), seed=1)
        table = score.details["interactions"]
        within += [table[0, 1], table[2, 3]]
        across += [table[i, j] for i in (0, 1) for j in (2, 3)]
    assert np.mean(within) < 0 < np.mean(across)
