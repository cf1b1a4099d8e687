"""Class sizes of the population: against sums over the law, the sampling formula and simulated populations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import nbinom

from sdckit.kernels.individual_risk import individual_risks
from sdckit.kernels.population_classes import (
    LIMITED,
    MANY,
    ClassModel,
    expected_inverse_size,
    fit,
    log_likelihood,
    mean_inverse,
    smallest_size,
)
from sdckit.kernels.population_models import pitman_log_likelihood, spectrum


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.floats(0.01, 50), st.floats(-3, 0.99))
def test_the_expected_inverse_is_the_sum_over_the_law(frequency, odds, discount):
    further = np.arange(30_000)
    law = nbinom.pmf(further, frequency - discount, 1 / (1 + odds))
    found = expected_inverse_size(np.array([frequency]), np.array([odds]), discount)[0]
    assert found == pytest.approx((law / (frequency + further)).sum(), rel=1e-6)


def test_without_discount_and_strength_it_is_the_individual_risk():
    frequency, total = np.array([1, 1, 2, 5, 40]), np.array([20.0, 900.0, 84.5, 40.0, 4000.0])
    found = ClassModel("", 0.0, 0.0).expected_inverse(frequency, total / frequency, 100)
    assert found == pytest.approx(individual_risks(frequency, total), rel=1e-9)


def test_a_sample_of_everybody_is_its_own_population():
    assert ClassModel("", 0.5, 10.0).expected_inverse(np.array([1, 4]), 1.0, 9.0).tolist() == [1, 0.25]


def test_more_discount_means_smaller_classes():
    means = [expected_inverse_size(np.array([1.0]), np.array([19.0]), discount)[0] for discount in (-2, 0, 0.5, 0.9)]
    assert means == sorted(means)


def test_the_sampling_formula_sums_to_one_over_all_partitions():
    """Of four records: 1 partition of one class, 4 + 3 of two, 6 of three, 1 of four."""
    partitions = {(4,): 1, (3, 1): 4, (2, 2): 3, (2, 1, 1): 6, (1, 1, 1, 1): 1}
    for discount, strength in ((0.4, 1.3), (-0.5, 3.0)):
        total = 0.0
        for sizes, number in partitions.items():
            distinct, classes = np.unique(np.array(sizes, dtype=float), return_counts=True)
            total += number * np.exp(
                log_likelihood(distinct, classes.astype(float), np.array(discount), np.array(strength))
            )
        assert total == pytest.approx(1, rel=1e-9)
    sample = spectrum(np.array([3, 1, 1, 2, 1]))
    gap = [
        pitman_log_likelihood(sample, *each)
        - log_likelihood(sample.sizes.astype(float), sample.classes.astype(float), *map(np.array, each))
        for each in ((0.4, 1.3), (0.7, 20.0))
    ]
    assert gap[0] == pytest.approx(gap[1])


def test_the_smallest_class_is_where_an_enumeration_of_the_law_puts_it():
    model, frequency, classes = ClassModel("", 0.3, 5.0), np.array([2.0, 3.0]), np.array([4.0, 1.0])
    success = 1 / (1 + model.odds(10.0, 11.0))
    for probability in (0.025, 0.5, 0.975):
        size = smallest_size(model, frequency, classes, np.array([10.0, 10.0]), 11.0, probability)
        none = [np.prod((1 - nbinom.cdf(k - frequency, frequency - 0.3, success)) ** classes) for k in (size - 1, size)]
        assert 1 - none[0] < probability <= 1 - none[1]


def partition(records, discount, strength, rng):
    """A population drawn from the model, person by person."""
    counts, labels = [], []
    for person in range(records):
        if rng.random() * (person + strength) < strength + discount * len(counts):
            counts.append(0)
            labels.append(len(counts) - 1)
        else:
            weights = np.cumsum(np.array(counts) - discount)
            labels.append(int(np.searchsorted(weights, rng.random() * weights[-1])))
        counts[labels[-1]] += 1
    return np.array(labels)


def test_parameters_are_recovered_from_a_file_drawn_from_the_model():
    rng = np.random.default_rng(4)
    labels = partition(3000, 0.6, 30.0, rng)
    sample = spectrum(np.bincount(labels))
    found = fit(MANY, sample.sizes.astype(float), sample.classes.astype(float))
    assert found.model.discount == pytest.approx(0.6, abs=0.06)
    assert min(model.discount for model in found.not_rejected) < 0.6 < max(m.discount for m in found.not_rejected)
    cells = spectrum(np.bincount(rng.integers(0, 200, 3000)))
    limited = fit(LIMITED, cells.sizes.astype(float), cells.classes.astype(float))
    assert limited.model.strength / -limited.model.discount == pytest.approx(200, rel=0.02)  # the number of classes
    assert limited.log_likelihood > fit(MANY, cells.sizes.astype(float), cells.classes.astype(float)).log_likelihood


@pytest.mark.parametrize("sizes", [[1] * 50, [50], [1], [2, 1], [1, 1, 400]])
def test_extreme_samples_have_an_interval_inside_what_is_possible(sizes):
    estimate = mean_inverse(spectrum(np.array(sizes)), 1000.0)
    low, high = estimate.interval
    assert 0 < low <= high <= len(sizes) / sum(sizes) + 1e-12


@pytest.mark.parametrize("frequency", [[1.0, 3.0], [7.0, 2.0, 2.0], [4.0]])
def test_a_sample_of_everybody_has_its_own_smallest_class(frequency):
    sizes = np.array(frequency)
    found = smallest_size(ClassModel("", 0.3, 5.0), sizes, np.ones(len(sizes)), np.ones(len(sizes)), sizes.sum(), 0.5)
    assert found == min(frequency)
