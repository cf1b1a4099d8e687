"""Class sizes of the population: against sums over the law, the sampling formula and simulated populations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
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
from sdckit.kernels.population_models import Spectrum, pitman_log_likelihood, spectrum
from sdckit.kernels.possible_populations import PossiblePopulations


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


def test_odds_are_the_surplus_weight_at_the_strength_of_the_model():
    model = ClassModel("", 0.3, 6.0)
    assert model.odds(5.0, 18.0) == pytest.approx(4 * 18 / 24)
    assert model.odds(np.array([0.5, 1.0, 3.0]), 6.0) == pytest.approx([0, 0, 1])


@pytest.mark.parametrize("odds", [0.0, 1e-10, 1e-8, 1e-3, 1e3, 1e6])
@pytest.mark.parametrize("frequency", [1.0, 2.0, 60.0])
def test_the_expected_inverse_from_no_further_member_to_very_many(frequency, odds):
    """Between 1/f of nobody else and, for one record without discount, log(1 + c) / c."""
    found = expected_inverse_size(np.array([frequency, 1.0]), np.array([odds, odds]), 0.0)
    expected = np.log1p(odds) / odds if odds else 1.0
    assert found[1] == pytest.approx(expected, rel=1e-7)
    assert 0 < found[0] <= 1 / frequency
    if odds <= 1e-8:
        assert found[0] == pytest.approx(1 / frequency, rel=1e-6)
    if frequency == 2 and odds >= 1e-3:  # ∫ v / (1 + c (1−v))² dv
        assert found[0] == pytest.approx(1 / odds - np.log1p(odds) / odds**2, rel=1e-6)


def test_parameters_of_both_families_are_on_scales_without_bounds():
    points = np.array([[0.0, 0.0], [1.0, 2.0], [-8.0, 8.0]])
    discount, strength = MANY.parameters(points, 7.0)
    assert discount == pytest.approx(expit(points[:, 0]))
    assert strength + discount == pytest.approx(np.exp(points[:, 1]))
    discount, strength = LIMITED.parameters(points, 7.0)
    assert -discount == pytest.approx(np.exp(points[:, 0]))
    assert strength / -discount == pytest.approx(7 * (1 + np.exp(points[:, 1])))  # more classes than were seen


SAMPLE = np.array([1.0, 2.0, 3.0, 9.0]), np.array([30.0, 12.0, 5.0, 1.0])


@pytest.mark.parametrize("family", [MANY, LIMITED])
def test_no_model_of_the_family_fits_better_and_all_near_ones_are_kept(family):
    sizes, classes = SAMPLE
    found = fit(family, sizes, classes)
    assert found.model.name == family.name
    grid = np.stack(np.meshgrid(np.linspace(-7, 7, 57), np.linspace(-7, 11, 73)), axis=-1).reshape(-1, 2)
    with np.errstate(all="ignore"):
        likelihood = log_likelihood(sizes, classes, *family.parameters(grid, classes.sum()))
    assert np.nanmax(likelihood) <= found.log_likelihood + 1e-5
    own = log_likelihood(sizes, classes, np.array(found.model.discount), np.array(found.model.strength))
    assert own == pytest.approx(found.log_likelihood)
    kept = np.array([model[1:] for model in found.not_rejected])
    assert (log_likelihood(sizes, classes, *kept.T) >= found.log_likelihood - 1.92 - 1e-9).all()
    kept = kept[:-1]  # the last one is the best itself
    if family is MANY:
        points = np.column_stack([logit(kept[:, 0]), np.log(kept.sum(axis=1))])
    else:
        points = np.column_stack([np.log(-kept[:, 0]), np.log(kept[:, 1] / -kept[:, 0] / classes.sum() - 1)])
    inside = grid[likelihood > found.log_likelihood - 1.9]
    for axis, length in enumerate((16.0, 8.0 + family.highest)):
        step = length / 24  # of the finest grid, at most
        assert points[:, axis].min() <= inside[:, axis].min() + step
        assert points[:, axis].max() >= inside[:, axis].max() - step
    alone = fit(family, sizes, classes, region=False)
    assert alone.model == found.model and len(alone.not_rejected) == 1


@pytest.mark.parametrize("population", [30.0, 84.0, 420.0])
def test_the_interval_is_that_of_all_possible_populations_and_their_sampling_error(population):
    sizes, classes = SAMPLE
    sample = Spectrum(sizes.astype(np.int64), classes.astype(np.int64))
    n, largest = float(sizes @ classes), float(classes.sum() / (sizes @ classes))
    weight = max(population / n, 1.0)
    estimate = mean_inverse(sample, population)
    possible = PossiblePopulations(sample, max(population, n))
    low, high = possible.mean_inverse()
    low -= 1.96 * np.sqrt(low * (1 - 1 / weight) / n)
    high += 1.96 * np.sqrt(high * (1 - 1 / weight) / n)
    floor = min(1 / max(population, n), largest)
    assert estimate.interval == pytest.approx((np.clip(low, floor, largest), np.clip(high, floor, largest)))
    assert estimate.largest_minimum == possible.largest_minimum()

    def mean(model):
        return float(classes * sizes @ model.expected_inverse(sizes, weight, n)) / n

    models = [each for found in (estimate.many, estimate.limited) for each in (found.model, *found.not_rejected)]
    means = [mean(model) for model in models]
    assert mean(estimate.lowest) == min(means) and mean(estimate.highest) == max(means)
    assert estimate.many.model.name == MANY.name and estimate.limited.model.name == LIMITED.name
