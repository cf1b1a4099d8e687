"""Populations drawn from each model, a sample of them, and the estimates from the sample."""

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import binom, nbinom

from sdckit.kernels.population_models import (
    Pitman,
    fit_pitman,
    fit_shifted_negative_binomial,
    minimised,
    pitman_log_likelihood,
    spectrum,
    zayatz,
)


def sizes(labels):
    counts = np.bincount(labels)
    return counts[counts > 0]


def pitman_population(records, discount, strength, rng):
    """Persons come one by one and open a class or join one, as the partition says."""
    labels, size, classes = np.zeros(records, dtype=np.int64), np.zeros(records), 1
    size[0] = 1
    for person in range(1, records):
        if rng.random() < (strength + classes * discount) / (strength + person):
            labels[person] = classes
            classes += 1
        else:
            label = labels[rng.integers(person)]
            while rng.random() < discount / size[label]:
                label = labels[rng.integers(person)]
            labels[person] = label
        size[labels[person]] += 1
    return labels


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_pitman_finds_the_uniques_of_its_own_population(share):
    rng = np.random.default_rng(7)
    population = pitman_population(40_000, 0.4, 100.0, rng)
    truth = (sizes(population) == 1).sum()
    sample = spectrum(sizes(population[rng.random(len(population)) < share]))
    assert fit_pitman(sample).uniques(len(population)) == pytest.approx(truth, rel=0.3)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.7])
def test_the_shifted_negative_binomial_finds_the_uniques_of_its_own_population(share):
    rng = np.random.default_rng(8)
    population = np.repeat(np.arange(20_000), 1 + rng.negative_binomial(0.5, 0.1, 20_000))
    truth = (sizes(population) == 1).sum()
    sample = spectrum(sizes(population[rng.random(len(population)) < share]))
    fitted = fit_shifted_negative_binomial(sample, len(population))
    assert fitted.uniques == pytest.approx(truth, rel=0.15)
    assert fitted.classes == pytest.approx(20_000, rel=0.1)


def test_zayatz_is_near_in_a_large_sample_and_too_high_in_a_small_one():
    rng = np.random.default_rng(9)
    population = np.repeat(np.arange(20_000), 1 + rng.negative_binomial(0.5, 0.1, 20_000))
    truth = (sizes(population) == 1).sum()
    large, small = (spectrum(sizes(population[rng.random(len(population)) < share])) for share in (0.7, 0.02))
    assert zayatz(large, len(population)) == pytest.approx(truth, rel=0.1)
    assert zayatz(small, len(population)) > 2 * truth


def test_zayatz_by_hand():
    sample = spectrum(np.array([1, 1, 2]))  # 4 of 8 persons, p1 = 2/3, p2 = 1/3
    truly = (2 / 3) * 0.5 / ((2 / 3) * 0.5 + (1 / 3) * 2 * 0.5 * 0.5)
    assert zayatz(sample, 8) == pytest.approx(truly * 2 / 0.5)


def test_a_census_has_the_uniques_that_are_seen():
    sample = spectrum(np.array([1, 1, 1, 2, 5]))
    assert zayatz(sample, 10) == pytest.approx(3)


def test_the_likelihood_is_the_product_of_the_steps_by_which_the_partition_grows():
    discount, strength = 0.3, 2.0
    classes = [3, 1, 2]
    steps, people = 0.0, 0
    for opened, size in enumerate(classes):
        for already in range(size):
            if people:
                weight = strength + opened * discount if already == 0 else already - discount
                steps += np.log(weight / (strength + people))
            people += 1
    assert pitman_log_likelihood(spectrum(np.array(classes)), discount, strength) == pytest.approx(steps)


def test_the_fit_is_a_maximum_of_the_likelihood():
    sample = spectrum(np.array([1] * 40 + [2] * 12 + [3] * 5 + [9, 14]))
    best = fit_pitman(sample)
    top = pitman_log_likelihood(sample, *best)
    for discount in np.linspace(0.02, 0.98, 25):
        for strength in np.geomspace(0.01, 1e4, 40):
            assert pitman_log_likelihood(sample, discount, strength) <= top + 1e-6


def test_the_expected_uniques_of_pitman_tend_to_the_printed_limit():
    expected = Pitman(0.4, 50.0).uniques(1e7)
    assert expected == pytest.approx(np.exp(gammaln(51) - gammaln(50.4)) * 1e7**0.4, rel=1e-4)


