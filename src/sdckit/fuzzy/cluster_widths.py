"""How wide clusters are: the mean distance of records to centres, and the weighted mean square of each cluster."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import exponent_of, squared_distances
from sdckit.fuzzy.clusters import CELLS, Clusters, row_blocks
from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks


def mean_distance(
    points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> float:
    """The mean distance over all pairs of a record and a centre."""
    total = count = 0.0
    for block, distance in distance_blocks(points, centres):
        share = np.ones(len(distance)) if weights is None else weights[block]
        known = ~np.isnan(distance[:, 0])
        total += float(share[known] @ np.sqrt(distance[known]).sum(axis=1))
        count += float(share[known].sum()) * len(centres)
    return total / count if count else 0.0


def mean_squares(
    points: NDArray[np.float64], found: Clusters, fuzziness: float, weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Σ u^m D / Σ u^m for each cluster of a fuzzy c-means: its mean square; in logarithms, so that any m is possible.

    A cluster without any distance or without records has the least positive mean square of the others, else 1.
    """
    squares, totals = np.full(len(found.centres), -np.inf), np.full(len(found.centres), -np.inf)
    with np.errstate(divide="ignore"):
        for block, distance in distance_blocks(points, found.centres):
            degrees = np.nan_to_num(found.memberships(points[block]))
            share = np.ones(len(degrees)) if weights is None else weights[block]
            logs = exponent_of(fuzziness) * np.log(degrees) + np.log(share)[:, None]
            totals = np.logaddexp(totals, np.logaddexp.reduce(logs, axis=0))
            squares = np.logaddexp(squares, np.logaddexp.reduce(logs + np.log(np.nan_to_num(distance)), axis=0))
    widths = np.exp(squares - np.where(totals > -np.inf, totals, 0.0))
    positive = widths > 0
    return np.where(positive, widths, widths[positive].min() if positive.any() else 1.0)


def distance_blocks(
    points: NDArray[np.float64], centres: NDArray[np.float64]
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """The squared distances of points to centres, a block of points at a time; NaN for a point without any value."""
    columns = np.ascontiguousarray(centres.T, dtype=np.float64)
    for block in row_blocks(len(points), max(CELLS // len(centres), 1)):
        yield block, _distances_of(np.ascontiguousarray(points[block], dtype=np.float64), columns)


def _distances_of(points: NDArray[np.float64], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    distance = np.empty((len(points), columns.shape[1]))
    over_row_blocks(len(points), lambda start, stop: _distances(points, columns, start, stop, distance))
    return distance


@njit(cache=True, nogil=True)
def _distances(
    points: NDArray[np.float64], columns: NDArray[np.float64], start: int, stop: int, distance: NDArray[np.float64]
) -> None:
    for k in range(start, stop):
        squared_distances(points[k], columns, distance[k])
