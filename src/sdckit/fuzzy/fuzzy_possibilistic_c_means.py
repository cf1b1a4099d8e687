"""Fuzzy possibilistic c-means: memberships that sum to 1 for each record, typicalities that do for each cluster.

The objective is Σ (u^m + t^η) D with Σ u = 1 over the clusters of a record and Σ t = 1 over the records of a cluster
(Pal, Pal and Bezdek 1997). In a file of n records typicalities are about 1 / n, so that with many records the result is
close to that of fuzzy c-means; this is a known weakness of the method.
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import FuzzyRule, memberships_raised
from sdckit.fuzzy.closeness import LARGEST, check_fuzziness, exponent_of, power_of, raise_to, workspace_of
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate
from sdckit.fuzzy.strips import Accumulator, Sums, in_blocks, strips, total_sums
from sdckit.kernels.compiled import njit


@dataclass(frozen=True)
class FuzzyPossibilisticRule:
    """Memberships as in fuzzy c-means, and typicalities as shares of each cluster.

    With D_min the least distance of a cluster to any record, t = (D_min / D)^q / S with S = Σ (D_min / D)^q over the
    records: what a cluster has of Σ t^η x is divided by S^η after all records have been added.
    """

    fuzziness: float
    typicality: float

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ (u^m + t^η) and Σ (u^m + t^η) x for each centre, and the objective."""
        columns, missing = np.ascontiguousarray(centres.T), bool(np.isnan(points).any())
        power, exponent = power_of(self.fuzziness), exponent_of(self.fuzziness)
        least = least_distances(points, columns, weights)

        def block(start: int, stop: int) -> tuple[Accumulator, Accumulator, NDArray[np.float64]]:
            fuzzy, typical = Accumulator(columns, missing), Accumulator(columns, missing)
            shares, work = np.zeros((2, len(centres))), np.empty((2, 0, 0))
            for strip in strips(points, columns, weights, start, stop):
                if work.shape[1] < len(strip.distance):
                    work = np.empty((2, *strip.distance.shape))
                raised, relative = work[:, : len(strip.distance)]
                parts = _raised(strip.distance, power, exponent, raised)
                _relative(strip.distance, least, power_of(self.typicality), strip.weights, relative, shares)
                fuzzy.add(strip, raised, parts)
                typical.add(strip, relative, np.zeros(len(parts)))
            return fuzzy, typical, shares

        found = in_blocks(len(points), block)
        shares, costs = np.sum([each[2] for each in found], axis=0)
        scale = np.where(shares > 0, shares, np.inf) ** -exponent_of(self.typicality)
        one, other = total_sums([each[0] for each in found]), total_sums([each[1] for each in found])
        return Sums(
            one.totals + scale[:, None] * other.totals,
            one.sums + scale[:, None] * other.sums,
            one.objective + float(scale @ costs),
        )

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre, as in fuzzy c-means; rows sum to 1."""
        return FuzzyRule(self.fuzziness).memberships(points, centres)

    def typicalities(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """How typical each of all points is of each cluster; with weights, columns sum to 1."""
        points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
        weights = np.ones(len(points)) if weights is None else weights
        least, exponent = least_distances(points, columns, weights), exponent_of(self.typicality)
        degrees, shares = np.full((len(points), len(centres)), np.nan), np.zeros((2, len(centres)))
        for strip in strips(points, columns, weights, 0, len(points)):
            own = np.empty(strip.distance.shape)
            _relative(strip.distance, least, power_of(self.typicality), strip.weights, own, shares)
            degrees[strip.rows] = np.where(np.isnan(strip.scale)[:, None], np.nan, own ** (1 / exponent))
        return np.asarray(degrees / shares[0], dtype=np.float64)


def fuzzy_possibilistic_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    typicality: float = 2.0,
    **how: Unpack[Iteration],
) -> Clusters:
    """Fuzzy possibilistic c-means from initial centres, iterated as `Iteration` says.

    `typicality` (η) is the exponent of the typicalities. Exponents are 1 (crisp) to 300, or infinite (all degrees
    equal).

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> fuzzy_possibilistic_c_means(points, np.array([[0.4], [9.6]]), 2).centres.ravel().round(3)
    array([0.499, 9.501])
    """
    check_fuzziness(fuzziness, largest=LARGEST)
    check_fuzziness(typicality, "typicality", LARGEST)
    return alternate(points, centres, FuzzyPossibilisticRule(fuzziness, typicality), **how)


def least_distances(
    points: NDArray[np.float64], columns: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Of each cluster the least squared distance of a record that counts."""

    def block(start: int, stop: int) -> NDArray[np.float64]:
        least = np.full(columns.shape[1], np.inf)
        for strip in strips(points, columns, weights, start, stop):
            _lower(strip.distance, strip.weights, least)
        return least

    return np.asarray(np.min(in_blocks(len(points), block), axis=0), dtype=np.float64)


@njit(cache=True, nogil=True)
def _lower(distance: NDArray[np.float64], weights: NDArray[np.float64], least: NDArray[np.float64]) -> None:
    for k in range(len(distance)):
        if weights[k] > 0:
            for i in range(len(least)):
                least[i] = min(least[i], distance[k, i])


@njit(cache=True, nogil=True, error_model="numpy")
def _raised(
    distance: NDArray[np.float64], power: float, exponent: float, raised: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Fill u^m of some records; returns Σ u^m D of each."""
    parts, workspace = np.zeros(len(distance)), workspace_of(distance.shape[1])
    for k in range(len(distance)):
        parts[k] = memberships_raised(distance[k], power, exponent, np.inf, workspace, raised[k])
    return parts


@njit(cache=True, nogil=True, error_model="numpy")
def _relative(
    distance: NDArray[np.float64],
    least: NDArray[np.float64],
    power: float,
    weights: NDArray[np.float64],
    relative: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> None:
    """Fill (t S)^η of some records, and add t S and (t S)^η D to the shares and costs of the clusters."""
    c = len(least)
    ratio = np.empty(c)
    for k in range(len(distance)):
        own = relative[k]
        for i in range(c):
            ratio[i] = 1.0 if distance[k, i] <= least[i] else least[i] / distance[k, i]
        if power == 0:
            own[:] = 1.0
        elif np.isinf(power):
            for i in range(c):
                own[i] = 1.0 if ratio[i] == 1.0 else 0.0
        else:
            raise_to(ratio, power, own)
        if weights[k] > 0:
            for i in range(c):
                shares[0, i] += weights[k] * own[i]
        if power > 0 and not np.isinf(power):  # (t S)^η = (D_min / D)^q · (D_min / D)
            for i in range(c):
                own[i] *= ratio[i]
        if weights[k] > 0:
            for i in range(c):
                shares[1, i] += weights[k] * own[i] * distance[k, i]
