"""Permanents and matching shares against all permutations, one by one."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.permanents import log_means, log_permanents, permanents_and_shares

entries = st.one_of(st.just(-np.inf), st.floats(-30, 5))


def all_ways(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """The permanent and the shares, by trying every permutation."""
    members = len(matrix)
    total, shares = 0.0, np.zeros((members, members))
    for order in permutations(range(members)):
        weight = float(np.exp(sum(matrix[row, column] for row, column in enumerate(order))))
        total += weight
        for row, column in enumerate(order):
            shares[row, column] += weight
    return total, shares / total if total else shares


@given(st.integers(1, 5).flatmap(lambda members: arrays(float, (3, members, members), elements=entries)))
def test_they_are_the_sum_over_all_permutations(log_weights):
    with np.errstate(divide="ignore"):
        found, shares = permanents_and_shares(log_weights)
        assert (log_permanents(log_weights) == found).all()
        for matrix, one, share in zip(log_weights, found, shares, strict=True):
            total, expected = all_ways(matrix)
            assert one == pytest.approx(np.log(total), abs=1e-9) if total else np.isneginf(one)
            np.testing.assert_allclose(share, expected, atol=1e-9)


def test_two_by_two_by_hand():
    weights = np.log([[[0.9, 0.1], [0.5, 0.5]]])
    assert np.exp(log_permanents(weights)).tolist() == pytest.approx([0.9 * 0.5 + 0.1 * 0.5])
    assert permanents_and_shares(weights)[1][0, 0].tolist() == pytest.approx([0.9, 0.1])


def test_members_of_a_large_group_are_independent_of_each_other():
    mean, shares = log_means(np.log([[[0.9, 0.1], [0.5, 0.5]]]))
    assert np.exp(mean).tolist() == pytest.approx([0.25])
    np.testing.assert_allclose(shares[0], [[0.9, 0.1], [0.5, 0.5]])


def test_means_and_shares_of_rows_are_those_of_their_entries():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        log_weights = rng.normal(size=(3, 2, int(rng.integers(1, 5)))) * 20
        log_weights[rng.random(log_weights.shape) < 0.3] = -np.inf
        means, shares = log_means(log_weights)
        for matrix, mean, share in zip(np.exp(log_weights), means, shares, strict=True):
            rows = matrix.mean(axis=1)
            assert mean == pytest.approx(np.log(rows).sum() if rows.all() else -np.inf)
            for row, of_row in zip(matrix, share, strict=True):
                assert of_row == pytest.approx(row / row.sum() if row.any() else np.zeros(len(row)))
