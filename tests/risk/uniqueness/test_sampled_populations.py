"""Journalist and marketer risk of samples with weights, from populations that are known.

Every population is sampled many times; the truth of each sample is counted in the population. Of 100 intervals at 95 %
at least 88 cover the truth, three binomial deviations below the nominal number.
"""

import numpy as np
import polars as pl
import pytest
from tests.conftest import columns, reference_file

from sdckit import Microdata, Release, build

KEYS_OF = {
    "adult": (
        ("age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"),
        ("age", "sex", "race", "marital-status"),
        ("age", "native-country"),
        ("age", "sex"),
    ),
    "eusilc": (("age", "rb090", "db040", "pl030"), ("age", "rb090", "db040", "pl030", "pb220a", "hsize")),
}
REPETITIONS, FEWEST_COVERED = 100, 88


def sample_of(keys: np.ndarray, chosen: np.ndarray, weights: np.ndarray) -> Release:
    """Some persons of a population, with weights."""
    names = [f"key{column}" for column in range(keys.shape[1])]
    frame = pl.DataFrame({name: keys[chosen, j].astype(str) for j, name in enumerate(names)} | {"w": weights})
    data = Microdata.from_frame(frame, roles=dict.fromkeys(names, "key") | {"w": "weight"})
    return Release.in_order(data, data)


def class_sizes(keys: np.ndarray) -> np.ndarray:
    """How many persons have the keys of each one."""
    _, of, sizes = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    return sizes[of.ravel()]


def coverage(keys, probabilities, repetitions, seed=1):
    """How often the intervals cover the truth, and how often the journalist's figure is at least the truth."""
    rng = np.random.default_rng(seed)
    sizes = class_sizes(keys)
    covered = sound = 0
    for _ in range(repetitions):
        chosen = np.flatnonzero(rng.random(len(keys)) < probabilities)
        release = sample_of(keys, chosen, 1 / probabilities[chosen])
        marketer, journalist = (build("risk", name).measure(release) for name in ("marketer-risk", "journalist-risk"))
        truth = 1 / sizes[chosen]
        covered += marketer.interval[0] <= truth.mean() <= marketer.interval[1]
        sound += journalist.value >= truth.max() - 1e-12
    return covered, sound


def codes_of(table, names):
    return np.column_stack([np.unique(table[name], return_inverse=True)[1] for name in names])


def geometric_keys(rng):
    return np.column_stack([np.minimum(rng.geometric(0.3, 6000), 20) for _ in range(3)])


def independent_cells(rng):
    return rng.integers(0, 8, (6000, 3))


def heavy_tail(rng):
    return np.minimum(rng.zipf(1.5, 6000), 10**6)[:, None]


def few_alone(rng):
    """Nine tenths share few combinations of keys, and one tenth are alone with theirs."""
    return np.where(rng.random(6000) < 0.1, rng.integers(100, 10**6, 6000), rng.integers(0, 50, 6000))[:, None]


def few_in_small_towns(rng):
    ages = np.clip(rng.normal(45, 20, 6000).astype(int), 0, 99)
    return np.column_stack([np.minimum(rng.zipf(1.2, 6000), 800), ages])


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("population", [few_alone, few_in_small_towns])
def test_intervals_cover_the_truth_of_populations_that_no_model_fits(population, share):
    keys = population(np.random.default_rng(2))
    covered, sound = coverage(keys, np.full(len(keys), share), 30)
    assert min(covered, sound) >= 25


def test_a_few_persons_alone_among_many_are_seen():
    keys = few_alone(np.random.default_rng(6))
    covered, sound = coverage(keys, np.full(len(keys), 0.2), 3)
    assert (covered, sound) == (3, 3)


def test_a_figure_of_the_model_outside_of_what_is_possible_is_moved_to_its_end():
    rng = np.random.default_rng(6)
    keys = np.concatenate([few_alone(rng) + 10**7 * part for part in range(4)])
    chosen = np.arange(0, len(keys), 4)
    score = build("risk", "marketer-risk").measure(sample_of(keys, chosen, np.full(len(chosen), 4.0)))
    assert score.value >= score.interval[0] > max(score.details["by_model"].values())
    assert score.by_record.mean() == pytest.approx(score.value)
    assert (score.by_record <= 1 / class_sizes(keys[chosen]) + 1e-12).all()


@pytest.mark.slow
@pytest.mark.parametrize("population", [geometric_keys, independent_cells, heavy_tail])
def test_intervals_cover_the_truth_of_simulated_populations(population):
    keys = population(np.random.default_rng(2))
    covered, sound = coverage(keys, np.full(len(keys), 0.05), REPETITIONS)
    assert min(covered, sound) >= FEWEST_COVERED


@pytest.mark.slow
def test_intervals_cover_the_truth_where_weights_differ():
    rng = np.random.default_rng(3)
    keys = geometric_keys(rng)
    covered, sound = coverage(keys, np.where(rng.random(len(keys)) < 0.3, 0.12, 0.04), REPETITIONS)
    assert min(covered, sound) >= FEWEST_COVERED


@pytest.mark.slow
@pytest.mark.parametrize(("file", "names"), [(file, names) for file, sets in KEYS_OF.items() for names in sets])
def test_intervals_cover_the_truth_of_real_populations(file, names):
    keys = codes_of(columns(reference_file("data", f"{file}.csv")), names)
    covered, sound = coverage(keys, np.full(len(keys), 0.05), REPETITIONS)
    assert min(covered, sound) >= FEWEST_COVERED


def test_a_sparse_sample_is_no_longer_taken_for_safe():
    """All 2,000 persons differ; by total weight each of the 100 sampled ones would be one of 20."""
    keys = np.arange(2000)[:, None]
    chosen = np.arange(0, 2000, 20)
    release = sample_of(keys, chosen, np.full(100, 20.0))
    marketer, journalist = (build("risk", name).measure(release) for name in ("marketer-risk", "journalist-risk"))
    assert marketer.details["by_total_weight"] == pytest.approx(0.05)
    assert marketer.value > 0.9
    assert marketer.interval[0] <= 1 <= marketer.interval[1]
    assert journalist.value == 1


def test_weights_of_one_leave_nothing_to_estimate():
    release = sample_of(np.array([[1], [1], [2]]), np.arange(3), np.ones(3))
    assert build("risk", "marketer-risk").measure(release).by_record.tolist() == [0.5, 0.5, 1]


def test_figures_by_record_are_the_law_that_the_details_name():
    from scipy.stats import nbinom

    keys = geometric_keys(np.random.default_rng(5))
    release = sample_of(keys, np.arange(0, 6000, 20), np.full(300, 20.0))
    score = build("risk", "marketer-risk").measure(release)
    frequency = class_sizes(keys[np.arange(0, 6000, 20)])
    odds = 19 * 300 / (300 + score.details["strength"])
    further = np.arange(20_000)
    for record in (0, 7, 50):
        law = nbinom.pmf(further, frequency[record] - score.details["discount"], 1 / (1 + odds))
        assert score.by_record[record] == pytest.approx((law / (frequency[record] + further)).sum(), rel=1e-6)