def test_all_unique_and_all_in_one_class_are_limits():
    unique, together = spectrum(np.ones(50, dtype=np.int64)), spectrum(np.array([50]))
    assert fit_pitman(unique).uniques(500) == pytest.approx(500, rel=0.01)
    assert fit_pitman(together).uniques(500) < 1
    assert fit_shifted_negative_binomial(unique, 500).uniques == pytest.approx(500, rel=0.01)
    assert zayatz(together, 500) == 0


PARTITIONS = {(4,): 1, (3, 1): 4, (2, 2): 3, (2, 1, 1): 6, (1, 1, 1, 1): 1}  # of four persons


@pytest.mark.parametrize(("discount", "strength"), [(0.3, 2.0), (0.7, 0.4), (0.0, 3.0), (0.5, -0.2)])
def test_pitmans_uniques_are_those_of_all_partitions(discount, strength):
    """The formula is the product of the steps but for a constant, which the sum over all partitions gives."""
    weights = {
        sizes: number * np.exp(pitman_log_likelihood(spectrum(np.array(sizes)), discount, strength))
        for sizes, number in PARTITIONS.items()
    }
    total = sum(weights.values())
    expected = sum(weight * sizes.count(1) for sizes, weight in weights.items()) / total
    assert total == pytest.approx(1)
    assert Pitman(discount, strength).uniques(4) == pytest.approx(expected)
    assert Pitman(discount, strength).uniques(1) == pytest.approx(1)


def test_a_spectrum_counts_classes_records_and_uniques():
    sample = spectrum(np.array([3, 1, 1, 2, 3, 1]))
    assert sample.sizes.tolist() == [1, 2, 3] and sample.classes.tolist() == [3, 1, 2]
    assert sample.records == 11 and sample.uniques == 3
    assert spectrum(np.array([2, 5])).uniques == 0


def test_zayatz_is_the_share_of_uniques_among_the_classes_drawn_once():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        classes = rng.integers(1, 4, int(rng.integers(1, 8)))
        population = float(classes.sum() * rng.choice([1, 2, 10]))
        share = classes.sum() / population
        once = sum(size * share * (1 - share) ** (size - 1) for size in classes)
        uniques = (classes == 1).sum()
        expected = (uniques * share / once) * uniques / share if uniques else 0.0
        assert zayatz(spectrum(classes), population) == pytest.approx(min(expected, population))


def shifted(sample, share, shape, probability):
    """The log-likelihood of the sizes sampled of classes of 1 + G persons, by summing over these."""
    further = np.arange(400)
    law = nbinom.pmf(further, shape, probability)
    of_size = [float(law @ binom.pmf(size, 1 + further, share)) for size in (0, *sample.sizes)]
    return float(sample.classes @ np.log(np.array(of_size[1:]) / (1 - of_size[0]))), 1 - of_size[0]


@pytest.mark.parametrize("classes", [[1, 1, 1, 2, 2, 3, 7], [1] * 6 + [2] * 5 + [3] * 2])
@pytest.mark.parametrize("times", [0.5, 1.0, 4.0])
def test_no_shifted_negative_binomial_nearby_fits_better(classes, times):
    sample = spectrum(np.array(classes))
    share = min(1 / times, 1.0)
    found = fit_shifted_negative_binomial(sample, times * sample.records)
    best, seen = shifted(sample, share, found.shape, found.probability)
    assert found.classes == pytest.approx(len(classes) / seen, rel=1e-4)
    assert found.uniques == pytest.approx(found.classes * nbinom.pmf(0, found.shape, found.probability))
    for factor in (0.8, 0.97, 1.03, 1.25):
        odds = factor * found.probability / (1 - found.probability)
        for shape in (found.shape, 0.05, 0.5, 5.0, 50.0):
            assert shifted(sample, share, shape, odds / (1 + odds))[0] <= best + 1e-7
        assert shifted(sample, share, factor * found.shape, found.probability)[0] <= best + 1e-7


def test_the_least_cost_is_found_inside_bounds_and_at_them():
    def cost(point):
        return float((point[0] - 1) ** 2 + 3 * (point[1] + 2) ** 2)

    assert minimised(cost, (0.0, 0.0), [(-5.0, 5.0), (-5.0, 5.0)]) == pytest.approx([1, -2], abs=1e-6)
    assert minimised(cost, (9.0, 9.0), [(2.0, 5.0), (-1.0, 5.0)]) == pytest.approx([2, -1], abs=1e-6)
