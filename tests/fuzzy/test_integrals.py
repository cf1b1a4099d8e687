"""Weighted mean, OWA, Choquet and Sugeno integrals: by hand, in their limits and against each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.fuzzy.choquet import choquet_integral
from sdckit.fuzzy.measures import additive_measure, symmetric_measure
from sdckit.fuzzy.operators import (
    ChoquetIntegral,
    Operator,
    OrderedWeightedAverage,
    SugenoIntegral,
    ordered_weighted_average,
    owa_weights,
    weighted_mean,
)
from sdckit.fuzzy.quantifiers import AtLeast, Linear, power
from sdckit.fuzzy.sugeno import sugeno_integral
from sdckit.parameters import converted

shares = st.floats(0, 1, allow_subnormal=False)


def matrices(d: int) -> st.SearchStrategy[np.ndarray]:
    return st.integers(1, 6).flatmap(lambda n: arrays(float, (n, d), elements=shares))


def monotone_measure(rng: np.random.Generator, d: int) -> np.ndarray:
    """A random fuzzy measure: the running maximum over subsets of random weights, scaled to 1."""
    measure = rng.random(1 << d)
    measure[0] = 0
    for attribute in range(d):
        halves = measure.reshape(-1, 2, 1 << attribute)
        halves[:, 1] = np.maximum(halves[:, 1], halves[:, 0])
    return measure / measure[-1]


def test_the_choquet_integral_by_hand():
    measure = np.array([0, 0.3, 0.5, 1.0])  # ∅, {0}, {1}, {0, 1}
    assert choquet_integral(np.array([[4.0, 1.0]]), measure) == pytest.approx([(4 - 1) * 0.3 + 1 * 1.0])
    assert choquet_integral(np.array([[1.0, 4.0]]), measure) == pytest.approx([(4 - 1) * 0.5 + 1 * 1.0])


def test_the_sugeno_integral_with_the_quantifier_of_the_paper_by_hand():
    """Q(x) = x and values 0.9, 0.6, 0.2: max(min(1/3, .9), min(2/3, .6), min(1, .2)) = 0.6."""
    values = np.array([[0.6, 0.9, 0.2]])
    assert SugenoIntegral()(values) == pytest.approx([0.6])


@given(matrices(3), st.lists(st.floats(0.01, 1), min_size=3, max_size=3))
def test_a_choquet_integral_with_an_additive_measure_is_the_weighted_mean(values, raw):
    weights = np.array(raw) / sum(raw)
    assert choquet_integral(values, additive_measure(weights)) == pytest.approx(weighted_mean(values, weights))


@given(matrices(4), st.floats(0.1, 5))
def test_an_owa_is_a_symmetric_choquet_integral(values, exponent):
    owa = ordered_weighted_average(values, owa_weights(power(exponent), 4))
    assert choquet_integral(values, symmetric_measure(power(exponent), 4)) == pytest.approx(owa)
    assert ChoquetIntegral(exponent)(values) == pytest.approx(OrderedWeightedAverage(exponent)(values))


@given(matrices(3))
def test_the_arithmetic_mean_the_maximum_and_the_minimum_are_owas(values):
    assert ordered_weighted_average(values, np.full(3, 1 / 3)) == pytest.approx(values.mean(axis=1))
    assert np.array_equal(ordered_weighted_average(values, np.array([1.0, 0, 0])), values.max(axis=1))
    assert np.array_equal(ordered_weighted_average(values, np.array([0, 0, 1.0])), values.min(axis=1))


@given(matrices(3), st.integers(0, 10**6))
def test_both_integrals_lie_between_the_least_and_the_greatest_value(values, seed):
    measure = monotone_measure(np.random.default_rng(seed), 3)
    for integral in (choquet_integral(values, measure), sugeno_integral(values, measure)):
        assert (integral >= values.min(axis=1) - 1e-12).all()
        assert (integral <= values.max(axis=1) + 1e-12).all()


@given(matrices(3), st.integers(0, 10**6), st.integers(0, 2), shares)
def test_no_integral_falls_when_a_value_rises(values, seed, attribute, rise):
    measure = monotone_measure(np.random.default_rng(seed), 3)
    higher = values.copy()
    higher[:, attribute] = np.maximum(higher[:, attribute], rise)
    assert (choquet_integral(higher, measure) >= choquet_integral(values, measure) - 1e-12).all()
    assert (sugeno_integral(higher, measure) >= sugeno_integral(values, measure) - 1e-12).all()


@given(shares, st.integers(1, 5), st.integers(0, 10**6))
def test_equal_values_are_kept(value, d, seed):
    rows = np.full((1, d), value)
    measure = monotone_measure(np.random.default_rng(seed), d)
    assert choquet_integral(rows, measure) == pytest.approx([value])
    assert sugeno_integral(rows, measure) == pytest.approx([value])


def test_the_sugeno_integral_refuses_values_off_its_scale():
    with pytest.raises(ValueError, match=r"0\.\.1"):
        sugeno_integral(np.array([[2.0, 0.5]]), np.array([0, 0.5, 0.5, 1]))


def test_a_quantifier_has_a_positive_exponent():
    with pytest.raises(ValueError, match="positive"):
        power(0)


@pytest.mark.parametrize(
    "text", ["owa(0.5)", "owa(linear+0.3+0.8)", "choquet(at-least+0.5)", "sugeno(smooth+0.2+0.9)", "sugeno(2)"]
)
def test_every_quantifier_can_be_written_in_a_recipe(text):
    assert str(converted(text, Operator)) == text


def test_at_least_half_is_the_upper_median_and_at_least_all_the_minimum():
    values = np.array([[4.0, 1, 3, 2]])
    assert OrderedWeightedAverage(AtLeast(0.5))(values) == pytest.approx([3])
    assert OrderedWeightedAverage(AtLeast(1))(values) == pytest.approx([1])
    assert ChoquetIntegral(Linear(0, 0.5))(values) == pytest.approx([3.5])  # the mean of the two largest


def test_an_unknown_quantifier_is_refused_with_the_known_ones():
    for arguments in (["most"], ["most", "0.3"]):
        with pytest.raises(ValueError, match="linear"):
            Operator.from_arguments("owa", arguments)


def test_a_row_with_a_missing_value_has_no_integral():
    values, measure = np.array([[0.5, np.nan], [0.5, 0.5]]), np.array([0, 0.5, 0.5, 1])
    for integral in (choquet_integral(values, measure), sugeno_integral(values, measure)):
        assert np.isnan(integral[0]) and integral[1] == pytest.approx(0.5)


def test_a_measure_on_other_attributes_is_refused():
    with pytest.raises(ValueError, match="4 weights, not 8"):
        choquet_integral(np.zeros((1, 2)), np.zeros(8))
