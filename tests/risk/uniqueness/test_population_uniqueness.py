"""Samples of a population that is known, so that what was estimated can be counted."""

import numpy as np
import pytest
from tests.risk.uniqueness.francdat import file_of

from sdckit import build, protect


def population(records=12_000, seed=4):
    rng = np.random.default_rng(seed)
    keys = [np.minimum(rng.geometric(0.25, records), 25) for _ in range(4)]
    return file_of([tuple(map(str, row)) for row in np.column_stack(keys)])


POPULATION = population()
UNIQUE = np.unique(POPULATION.codes(("key1", "key2", "key3", "key4")), axis=0, return_counts=True)[1] == 1


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_the_published_rule_comes_near_the_truth(share):
    release = protect(POPULATION, f"simple-sampling:share={share}", seed=3)
    score = build("risk", "population-uniqueness").measure(release)
    truth = UNIQUE.sum() / len(POPULATION)
    assert 0.5 * truth < score.value < 2 * truth
    assert set(score.details["estimates"]) == ({"pitman"} if share <= 0.1 else {"zayatz", "snb"})


def test_above_a_tenth_the_smaller_of_two_estimates_counts():
    release = protect(POPULATION, "simple-sampling:share=0.3", seed=3)
    zayatz, snb, rule = (
        build("risk", name).measure(release).value
        for name in ("zayatz-uniqueness", "snb-uniqueness", "population-uniqueness")
    )
    assert rule == pytest.approx(min(zayatz, snb))


def test_only_sample_uniques_may_be_unique_in_the_population():
    release = protect(POPULATION, "simple-sampling:share=0.3", seed=3)
    score = build("risk", "population-uniqueness").measure(release)
    unique = build("risk", "uniqueness").measure(release).by_record
    assert (score.by_record[unique == 0] == 0).all()
    assert np.nanmean(score.by_record) == pytest.approx(score.value)


def test_the_log_linear_model_finds_the_uniques_of_independent_keys():
    release = protect(POPULATION, "simple-sampling:share=0.2", seed=3)
    score = build("risk", "log-linear-risk").measure(release)
    codes = POPULATION.codes(("key1", "key2", "key3", "key4"))
    _, of, sizes = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    sample = codes[release.origin]
    _, where, counts = np.unique(sample, axis=0, return_inverse=True, return_counts=True)
    in_population = sizes[of.ravel()[release.origin]]
    alone = counts[where.ravel()] == 1
    assert score.details["sample_uniques"] == alone.sum()
    assert score.details["tau_1"] == pytest.approx((in_population[alone] == 1).sum(), rel=0.2)
    assert score.details["tau_2"] == pytest.approx((1 / in_population[alone]).sum(), rel=0.1)


def test_interactions_are_fitted_where_the_table_is_not_too_large():
    rng = np.random.default_rng(1)
    one, other, third = rng.integers(0, 6, 5000), rng.integers(0, 2, 5000), rng.integers(0, 9, 5000)
    rows = [tuple(map(str, row)) for row in np.column_stack([one, (one + other) % 6, third])]
    release = protect(file_of(rows), "simple-sampling:share=0.01", seed=1)
    dependent = build("risk", "log-linear-risk", interactions=2).measure(release).value
    independent = build("risk", "log-linear-risk", interactions=1).measure(release).value
    assert dependent < independent  # the keys go together, so cells are fuller than independence has it
