"""Possible populations: bounds that hold for every population, checked on populations that are known."""

import numpy as np
import pytest
from scipy.stats import binom

from sdckit.kernels.population_models import Spectrum, spectrum
from sdckit.kernels.possible_populations import PossiblePopulations


def sampled(sizes: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """How many members of each class are in a sample."""
    return rng.binomial(sizes, share)


POPULATIONS = {
    "all alone": np.ones(5000, dtype=int),
    "one size": np.full(250, 20),
    "a few alone among many": np.concatenate([np.ones(500, dtype=int), np.full(75, 60)]),
    "two sizes": np.concatenate([np.full(1000, 2), np.full(30, 100)]),
    "geometric": np.random.default_rng(1).geometric(0.2, 1000),
    "heavy tail": np.minimum(np.random.default_rng(2).zipf(1.8, 1500), 900),
}


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("name", POPULATIONS)
def test_the_truth_lies_between_the_ends(name: str, share: float) -> None:
    sizes = POPULATIONS[name]
    rng = np.random.default_rng(3)
    covered, repetitions = 0, 20
    for _ in range(repetitions):
        drawn = sampled(sizes, share, rng)
        truth = (drawn / sizes).sum() / drawn.sum()
        low, high = PossiblePopulations(spectrum(drawn[drawn > 0]), float(sizes.sum())).mean_inverse()
        error = 1.96 * np.sqrt(truth / drawn.sum())  # of the sampled records about the mean of the population
        covered += low - error <= truth <= high + error
    assert covered >= 17  # three binomial deviations below 95 %


def test_a_larger_sample_leaves_less_open() -> None:
    sizes, rng = POPULATIONS["a few alone among many"], np.random.default_rng(4)
    widths = []
    for share in (0.05, 0.2, 0.5):
        drawn = sampled(sizes, share, rng)
        low, high = PossiblePopulations(spectrum(drawn[drawn > 0]), float(sizes.sum())).mean_inverse()
        widths.append(high - low)
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.parametrize("name", POPULATIONS)
def test_the_smallest_class_is_not_larger_than_what_is_possible(name: str) -> None:
    sizes, rng = POPULATIONS[name], np.random.default_rng(5)
    drawn = sampled(sizes, 0.2, rng)
    assert PossiblePopulations(spectrum(drawn[drawn > 0]), float(sizes.sum())).largest_minimum() >= sizes.min()


def test_of_a_population_of_people_alone_nobody_can_have_a_double() -> None:
    """Pairs would be in a sample of a third together every third time, and none is."""
    sample = spectrum(np.ones(1500, dtype=int))
    assert PossiblePopulations(sample, 4500.0).largest_minimum() == 1


@pytest.mark.parametrize("sizes", [[1], [50], [1] * 50, [2, 1], [1, 1, 400], [7, 7, 7], [100_000, 1]])
@pytest.mark.parametrize("times", [1.01, 3.0, 1000.0])
def test_every_sample_has_ends_inside_what_is_possible(sizes: list[int], times: float) -> None:
    sample: Spectrum = spectrum(np.array(sizes))
    low, high = PossiblePopulations(sample, times * sum(sizes)).mean_inverse()
    assert 0 < low <= high <= 1


def test_by_hand_persons_who_are_alone_are_sampled_alone() -> None:
    """Half of 40,000 persons: of classes of two a third of the sampled would be pairs, and there are none."""
    low, high = PossiblePopulations(Spectrum(np.array([1]), np.array([20_000])), 40_000.0).mean_inverse()
    assert high == pytest.approx(1) and low > 0.99


def test_by_hand_a_census_of_persons_who_are_all_alone() -> None:
    """So many classes of one are too few where the 100 counted are 1.96 deviations above: (100 − m)² = 1.96² m.

    All others live in the largest classes that are tried, of 80.
    """
    low, high = PossiblePopulations(Spectrum(np.array([1]), np.array([100])), 100.0).mean_inverse()
    fewest = min(np.roots([1, -(200 + 1.96**2), 100**2])) / 100
    assert high == pytest.approx(1)
    assert low == pytest.approx(fewest + (1 - fewest) / 80)


@pytest.mark.parametrize("sizes", [[1, 1, 3], [1, 2, 2, 6, 12], [60, 1], [4]])
@pytest.mark.parametrize("times", [1.0, 2.5, 40.0])
def test_classes_are_expected_and_counted_by_groups_of_their_sampled_sizes(sizes: list[int], times: float) -> None:
    possible = PossiblePopulations(spectrum(np.array(sizes)), times * sum(sizes))
    assert possible.share == pytest.approx(1 / times)
    starts = [1, 2, 3, 4, 5, 7, 10, 15, 25, 50]
    starts = starts[: sum(start <= max(sizes) for start in starts) + 1]
    ends = [*starts[1:], np.inf]
    expected, counted = possible._sampled
    assert counted.tolist() == [sum(a <= size < b for size in sizes) for a, b in zip(starts, ends, strict=True)]
    for column, size in enumerate(possible.sizes):
        law = binom.pmf(np.arange(size + 1), size, 1 / times)
        groups = [law[a : None if b == np.inf else int(b)].sum() for a, b in zip(starts, ends, strict=True)]
        assert expected[:, column] == pytest.approx(np.array(groups) / (size / times), abs=1e-9)


def test_sizes_that_are_tried_are_each_up_to_forty_and_then_fewer_up_to_twice_the_largest() -> None:
    tried = PossiblePopulations(spectrum(np.array([1, 1, 30])), 320.0).sizes
    assert tried[:40].tolist() == list(range(1, 41)) and tried[-1] == 320 and (np.diff(tried) > 0).all()
    tried = PossiblePopulations(spectrum(np.array([1, 1, 30])), 3200.0).sizes
    assert tried[:40].tolist() == list(range(1, 41)) and tried[-1] == 3200
    tried = PossiblePopulations(spectrum(np.array([1] * 98 + [2])), 1000.0).sizes
    assert tried[-1] == 80
    assert PossiblePopulations(spectrum(np.array([1, 2])), 3.0).sizes.tolist() == [1, 2, 3]
    assert len(PossiblePopulations(spectrum(np.array([1, 10**4])), 1e9).sizes) == 40 + 100 - 1  # both count 40


def test_where_nothing_agrees_the_tolerance_is_widened_until_something_does() -> None:
    """A census of pairs that weights call a tenth of the population: pairs would rarely be sampled together."""
    possible = PossiblePopulations(spectrum(np.full(400, 2)), 8000.0)
    deviations = possible._deviations
    everybody, nothing = possible.sizes > 0, np.zeros(len(possible.sizes))
    assert possible._least(nothing, everybody, deviations) is not None
    steps = np.log(deviations / 1.96) / np.log(1.5)
    assert steps == pytest.approx(round(steps))
    assert round(steps) == 0 or possible._least(nothing, everybody, deviations / 1.5) is None
