"""Means, covariances and correlations: against sums over the observed pairs, and the shapes of stacks."""

import numpy as np
import pytest

from sdckit.kernels.moments import (
    correlations,
    deviation_products,
    means_and_covariances,
    means_and_deviations,
    nearest_correlation,
    square_root,
    variances_only,
    with_variances,
    with_variances_divided,
)


def tables(holes):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 4, (rng.integers(1, 7), rng.integers(1, 4))).astype(float)
        values[rng.random(values.shape) < holes] = np.nan
        yield values


@pytest.mark.parametrize("holes", [0.0, 0.3, 1.0])
def test_means_and_covariances_are_those_of_the_observed_values(holes):
    for values in tables(holes):
        means, covariances = means_and_covariances(values)
        same_means, deviations = means_and_deviations(values)
        for j, column in enumerate(values.T):
            seen = column[~np.isnan(column)]
            assert means[j] == same_means[j] == pytest.approx(sum(seen) / len(seen) if len(seen) else 0.0)
            assert deviations[:, j] == pytest.approx(np.where(np.isnan(column), 0.0, column - means[j]), abs=1e-14)
            for k, other in enumerate(values.T):
                both = [(a - means[j]) * (b - means[k]) for a, b in zip(column, other, strict=True) if a + b == a + b]
                assert covariances[j, k] == pytest.approx(sum(both) / max(len(both) - 1, 1), abs=1e-13)


@pytest.mark.parametrize("first", [0.1, np.nan])
def test_a_constant_column_varies_by_exactly_nothing(first):
    values = np.full((7, 1), 0.1)
    values[0] = first
    means, covariances = means_and_covariances(values)
    assert means.tolist() == [0.1] and covariances.tolist() == [[0.0]]


def test_correlations_by_hand_and_none_with_a_constant():
    covariances = np.array([[4.0, 3.0, 0.0], [3.0, 9.0, 0.0], [0.0, 0.0, 0.0]])
    assert deviation_products(covariances).tolist() == [[4, 6, 0], [6, 9, 0], [0, 0, 0]]
    assert correlations(covariances).tolist() == [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 0]]


def test_the_square_root_times_its_transpose_is_the_matrix_without_negative_eigenvalues():
    proper = np.array([[4.0, 1.0], [1.0, 3.0]])
    root = square_root(proper)
    assert root @ root.T == pytest.approx(proper)
    impossible = np.array([[1.0, 2.0], [2.0, 1.0]])  # eigenvalues 3 and -1, of (1, 1) and (1, -1)
    root = square_root(impossible)
    assert root @ root.T == pytest.approx(np.full((2, 2), 1.5))


def test_the_nearest_correlations_have_a_diagonal_of_one_whatever_it_was():
    assert nearest_correlation(np.array([[7.0, 0.3], [0.3, 0.0]])) == pytest.approx(np.array([[1, 0.3], [0.3, 1]]))
    assert nearest_correlation(np.array([[1.0, 2.0], [2.0, 1.0]])) == pytest.approx(np.ones((2, 2)))


def test_diagonals_of_a_matrix_and_of_a_stack_by_hand():
    matrix = np.array([[4.0, 1.0], [2.0, 6.0]])
    before = matrix.copy()
    assert with_variances(matrix, np.array([8.0, 9.0])).tolist() == [[8, 1], [2, 9]]
    assert with_variances_divided(matrix, 2.0).tolist() == [[2, 1], [2, 3]]
    stack = np.stack([matrix, 10 * matrix, 100 * matrix])
    assert with_variances_divided(stack, 2.0).tolist() == [
        [[2, 1], [2, 3]],
        [[20, 10], [20, 30]],
        [[200, 100], [200, 300]],
    ]
    assert np.array_equal(variances_only(matrix), np.array([[4.0, np.nan], [np.nan, 6.0]]), equal_nan=True)
    assert np.array_equal(variances_only(stack)[2], np.array([[400.0, np.nan], [np.nan, 600.0]]), equal_nan=True)
    assert np.array_equal(matrix, before)
