"""Anonymity models on counts: by hand, and the two properties that a search relies on, by random classes."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.kernels import class_models
from sdckit.kernels.class_models import (
    AverageRisk,
    Classes,
    Closeness,
    DistinctDiversity,
    DistinctDiversityOfAll,
    EntropyDiversity,
    LargestShare,
    PopulationUniqueness,
    Presence,
    RecursiveDiversity,
    Rule,
    ShareLimits,
    SmallestPopulation,
    SmallestSize,
    likeness_limits,
)
from sdckit.kernels.diversity import nominal_distance, ordered_distance, tree_distance

OVERALL = np.array([6.0, 3.0, 2.0, 1.0])
SHARES = OVERALL / OVERALL.sum()
LEVELS = np.array([[0, 4, 6], [1, 4, 6], [2, 5, 6], [3, 5, 6]])
MODELS = [
    SmallestSize(3),
    SmallestPopulation(5),
    Presence(0.2, 0.6),
    DistinctDiversity(0, 2),
    DistinctDiversityOfAll(0, 2),
    EntropyDiversity(0, 1.8),
    RecursiveDiversity(0, 2.0, 2),
    Closeness(0, 0.3, partial(nominal_distance, overall=OVERALL)),
    Closeness(0, 0.2, partial(ordered_distance, overall=OVERALL)),
    Closeness(0, 0.2, partial(tree_distance, overall=OVERALL, levels=LEVELS)),
    LargestShare(0, 0.6),
    ShareLimits(0, np.zeros(4), likeness_limits(OVERALL, 1.0, enhanced=False)),
    ShareLimits(0, np.zeros(4), likeness_limits(OVERALL, 1.0, enhanced=True)),
    ShareLimits(0, SHARES * np.exp(-1.0), SHARES * np.exp(1.0)),
]


def classes(counts, population=None) -> Classes:
    matrix = np.atleast_2d(np.asarray(counts, dtype=float))
    sizes = matrix.sum(axis=1)
    return Classes(sizes, sizes if population is None else np.atleast_1d(np.asarray(population, float)), [matrix])


def sufficient(model, counts, population=None) -> bool:
    return bool(model.sufficient(classes(counts, population))[0])


counts_of_a_class = st.lists(st.integers(0, 6), min_size=4, max_size=4)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@given(counts_of_a_class, counts_of_a_class, st.integers(0, 9), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_unions_and_additions_keep_what_the_model_declares(model, one, other, more_one, more_other):
    populations = sum(one) + more_one, sum(other) + more_other
    first, second = sufficient(model, one, populations[0]), sufficient(model, other, populations[1])
    joined = sufficient(model, np.add(one, other), sum(populations))
    assert model.union_closed
    if first and second:
        assert joined
    if model.upward_closed and first and sum(one):
        assert joined


@pytest.mark.parametrize(
    ("model", "one", "other"),
    [
        (MODELS[5], [1, 1, 0, 0], [9, 0, 0, 0]),
        (MODELS[6], [2, 2, 0, 0], [9, 0, 0, 0]),
        (MODELS[7], [6, 3, 2, 1], [0, 0, 0, 30]),
        (MODELS[10], [1, 1, 0, 0], [9, 0, 0, 0]),
        (MODELS[13], [6, 3, 2, 1], [90, 0, 0, 0]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_models_that_are_not_upward_closed_have_a_counterexample(model, one, other):
    assert not model.upward_closed
    assert sufficient(model, one)
    assert not sufficient(model, np.add(one, other))


def test_by_hand():
    assert sufficient(SmallestSize(3), [2, 1, 0, 0]) and not sufficient(SmallestSize(3), [2, 0, 0, 0])
    assert sufficient(EntropyDiversity(0, 2), [3, 3, 0, 0]) and not sufficient(EntropyDiversity(0, 2), [3, 2, 0, 0])
    assert sufficient(RecursiveDiversity(0, 2, 2), [3, 2, 0, 0])  # 3 < 2 · 2
    assert not sufficient(RecursiveDiversity(0, 1.5, 2), [3, 2, 0, 0])  # 3 = 1.5 · 2 is not below
    assert sufficient(LargestShare(0, 0.5), [2, 2, 0, 0]) and not sufficient(LargestShare(0, 0.5), [3, 2, 0, 0])
    assert sufficient(Presence(0.1, 0.5), [2, 0, 0, 0], 4) and not sufficient(Presence(0.1, 0.5), [3, 0, 0, 0], 4)
    assert sufficient(SmallestPopulation(4), [1, 0, 0, 0], 4) and not sufficient(SmallestPopulation(4), [1, 0, 0, 0], 3)
    assert AverageRisk(0.5).satisfied(np.array([2.0, 2.0])) and not AverageRisk(0.4).satisfied(np.array([2.0, 2.0]))


def test_likeness_by_hand():
    basic = likeness_limits(np.array([1.0, 3.0]), 1.0, enhanced=False)
    assert basic == pytest.approx([0.5, 1.0])
    enhanced = likeness_limits(np.array([1.0, 3.0]), 9.0, enhanced=True)
    assert enhanced == pytest.approx([0.25 * (1 - np.log(0.25)), 0.75 * (1 - np.log(0.75))])


def test_a_class_without_confidential_values_reveals_nothing():
    nothing = Classes(np.array([5.0]), np.array([5.0]), [np.zeros((1, 4))])
    assert Rule([SmallestSize(3), DistinctDiversity(0, 2)]).sufficient(nothing).all()


def test_population_uniqueness_needs_sample_uniques():
    strict = PopulationUniqueness(0.0, 1000.0)
    assert strict.satisfied(np.array([2.0, 3.0]))
    assert not strict.satisfied(np.ones(50))


def test_uniques_among_other_classes_are_judged_too():
    sizes = np.array([1.0] * 40 + [2.0] * 20 + [5.0] * 4)
    assert not PopulationUniqueness(0.0, 1000.0).satisfied(sizes)
    assert PopulationUniqueness(1.0, 1000.0).satisfied(sizes)


def test_a_rule_is_about_the_population_if_one_of_its_models_is():
    assert Rule([SmallestSize(3), SmallestPopulation(5)]).of_population is True
    assert Rule([SmallestSize(3)]).of_population is Rule([]).of_population is False


def random_classes(seed) -> Classes:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 4, (7, 4)) * (rng.random((7, 1)) < 0.8)
    sizes = counts.sum(axis=1) + rng.integers(0, 2, 7)
    return Classes(sizes.astype(float), sizes + rng.integers(0, 5, 7).astype(float), [counts.astype(float)])


def entropy(counts) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def tail(counts, rank) -> float:
    return sum(sorted(counts, reverse=True)[rank - 1 :])


CONDITIONS = [
    (SmallestSize(3), lambda size, population, counts: size >= 3 or size == 0),
    (SmallestPopulation(5), lambda size, population, counts: population >= 5 or size == 0),
    (SmallestPopulation(6, per_record=2.0), lambda size, population, counts: 2 * size >= 6 or size == 0),
    (Presence(0.5, 0.75), lambda size, population, counts: population > 0 and 0.5 <= size / population <= 0.75),
    (Presence(0.0, 0.5), lambda size, population, counts: size <= 0.5 * population),
    (Presence(0.2, 0.5, per_record=2.0), lambda size, population, counts: size > 0),
    (Presence(0.2, 0.4, per_record=2.0), lambda size, population, counts: False),
    (DistinctDiversity(0, 2), lambda size, population, counts: not counts.any() or (counts > 0).sum() >= 2),
    (EntropyDiversity(0, 3), lambda size, population, counts: not counts.any() or entropy(counts) >= np.log(3) - 1e-9),
    (
        RecursiveDiversity(0, 2.0, 3),
        lambda size, population, counts: not counts.any() or max(counts) < 2 * tail(counts, 3),
    ),
    (LargestShare(0, 0.5), lambda size, population, counts: max(counts) <= counts.sum() / 2),
    (
        Closeness(0, 0.25, partial(nominal_distance, overall=np.ones(4))),
        lambda size, population, counts: (
            not counts.any() or np.abs(counts / counts.sum() - 0.25).sum() / 2 <= 0.25 + 1e-12
        ),
    ),
    (
        ShareLimits(0, np.array([0.0, 0.0, 0.25, 0.0]), np.array([0.5, 1.0, 1.0, 1 / 3])),
        lambda size, population, counts: (
            counts[0] <= counts.sum() / 2 and counts[2] >= counts.sum() / 4 and counts[3] <= counts.sum() / 3
        ),
    ),
]


@pytest.mark.parametrize(("model", "condition"), CONDITIONS, ids=lambda value: type(value).__name__)
def test_a_model_holds_where_its_condition_does(model, condition):
    for made in map(random_classes, range(12)):
        found = model.sufficient(made)
        for number, (size, population) in enumerate(zip(made.sizes, made.population, strict=True)):
            if not isinstance(model, Presence) or population > 0:
                assert found[number] == bool(condition(size, population, made.counts[0][number]))


@pytest.mark.parametrize("seed", range(12))
def test_a_rule_holds_where_all_its_conditions_do(seed):
    given, rng = random_classes(seed), np.random.default_rng(seed)
    models = [CONDITIONS[index][0] for index in rng.permutation(len(CONDITIONS))[: rng.integers(0, 4)]]
    expected = np.all([np.ones(7, dtype=bool), *(model.sufficient(given) for model in models)], axis=0)
    assert Rule(models).sufficient(given).tolist() == expected.tolist()
    rule = Rule(models)
    assert rule.smallest == (3 if any(isinstance(model, SmallestSize) for model in models) else 1)
    assert rule.upward_closed == all(isinstance(model, SmallestSize | SmallestPopulation) for model in models)
    assert rule.union_closed
    some, whole = given.some(given.sizes > 2), given.whole()
    assert some.sizes.tolist() == [size for size in given.sizes if size > 2]
    assert some.population.tolist() == given.population[given.sizes > 2].tolist()
    assert (some.counts[0] == given.counts[0][given.sizes > 2]).all()
    assert (whole.sizes[0], whole.population[0]) == (given.sizes.sum(), given.population.sum())
    assert whole.counts[0].tolist() == [given.counts[0].sum(axis=0).tolist()]


def test_the_smallest_class_is_that_of_the_strictest_condition():
    assert Rule([SmallestSize(2), SmallestSize(5), SmallestSize(3)]).smallest == 5


def test_conditions_on_the_file_hold_together():
    sizes = np.array([1.0, 3.0])
    assert Rule([], [AverageRisk(0.5)]).satisfied(sizes) and not Rule([], [AverageRisk(0.49)]).satisfied(sizes)
    assert not Rule([], [AverageRisk(0.5), AverageRisk(0.1)]).satisfied(sizes)
    assert Rule([]).satisfied(sizes) and AverageRisk(0.0).satisfied(np.empty(0))


@pytest.mark.parametrize(("population", "pitman"), [(400.0, True), (399.0, False)])
def test_population_uniques_are_estimated_by_the_sampling_share(population, pitman, monkeypatch):
    """Forty records: up to a tenth of the population by one model, above by the smaller of two figures."""
    sizes, used = np.array([1.0] * 20 + [2.0] * 10), []

    class Fitted:
        uniques = 70.0

    class Pitman:
        def uniques(self, persons):
            used.append("pitman")
            assert persons == population
            return 100.0

    monkeypatch.setattr(class_models, "fit_pitman", lambda sample: Pitman())
    monkeypatch.setattr(class_models, "fit_shifted_negative_binomial", lambda sample, persons: Fitted())
    monkeypatch.setattr(class_models, "zayatz", lambda sample, persons: 80.0)
    share = (100.0 if pitman else 70.0) / population
    assert PopulationUniqueness(share, population).satisfied(sizes)
    assert not PopulationUniqueness(share - 1e-6, population).satisfied(sizes)
    assert bool(used) == pitman


def test_likeness_limits_of_any_shares():
    overall = np.array([1.0, 0.0, 3.0, 4.0])
    q = overall / 8
    for beta in (0.5, 1.0, 5.0):
        plain = likeness_limits(overall, beta, enhanced=False)
        assert plain == pytest.approx(np.minimum((1 + beta) * q, 1))
        limits = [min((1 + min(beta, -np.log(share))) * share, 1.0) if share else 0.0 for share in q]
        assert likeness_limits(overall, beta, enhanced=True) == pytest.approx(limits)
