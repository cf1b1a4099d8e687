"""Residuals of a linear regression in QR form: y = fitted + Q R, with Q orthonormal and orthogonal to the predictors.

Whatever orthonormal Q′ that is orthogonal to the predictors takes the part of Q, the coefficients of the regression
and the covariances of its residuals stay the same: so do all means and covariances of predictors and outcomes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.tall_products import inner_products, tall_product

Floats = NDArray[np.float64]

DEPENDENT = 1e-10  # share of a column's own length that the columns before it leave unexplained, at least
WELL_CONDITIONED = 1e-4  # share from which on the quick orthogonalisation is as exact as the slow one


@dataclass(frozen=True, eq=False)
class ResidualQR:
    """The regression of outcomes on an intercept and predictors.

    `fitted`      fitted values (records, outcomes)
    `basis`       orthonormal: first of intercept and predictors (`explained` columns), then Q, of the residuals
    `triangular`  R: the residuals are Q R
    """

    fitted: Floats
    basis: Floats
    explained: int
    triangular: Floats

    @property
    def orthogonal(self) -> Floats:
        """Q: orthonormal basis of the residuals (records, rank of the residuals)."""
        return self.basis[:, self.explained :]

    @property
    def residuals(self) -> Floats:
        """The residuals of the outcomes."""
        return tall_product(self.orthogonal, self.triangular)

    @property
    def covariances(self) -> Floats:
        """The covariances of the residuals, with the number of records in the denominator."""
        return self.triangular.T @ self.triangular / len(self.fitted)

    @property
    def rank(self) -> int:
        """The number of residual dimensions."""
        return int(self.basis.shape[1]) - self.explained

    def residualised(self, drawn: Floats, *, beside_residuals: bool = False) -> Floats:
        """Draws without the part that intercept and predictors explain, and without what the residuals do if asked."""
        taken = self.basis if beside_residuals else self.basis[:, : self.explained]
        return _without(_without(drawn, taken), taken)  # once more removes what rounding left

    def basis_of(self, drawn: Floats, *, beside_residuals: bool = False) -> Floats:
        """An orthonormal basis, column by column, of draws that are residualised first; they are independent."""
        taken = self.basis if beside_residuals else self.basis[:, : self.explained]
        quick = _divided_by_cholesky(_without(drawn, taken))
        again = None if quick is None else _divided_by_cholesky(_without(quick[0], taken))
        if again is not None:
            return again[0]
        q, r = np.linalg.qr(self.residualised(drawn, beside_residuals=beside_residuals))
        return np.asarray(q * np.where(np.diag(r) < 0, -1.0, 1.0), dtype=np.float64)


def residual_qr(outcomes: Floats, predictors: Floats) -> ResidualQR:
    """The regression of each column of outcomes on an intercept and the predictors, which may be dependent."""
    centred = _centred_beside_intercept(predictors, outcomes)
    explained = 1 + predictors.shape[1]
    quick = _quick(centred)
    if quick is None:
        return _rank_revealing(outcomes, centred, explained)
    basis, triangular = quick
    of_residuals = triangular[explained:, explained:]
    return ResidualQR(outcomes - tall_product(basis[:, explained:], of_residuals), basis, explained, of_residuals)


def _rank_revealing(outcomes: Floats, centred: Floats, explained: int) -> ResidualQR:
    """The regression where columns are dependent or nearly so."""
    span, _ = orthonormal(centred[:, :explained])
    rest = centred[:, explained:]
    length = np.sqrt((rest**2).sum(axis=0))
    rest = _without(_without(rest, span), span)
    rest[:, np.sqrt((rest**2).sum(axis=0)) <= DEPENDENT * length] = 0.0
    orthogonal, triangular = orthonormal(rest)
    return ResidualQR(outcomes - rest, np.hstack([span, orthogonal]), span.shape[1], triangular)


def orthonormal(columns: Floats) -> tuple[Floats, Floats]:
    """Q orthonormal and R with columns = Q R; columns that depend on others add nothing to Q.

    The quick way is two rounds of Cholesky on the products of the columns; it is as exact as Householder's where the
    columns are far from dependent, and else the latter is taken, with pivots.
    """
    from scipy.linalg import qr

    quick = _quick(columns)
    if quick is not None:
        return quick
    length = np.sqrt((columns**2).sum(axis=0))
    scale = np.where(length > 0, length, 1.0)
    q, r, order = qr(columns / scale, mode="economic", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(r))
    rank = int((diagonal > DEPENDENT).sum())
    signs = np.where(np.diag(r)[:rank] < 0, -1.0, 1.0)
    triangular = np.empty((rank, columns.shape[1]))
    triangular[:, order] = signs[:, None] * r[:rank]
    return np.asarray(q[:, :rank] * signs, dtype=np.float64), triangular * scale


def _quick(columns: Floats) -> tuple[Floats, Floats] | None:
    """Q and R by two rounds of Cholesky; None where columns are near to dependent."""
    first = _divided_by_cholesky(columns)
    second = None if first is None else _divided_by_cholesky(first[0])
    return None if first is None or second is None else (second[0], second[1] @ first[1])


def _divided_by_cholesky(columns: Floats) -> tuple[Floats, Floats] | None:
    """Columns R⁻¹ and R, where RᵀR are the products of the columns; None where they are near to dependent."""
    if not columns.size:
        return np.empty((len(columns), 0)), np.empty((0, columns.shape[1]))
    products = inner_products(columns, columns)
    length = np.sqrt(np.diag(products))
    if columns.shape[1] > len(columns) or not length.all() or not np.isfinite(length).all():
        return None
    try:
        upper = np.linalg.cholesky(products / np.outer(length, length)).T
    except np.linalg.LinAlgError:
        return None
    if np.diag(upper).min() <= WELL_CONDITIONED:
        return None
    inverse = np.triu(np.linalg.inv(upper)) / length[:, None]
    return tall_product(columns, inverse), np.asarray(upper * length, dtype=np.float64)


def _without(columns: Floats, basis: Floats) -> Floats:
    """The columns without their projections on an orthonormal basis."""
    projections = tall_product(basis, inner_products(basis, columns))
    return np.subtract(columns, projections, out=projections)


def _centred_beside_intercept(predictors: Floats, outcomes: Floats) -> Floats:
    """An intercept of length one, then the deviations from the means; exactly zero for a constant column."""
    records, explained = len(outcomes), 1 + predictors.shape[1]
    columns = np.empty((records, explained + outcomes.shape[1]))
    columns[:, 0] = 1 / np.sqrt(max(records, 1))
    np.subtract(predictors, predictors[:1], out=columns[:, 1:explained])
    np.subtract(outcomes, outcomes[:1], out=columns[:, explained:])
    columns[:, 1:] -= inner_products(columns[:, :1], columns[:, 1:]) * columns[:1, :1]
    return columns
