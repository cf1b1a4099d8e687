"""Anonymity models on counts: by hand, and the two properties that a search relies on, by random classes."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
