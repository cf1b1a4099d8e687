"""Fuzzy c-regression models: by hand, limits, and the objective."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.fuzzy.c_regression import c_regression


def two_lines(seed: int = 1, records: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Records on y = 2 x + 1 and on y = 10 − x, and which."""
    rng = np.random.default_rng(seed)
    x, line = rng.uniform(0, 10, records), rng.integers(0, 2, records)
    return x, np.where(line == 0, 2 * x + 1, 10 - x), line


def test_two_exact_lines_are_found_from_a_start_with_errors():
    x, y, line = two_lines()
    start = line.copy()
    start[:8] = 1 - start[:8]
    found = c_regression(x[:, None], y, start, 1.5)
    assert found.coefficients[:, :, 0] == pytest.approx(np.array([[1.0, 2.0], [10.0, -1.0]]), abs=1e-5)
    assert np.array_equal(found.memberships(x[:, None], y).argmax(axis=1), line)


def test_one_model_is_ordinary_regression_whatever_the_fuzziness():
    rng = np.random.default_rng(2)
    x = rng.standard_normal((40, 3))
    y = x @ rng.standard_normal((3, 2)) + rng.standard_normal((40, 2))
    ordinary = np.linalg.lstsq(np.column_stack([np.ones(40), x]), y, rcond=None)[0]
    for m in (1, 1.5, 2, np.inf):
        found = c_regression(x, y, np.zeros(40, dtype=int), m)
        assert found.coefficients[0] == pytest.approx(ordinary, abs=1e-8)
        assert found.predictions(x)[:, 0] == pytest.approx(np.column_stack([np.ones(40), x]) @ ordinary, abs=1e-7)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.3, 2.0, 3.0]))
def test_the_objective_never_rises(seed, m):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((50, 2)), rng.standard_normal(50)
    found = c_regression(x, y, rng.integers(0, 3, 50), m, weights=rng.uniform(0, 2, 50), max_rounds=30)
    assert (np.diff(found.objective) <= 1e-9 * found.objective[0]).all()


def test_more_models_fit_better():
    rng = np.random.default_rng(3)
    x = rng.uniform(-3, 3, 200)
    y = np.sin(2 * x)
    errors = []
    for models in (1, 2, 4):
        labels = np.minimum(((x + 3) / 6 * models).astype(int), models - 1)
        errors.append(c_regression(x[:, None], y, labels, 1.2).objective[-1])
    assert errors == sorted(errors, reverse=True)


def test_too_many_models_and_missing_values_are_refused():
    with pytest.raises(ValueError, match="ask for at most 2 models"):
        c_regression(np.arange(4.0), np.arange(4.0), np.array([0, 1, 2, 0]))
    with pytest.raises(ValueError, match="missing"):
        c_regression(np.array([0.0, np.nan]), np.arange(2.0), np.zeros(2, dtype=int))
