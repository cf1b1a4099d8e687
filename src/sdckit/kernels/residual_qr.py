"""Residuals of a linear regression in QR form: y = fitted + Q R, with Q orthonormal and orthogonal to the predictors.

Whatever orthonormal Q′ that is orthogonal to the predictors takes the part of Q, the coefficients of the regression
and the covariances of its residuals stay the same: so do all means and covariances of predictors and outcomes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DEPENDENT = 1e-10  # share of a column's own length that the columns before it leave unexplained, at least
WELL_CONDITIONED = 1e-4  # share from which on the quick orthogonalisation is as exact as the slow one


@dataclass(frozen=True, eq=False)
class ResidualQR:
    """The regression of outcomes on an intercept and predictors.

    `fitted`      fitted values (records, outcomes)
    `span`        orthonormal basis of the centred predictors (records, rank of the predictors)
    `orthogonal`  Q: orthonormal basis of the residuals (records, rank of the residuals)
    `triangular`  R: the residuals are Q R
    """

    fitted: Floats
    span: Floats
    orthogonal: Floats
    triangular: Floats

    @property
    def residuals(self) -> Floats:
        """The residuals of the outcomes."""
        return self.orthogonal @ self.triangular

    @property
    def covariances(self) -> Floats:
        """The covariances of the residuals, with the number of records in the denominator."""
        return self.triangular.T @ self.triangular / len(self.fitted)

    @property
    def rank(self) -> int:
        """The number of residual dimensions."""
        return int(self.orthogonal.shape[1])

    def residualised(self, drawn: Floats, *, also: Floats | None = None) -> Floats:
        """Draws without the part that intercept and predictors explain, or that another basis does."""
        rest = drawn - drawn.mean(axis=0)
        for _ in range(2):  # once more removes what rounding left
            for basis in (self.span, also):
                if basis is not None and basis.shape[1]:
                    rest -= basis @ (basis.T @ rest)
            rest -= rest.mean(axis=0)
        return np.asarray(rest, dtype=np.float64)

    def basis_of(self, drawn: Floats, *, also: Floats | None = None) -> Floats:
        """An orthonormal basis, column by column, of draws that are residualised first; they are independent."""
        rest = self.residualised(drawn, also=also)
        quick = _quick(rest)
        if quick is not None:
            return quick[0]
        q, r = np.linalg.qr(rest)
        return np.asarray(q * np.where(np.diag(r) < 0, -1.0, 1.0), dtype=np.float64)


def residual_qr(outcomes: Floats, predictors: Floats) -> ResidualQR:
    """The regression of each column of outcomes on an intercept and the predictors, which may be dependent."""
    span, _ = orthonormal(_centred(predictors))
    rest = _centred(outcomes)
    length = np.sqrt((rest**2).sum(axis=0))
    for _ in range(2):
        rest -= span @ (span.T @ rest)
    rest -= rest.mean(axis=0)
    rest[:, np.sqrt((rest**2).sum(axis=0)) <= DEPENDENT * length] = 0.0
    orthogonal, triangular = orthonormal(rest)
    return ResidualQR(outcomes - rest, span, orthogonal, triangular)


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
    if not columns.size:
        return np.empty((len(columns), 0)), np.empty((0, columns.shape[1]))
    length = np.sqrt((columns**2).sum(axis=0))
    if columns.shape[1] > len(columns) or not length.all():
        return None
    unit = columns / length
    first = _cholesky(unit)
    if first is None:
        return None
    q = _divided(unit, first)
    second = _cholesky(q)
    return None if second is None else (_divided(q, second), (second @ first) * length)


def _cholesky(columns: Floats) -> Floats | None:
    """The upper triangular R with Rᵀ R the products of the columns; None where they are near to dependent."""
    try:
        upper = np.asarray(np.linalg.cholesky(columns.T @ columns).T, dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return upper if np.diag(upper).min() > WELL_CONDITIONED else None


def _divided(columns: Floats, upper: Floats) -> Floats:
    """The columns times the inverse of an upper triangular matrix, which is well conditioned."""
    return np.asarray(columns @ np.triu(np.linalg.inv(upper)), dtype=np.float64)


def _centred(columns: Floats) -> Floats:
    """The deviations from the means; exactly zero for a constant column."""
    if not len(columns):
        return columns
    deviations = columns - columns[0]
    deviations = deviations - deviations.mean(axis=0)
    constant = (columns == columns[0]).all(axis=0)
    deviations[:, constant] = 0.0
    return np.asarray(deviations, dtype=np.float64)
