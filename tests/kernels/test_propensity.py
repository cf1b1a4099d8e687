"""Propensities: by the conditions that a fit of greatest penalised likelihood meets, trees by their leaves."""

import numpy as np
import pytest
from scipy.special import expit

from sdckit.kernels.propensity import (
    expected_when_synthesised,
    propensities,
    propensity_mean_squared_error,
    tree_propensities,
)

SHRINKAGE = 1e-6


def pairs_of_files():
    for seed in range(24):
        rng = np.random.default_rng(seed)
        columns = int(rng.integers(1, 4))
        one, other = (rng.integers(0, 4, (int(rng.integers(2, 9)), columns)).astype(float) for _ in range(2))
        if seed % 4 == 1:
            other += 5  # perfectly separable
        if seed % 4 == 2:
            one[:, 0] = other[:, 0] = 0.1  # constant
        if seed % 4 == 3:
            one[0, 0] = 1e4  # a far outlier
        yield one, other


def test_the_fit_meets_the_conditions_of_greatest_likelihood():
    for one, other in pairs_of_files():
        found = propensities(one, other)
        assert found.shape == (len(one) + len(other),) and ((found > 0) & (found < 1)).all()
        residual = found - np.repeat([0.0, 1.0], [len(one), len(other)])
        rows = np.concatenate([one, other])
        rows = rows[:, rows.max(axis=0) > rows.min(axis=0)]
        rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
        design = np.column_stack([np.ones(len(rows)), rows])
        logit = np.log(found) - np.log1p(-found)
        exact = np.sqrt(found * (1 - found))  # near 0 and 1 a probability has few digits
        weights = np.linalg.lstsq(exact[:, None] * design, exact * logit, rcond=None)[0]
        assert expit(design @ weights) == pytest.approx(found, abs=1e-9)  # nothing but the columns matters
        assert residual.mean() == pytest.approx(0, abs=1e-9)
        assert rows.T @ residual / len(rows) == pytest.approx(-SHRINKAGE * weights[1:], abs=1e-9)


def test_without_any_column_that_varies_it_is_the_share():
    assert propensities(np.full((3, 2), 0.1), np.full((1, 2), 0.1)) == pytest.approx(np.full(4, 0.25))


def test_a_column_varies_if_it_does_beyond_rounding():
    one, other = np.array([[0.1 + 0.2], [0.3]]), np.array([[0.3], [0.3]])
    assert propensities(one, other) == pytest.approx(np.full(4, 0.5))
    assert propensities(np.full((3, 1), 1e-9), np.full((3, 1), 2e-9))[0] < 0.01


def test_a_leaf_gives_the_share_of_its_rows_that_are_of_the_other_file():
    one, other = np.array([[0.0], [0.0], [5.0]]), np.array([[0.0], [5.0], [9.0]])
    third = pytest.approx(1 / 3)
    assert tree_propensities(one, other, 1).tolist() == [third, third, 0.5, third, 0.5, 1]
    assert tree_propensities(one, other, 2).tolist() == [
        third,
        third,
        pytest.approx(2 / 3),
        third,
        *[pytest.approx(2 / 3)] * 2,
    ]
    assert tree_propensities(one, other, 4).tolist() == [0.5] * 6


def test_the_mean_squared_error_and_its_expectation_by_hand():
    assert propensity_mean_squared_error(np.array([0.2, 0.5, 0.8]), 0.5) == pytest.approx(0.06)
    assert propensity_mean_squared_error(np.array([0.1, 0.1]), 0.4) == pytest.approx(0.09)
    assert expected_when_synthesised(3, 0.2, 10) == pytest.approx(3 * 0.64 * 0.2 / 10)
