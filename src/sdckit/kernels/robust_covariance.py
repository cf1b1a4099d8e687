"""Robust centre and covariance: the minimum covariance determinant, from deterministic starts.

Half of the records decide, those whose covariance matrix has the smallest determinant, so that outliers have no
influence. Each start is improved by concentration steps: the half that is nearest to the present estimate gives the
next one, which never increases the determinant (Rousseeuw and Van Driessen 1999). A reweighting step then takes all
records that are no outliers by the raw estimate.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

STEPS = 100  # concentration steps at most; a handful are enough as a rule
OUTLYING = 0.975  # quantile of the χ² distribution of squared distances beyond which a record is an outlier
FEWEST_COMPLETE = 0.2  # share of records without a missing value that is enough for an estimate
FLOOR = 1e-9  # of the largest eigenvalue: a smaller one counts as this, so that constant directions have a distance


class RobustEstimate(NamedTuple):
    """Centre and covariance matrix of the bulk of the records."""

    centre: NDArray[np.float64]
    covariance: NDArray[np.float64]

    def whitened(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The records from the centre, turned and scaled so that their covariance matrix is the identity."""
        scale = np.sqrt(np.diag(self.covariance))
        scale = np.where(scale > 0, scale, 1.0)
        size, axes = np.linalg.eigh(self.covariance / np.outer(scale, scale))
        size = np.maximum(size, max(FLOOR * size[-1], np.finfo(float).tiny))
        return np.asarray((values - self.centre) / scale @ axes / np.sqrt(size))

    def squared_distances(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The squared robust Mahalanobis distance of each record from the centre."""
        return np.asarray((self.whitened(values) ** 2).sum(axis=1))

    def completed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The records with each missing value at what the others lead to expect: then it adds nothing to a distance."""
        result = values.copy()
        absent = np.isnan(values)
        patterns, of = np.unique(absent, axis=0, return_inverse=True)
        for number, holes in enumerate(patterns):
            if holes.any():
                rows, seen = of.ravel() == number, ~holes
                slopes = self.covariance[np.ix_(holes, seen)] @ np.linalg.pinv(self.covariance[np.ix_(seen, seen)])
                expected = self.centre[holes] + (values[np.ix_(rows, seen)] - self.centre[seen]) @ slopes.T
                result[np.ix_(rows, holes)] = expected
        return result


def estimate_of_observed(values: NDArray[np.float64]) -> RobustEstimate:
    """The estimate of records with holes: that of the complete ones, or with medians for holes if these are few."""
    complete = ~np.isnan(values).any(axis=1)
    if complete.all():
        return robust_estimate(values)
    if complete.sum() > max(2 * values.shape[1], FEWEST_COMPLETE * len(values)):
        return robust_estimate(values[complete])
    return robust_estimate(np.where(np.isnan(values), np.nanmedian(values, axis=0), values))


def robust_estimate(values: NDArray[np.float64]) -> RobustEstimate:
    """The reweighted minimum covariance determinant estimate; of few records, the classical one.

    >>> line = np.column_stack([np.arange(40.0), np.arange(40.0) % 7])
    >>> far = np.vstack([line, [[1e6, 1e6]]])
    >>> bool(np.abs(robust_estimate(far).centre).max() < 40)
    True
    """
    from scipy.special import chdtr, chdtri

    records, attributes = values.shape
    scale = _scales(values)
    scaled = values / scale
    half = (records + attributes + 1) // 2
    if records <= 2 * attributes or half >= records:
        return _unscaled(_estimate(scaled), scale)
    found = min((_concentrated(scaled, start, half) for start in _starts(scaled, half)), key=_size)
    median, edge = (float(chdtri(attributes, 1 - share)) for share in (0.5, OUTLYING))
    distances = found.squared_distances(scaled)
    factor = float(np.median(distances) / median)
    inner = distances <= edge * factor if factor > 0 else distances <= np.median(distances)
    reweighted = _estimate(scaled[inner])
    consistent = OUTLYING / chdtr(attributes + 2, edge)
    return _unscaled(RobustEstimate(reweighted.centre, reweighted.covariance * consistent), scale)


def _scales(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The median absolute deviation of each column; where that is 0 the standard deviation, else 1."""
    deviation = np.median(np.abs(values - np.median(values, axis=0)), axis=0)
    scale = np.where(deviation > 0, deviation, values.std(axis=0))
    return np.where(scale > 0, scale, 1.0)


def _starts(scaled: NDArray[np.float64], half: int) -> list[NDArray[np.int64]]:
    """The half nearest to the medians by the sum of squares, and the half nearest by the largest coordinate."""
    gaps = np.abs(scaled - np.median(scaled, axis=0))
    measures = ((gaps**2).sum(axis=1), gaps.max(axis=1))
    return [np.argsort(each, kind="stable")[:half] for each in measures]


def _concentrated(scaled: NDArray[np.float64], start: NDArray[np.int64], half: int) -> RobustEstimate:
    chosen = np.sort(start)
    for _ in range(STEPS):
        distances = _estimate(scaled[chosen]).squared_distances(scaled)
        nearest = np.sort(np.argsort(distances, kind="stable")[:half])
        if np.array_equal(nearest, chosen):
            break
        chosen = nearest
    return _estimate(scaled[chosen])


def _estimate(values: NDArray[np.float64]) -> RobustEstimate:
    centre = values.mean(axis=0)
    gaps = values - centre
    return RobustEstimate(centre, gaps.T @ gaps / max(len(values) - 1, 1))


def _size(estimate: RobustEstimate) -> float:
    """The logarithm of the determinant, with the floor on small eigenvalues."""
    size = np.linalg.eigvalsh(estimate.covariance)
    return float(np.log(np.maximum(size, max(FLOOR * size[-1], np.finfo(float).tiny))).sum())


def _unscaled(estimate: RobustEstimate, scale: NDArray[np.float64]) -> RobustEstimate:
    return RobustEstimate(estimate.centre * scale, estimate.covariance * np.outer(scale, scale))
