"""Residuals in QR form: against least squares, with dependent columns, few records and nearly dependent draws."""

import numpy as np
import pytest

from sdckit.kernels import residual_qr as module
from sdckit.kernels.residual_qr import orthonormal, residual_qr


def files():
    """Whole numbers, so that columns are often constant or dependent, with few and with more records."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        records, outcomes, predictors = (int(each) for each in rng.integers([1, 0, 0], [9, 4, 4]))
        yield rng.integers(0, 3, (records, outcomes)) * 1.5, rng.integers(0, 3, (records, predictors)) * 0.7


def beside_intercept(predictors):
    return np.column_stack([np.ones(len(predictors)), predictors])


def test_fitted_values_and_residuals_are_those_of_least_squares():
    for outcomes, predictors in files():
        found = residual_qr(outcomes, predictors)
        design = beside_intercept(predictors)
        fitted = design @ np.linalg.lstsq(design, outcomes, rcond=None)[0]
        residuals = outcomes - fitted
        assert found.fitted == pytest.approx(fitted, abs=1e-12)
        assert found.residuals == pytest.approx(residuals, abs=1e-12)
        assert found.covariances == pytest.approx(residuals.T @ residuals / len(outcomes), abs=1e-12)
        assert found.explained == np.linalg.matrix_rank(design)
        assert found.rank == np.linalg.matrix_rank(residuals, tol=1e-9)
        assert found.orthogonal.shape == (len(outcomes), found.rank)
        assert found.triangular.shape == (found.rank, outcomes.shape[1])
        assert found.basis.T @ found.basis == pytest.approx(np.eye(found.basis.shape[1]), abs=1e-12)
        assert found.orthogonal.T @ design == pytest.approx(np.zeros((found.rank, design.shape[1])), abs=1e-12)


@pytest.mark.parametrize("beside_residuals", [False, True])
def test_draws_lose_what_the_others_explain_and_nothing_else(beside_residuals):
    for seed, (outcomes, predictors) in enumerate(files()):
        found, drawn = residual_qr(outcomes, predictors), np.random.default_rng(seed).normal(size=(len(outcomes), 2))
        others = np.column_stack([beside_intercept(predictors), outcomes]) if beside_residuals else predictors
        others = beside_intercept(others)
        expected = drawn - others @ np.linalg.lstsq(others, drawn, rcond=None)[0]
        assert found.residualised(drawn, beside_residuals=beside_residuals) == pytest.approx(expected, abs=1e-11)


def one_after_the_other(columns):
    """The orthonormal basis of Gram and Schmidt: each column without those before it, at length one."""
    basis = np.empty((len(columns), 0))
    for column in columns.T:
        rest = column - basis @ (basis.T @ column)
        basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return basis


@pytest.mark.parametrize("well_conditioned", [1e-4, 2.0])  # the quick way, and the slow one
@pytest.mark.parametrize("beside_residuals", [False, True])
def test_a_basis_of_draws_is_made_column_by_column(beside_residuals, well_conditioned, monkeypatch):
    monkeypatch.setattr(module, "WELL_CONDITIONED", well_conditioned)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = residual_qr(rng.normal(size=(9, 2)), rng.normal(size=(9, 2)))
        drawn = rng.normal(size=(9, int(rng.integers(1, 4))))
        expected = one_after_the_other(found.residualised(drawn, beside_residuals=beside_residuals))
        assert found.basis_of(drawn, beside_residuals=beside_residuals) == pytest.approx(expected, abs=1e-10)


def test_nearly_dependent_draws_still_have_a_basis():
    rng = np.random.default_rng(2)
    found = residual_qr(rng.normal(size=(30, 1)), rng.normal(size=(30, 1)))
    drawn = rng.normal(size=(30, 2))
    drawn[:, 1] = drawn[:, 0] + 1e-6 * drawn[:, 1]
    basis = found.basis_of(drawn)
    assert basis.T @ basis == pytest.approx(np.eye(2), abs=1e-12)
    assert found.residualised(basis) == pytest.approx(basis, abs=1e-9)  # rounding, times a million
    assert basis == pytest.approx(one_after_the_other(found.residualised(drawn)), abs=1e-6)


@pytest.mark.parametrize("well_conditioned", [1e-4, 2.0])
def test_columns_are_basis_times_triangle(well_conditioned, monkeypatch):
    monkeypatch.setattr(module, "WELL_CONDITIONED", well_conditioned)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        columns = rng.integers(0, 3, rng.integers(1, 6, 2)) * 10.0 ** rng.integers(-6, 7)
        basis, triangular = orthonormal(columns)
        rank = np.linalg.matrix_rank(columns)
        assert basis.shape == (len(columns), rank)
        assert basis.T @ basis == pytest.approx(np.eye(rank), abs=1e-12)
        assert basis @ triangular == pytest.approx(columns, rel=1e-12, abs=1e-12 * columns.max())
        assert (np.diag(basis.T @ columns)[:rank] > 0).all() or rank < columns.shape[1] or well_conditioned > 1


@pytest.mark.parametrize(("share", "rank"), [(0.8e-10, 1), (1.3e-10, 2)])
def test_columns_are_dependent_up_to_a_share_of_their_length(share, rank):
    one, other = np.eye(4)[:2]
    columns = 1e3 * np.column_stack([one, one + share * other])
    assert orthonormal(columns)[0].shape == (4, rank)
    predictor = np.arange(4.0)[:, None]
    apart = np.array([[1.0, -1.0, -1.0, 1.0]]).T / 2  # of length one, without mean and trend
    length = np.linalg.norm(predictor - predictor.mean())
    assert residual_qr(predictor + share * length * apart, predictor).rank == rank - 1


def test_without_columns_the_basis_is_empty():
    assert [each.shape for each in orthonormal(np.empty((4, 0)))] == [(4, 0), (0, 0)]
    found = residual_qr(np.empty((4, 0)), np.empty((4, 0)))
    assert found.explained == 1 and found.rank == 0 and found.basis.tolist() == [[0.5]] * 4
