"""Repeated measurements of one unit as a series: a distance of levels and of changes (Möller-Levet and others 2003).

With a share s of the changes, two series are at the squared distance (1 − s) Σ (x − y)² + s Σ (Δx − Δy)². It is that of
points with levels and changes as coordinates, so that any fuzzy clustering clusters series.
"""

import numpy as np
from numpy.typing import NDArray


def series_points(series: NDArray[np.float64], change_share: float) -> NDArray[np.float64]:
    """Levels times √(1 − s) and changes between consecutive measurements times √s; a missing value stays missing.

    >>> series_points(np.array([[1.0, 3.0, 2.0]]), 0.0)
    array([[1., 3., 2.]])
    """
    if not 0 <= change_share < 1:
        raise ValueError(f"the share of changes is at least 0 and below 1, not {change_share:g}")
    if change_share == 0 or series.shape[1] < 2:
        return np.asarray(series, dtype=np.float64)
    return np.column_stack([np.sqrt(1 - change_share) * series, np.sqrt(change_share) * np.diff(series, axis=1)])


def series_of(points: NDArray[np.float64], measurements: int, change_share: float) -> NDArray[np.float64]:
    """The series of points as `series_points` makes them."""
    if change_share == 0 or measurements < 2:
        return points
    return np.asarray(points[:, :measurements] / np.sqrt(1 - change_share), dtype=np.float64)
