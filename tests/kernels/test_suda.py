"""The figures of francdat are those that sdcMicro 5.8.1 prints."""

from itertools import chain, combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.suda import (
    data_intrusion_simulation,
    elliot_weight,
    ihsn_weight,
    special_uniques,
    suda_probabilities,
)

FRANCDAT = np.array(
    [(1, 2, 5, 1), (1, 2, 1, 1), (1, 2, 1, 1), (3, 3, 1, 5), (4, 3, 1, 4), (4, 3, 1, 1), (6, 2, 1, 5), (1, 2, 5, 1)]
)


def test_the_scores_of_francdat():
    assert special_uniques(FRANCDAT, elliot_weight, 4).scores.tolist() == [0, 0, 0, 8, 6, 4, 8, 0]


def test_the_scores_of_francdat_in_the_ihsn_variant():
    scores = special_uniques(FRANCDAT, ihsn_weight, 4).scores
    assert scores == pytest.approx([0, 0, 0, 2.25, 1.75, 1.0, 2.25, 0])


def test_the_contributions_of_francdat():
    found = special_uniques(FRANCDAT, elliot_weight, 4)
    assert (found.contributions[3] / found.scores[3]).tolist() == [0.75, 0.25, 0, 0.25]


@pytest.mark.parametrize(
    ("weight", "printed"),
    [
        (elliot_weight, [0.13689132, 0.10096284, 0.06457764, 0.13689132]),
        (ihsn_weight, [0.14281974, 0.10971630, 0.05923498, 0.14281974]),
    ],
)
def test_the_probabilities_of_francdat_to_the_printed_digits(weight, printed):
    file_probability = data_intrusion_simulation(uniques=4, in_pairs=4, share=0.1)
    assert file_probability == pytest.approx(0.1)
    probabilities = suda_probabilities(special_uniques(FRANCDAT, weight, 4).scores, file_probability, keys=4)
    assert probabilities[[3, 4, 5, 6]] == pytest.approx(printed, abs=5e-9)
    assert probabilities[[0, 1, 2, 7]].tolist() == [0, 0, 0, 0]


@given(arrays(np.int32, st.tuples(st.integers(2, 12), st.integers(1, 4)), elements=st.integers(0, 2)))
def test_scores_are_sums_over_the_minimal_sets_of_an_enumeration(codes):
    keys = codes.shape[1]
    sets = list(chain.from_iterable(combinations(range(keys), size) for size in range(1, keys + 1)))
    scores = np.zeros(len(codes))
    for row in range(len(codes)):
        unique = [part for part in sets if (codes[:, part] == codes[row, part]).all(axis=1).sum() == 1]
        minimal = [part for part in unique if not any(set(other) < set(part) for other in unique)]
        scores[row] = sum(factorial(keys - len(part)) for part in minimal)
    assert special_uniques(codes, elliot_weight, keys).scores.tolist() == scores.tolist()


def test_without_uniques_the_probabilities_are_zero():
    assert data_intrusion_simulation(0, 4, 0.1) == 0
    assert suda_probabilities(np.zeros(3), 0.0, 4).tolist() == [0, 0, 0]


def test_in_a_census_a_unique_match_is_correct():
    assert data_intrusion_simulation(4, 4, 1.0) == 1
    assert suda_probabilities(np.array([0.0, 6, 2]), 1.0, 4).tolist() == [0, 1, 1]


def test_a_search_cut_short_misses_only_larger_uniques():
    codes = np.array([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)])
    assert special_uniques(codes, elliot_weight, 1).scores.tolist() == [0, 0, 0, 0, 1]
    assert special_uniques(codes, elliot_weight, 2).scores.tolist() == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("weight", [elliot_weight, ihsn_weight])
def test_everything_about_special_uniques_is_that_of_an_enumeration(weight):
    """With keys that are missing, which are in no set and agree with nothing, and sets up to a largest size."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 3, (int(rng.integers(2, 9)), int(rng.integers(1, 4))))
        keys = codes.shape[1]
        missing = rng.random(codes.shape) < 0.15 if seed % 2 else np.zeros(codes.shape, dtype=bool)
        codes = np.where(missing, 5, codes)
        largest = int(rng.integers(1, keys + 1))
        sets = list(chain.from_iterable(combinations(range(keys), size) for size in range(1, keys + 1)))
        scores, contributions, by_size = np.zeros(len(codes)), np.zeros(codes.shape), np.zeros(keys + 1, dtype=int)
        for row in range(len(codes)):
            unique = [
                part
                for part in sets
                if (codes[:, part] == codes[row, part]).all(axis=1).sum() == 1 and not missing[row, list(part)].any()
            ]
            for part in unique:
                if len(part) <= largest and not any(set(other) < set(part) for other in unique):
                    scores[row] += weight(len(part), keys)
                    contributions[row, list(part)] += weight(len(part), keys)
                    by_size[len(part)] += 1
        found = special_uniques(codes, weight, largest, missing if seed % 2 else None)
        assert found.scores == pytest.approx(scores) and found.contributions == pytest.approx(contributions)
        assert found.by_size.tolist() == by_size.tolist()
        assert (found.unique | (scores == 0)).all() and found.unique.sum() <= by_size.sum()


def test_the_probabilities_by_their_formula_with_any_number_of_uniques():
    """DIS = 0.2 and 5 keys: the exponent is 1.15, and U is as given or the number of scores."""
    scores = np.array([2.0, 0.0, 6.0])
    for uniques in (None, 7):
        u = 2 if uniques is None else uniques
        inverse = sum(score**-1.15 for score in (2.0, 6.0))
        expected = [1 / (1 + (u / 0.2 - u) / (score**1.15 * inverse)) for score in (2.0, 6.0)]
        assert suda_probabilities(scores, 0.2, 5, uniques).tolist() == pytest.approx([expected[0], 0.0, expected[1]])
    assert data_intrusion_simulation(3, 4, 0.25) == pytest.approx(0.75 / (0.75 + 3))
