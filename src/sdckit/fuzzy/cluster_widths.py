"""How wide clusters are: the mean distance of records to centres, and the weighted mean square of each cluster."""

from collections.abc import Callable, Iterator
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.closeness import exponent_of
from sdckit.fuzzy.clusters import CELLS, Clusters, Iteration, alternate, row_blocks
from sdckit.fuzzy.rules import Metric, Rule
from sdckit.fuzzy.strips import squared_distances
from sdckit.kernels.row_blocks import over_row_blocks

AT_THE_CENTRE = 1e-6  # of a squared width: records nearer than that say nothing of how wide a cluster is


def mean_distance(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    weights: NDArray[np.float64] | None = None,
    metric: Metric | None = None,
) -> float:
    """The mean distance over all pairs of a record and a centre."""
    total = count = 0.0
    for block, distance in distance_blocks(points, centres, metric):
        share = np.ones(len(distance)) if weights is None else weights[block]
        known = ~np.isnan(distance[:, 0])
        total += float(share[known] @ np.sqrt(distance[known]).sum(axis=1))
        count += float(share[known].sum()) * len(centres)
    return total / count if count else 0.0


def mean_squares(
    points: NDArray[np.float64],
    found: Clusters,
    fuzziness: float,
    weights: NDArray[np.float64] | None = None,
    metric: Metric | None = None,
) -> NDArray[np.float64]:
    """Σ u^m D / Σ u^m for each cluster of a fuzzy c-means: its mean square; in logarithms, so that any m is possible.

    A cluster without any distance or without records has the least positive mean square of the others, else 1.
    """
    squares, totals = np.full(len(found.centres), -np.inf), np.full(len(found.centres), -np.inf)
    with np.errstate(divide="ignore"):
        for block, distance in distance_blocks(points, found.centres, metric):
            degrees = np.nan_to_num(found.memberships(points[block]))
            share = np.ones(len(degrees)) if weights is None else weights[block]
            logs = exponent_of(fuzziness) * np.log(degrees) + np.log(share)[:, None]
            totals = np.logaddexp(totals, np.logaddexp.reduce(logs, axis=0))
            squares = np.logaddexp(squares, np.logaddexp.reduce(logs + np.log(np.nan_to_num(distance)), axis=0))
    widths = np.exp(squares - np.where(totals > -np.inf, totals, 0.0))
    positive = widths > 0
    return np.where(positive, widths, widths[positive].min() if positive.any() else 1.0)


def clusters_and_widths(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float, **how: Unpack[Iteration]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The centres of fuzzy c-means and the mean squares of its clusters: where possibilistic clusterings start."""
    plain = c_means(points, centres, fuzziness, **how)
    return plain.centres, mean_squares(points, plain, fuzziness, how.get("weights"), how.get("metric"))


def checked_widths(widths: NDArray[np.float64], clusters: int) -> NDArray[np.float64]:
    """One positive width for each cluster, else a ValueError."""
    widths = np.ascontiguousarray(widths, dtype=np.float64)
    if widths.shape != (clusters,) or not (widths > 0).all():
        raise ValueError(f"widths are positive, one for each of the {clusters} clusters, not {widths}")
    return widths


def with_widths_of_cut(
    found: Clusters,
    points: NDArray[np.float64],
    widths: NDArray[np.float64],
    cut: float,
    rule: Callable[[NDArray[np.float64]], Rule],
    **how: Unpack[Iteration],
) -> Clusters:
    """The clusters after a second pass from these, by `rule` of the widths of the α-cuts; none with a cut of 1."""
    check_cut(cut)
    if cut == 1:
        return found
    widths = cut_squares(points, found, widths, cut, how.get("weights"), how.get("metric"))
    return alternate(points, found.centres, rule(widths), **how)


def check_cut(cut: float) -> None:
    """Refuse a cut outside 0..1."""
    if not 0 <= cut <= 1:
        raise ValueError(f"the cut of the typicalities is between 0 and 1, not {cut:g}; 1 is none")


def cut_squares(
    points: NDArray[np.float64],
    found: Clusters,
    widths: NDArray[np.float64],
    cut: float,
    weights: NDArray[np.float64] | None = None,
    metric: Metric | None = None,
) -> NDArray[np.float64]:
    """The mean squared distance of the records that are typical of a cluster by more than the cut.

    A cluster of which no record is so typical, or only records at its centre, keeps its width.
    """
    totals, squares = np.zeros(len(widths)), np.zeros(len(widths))
    for block, distance in distance_blocks(points, found.centres, metric):
        share = np.ones(len(distance)) if weights is None else np.asarray(weights, dtype=np.float64)[block]
        inside = (found.memberships(points[block]) > cut) * share[:, None]
        totals += inside.sum(axis=0)
        squares += (inside * np.nan_to_num(distance)).sum(axis=0)
    means = squares / np.where(totals > 0, totals, 1.0)
    return np.where(means > AT_THE_CENTRE * widths, means, widths)


def distance_blocks(
    points: NDArray[np.float64], centres: NDArray[np.float64], metric: Metric | None = None
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """The squared distances of points to centres, a block of points at a time; NaN for a point without any value."""
    columns = np.ascontiguousarray(centres.T, dtype=np.float64)
    for block in row_blocks(len(points), max(CELLS // len(centres), 1)):
        part = np.ascontiguousarray(points[block], dtype=np.float64)
        yield block, _distances(part, columns) if metric is None else metric.distances(part, centres)


def _distances(points: NDArray[np.float64], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    distance, scale = np.empty((len(points), columns.shape[1])), np.empty(len(points))

    def fill(start: int, stop: int) -> None:
        squared_distances(points[start:stop], columns, distance[start:stop], scale[start:stop])

    over_row_blocks(len(points), fill)
    return distance
