"""Possibilistic-fuzzy c-means: centres follow memberships and typicalities, each with its own weight.

The objective is Σ (a u^m + b t^η) D + Σ γ Σ (1 − t)^η, with memberships u as in fuzzy c-means and typicalities t as in
possibilistic c-means: outliers count little, and clusters do not coincide (Pal, Pal, Keller and Bezdek 2005).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import FuzzyRule, c_means
from sdckit.fuzzy.closeness import add_weighted, check_fuzziness, closeness_of, exponent_of, power_of, workspace_of
from sdckit.fuzzy.cluster_widths import mean_squares
from sdckit.fuzzy.clusters import Adjust, Block, Clusters, Sums, add_blocks, alternate, totals_rows
from sdckit.fuzzy.possibilistic_c_means import PossibilisticRule, checked_widths, influences_of, typicalities_of
from sdckit.kernels.compiled import njit

LARGEST = 300.0  # of both exponents: beyond, memberships are equal but for rounding; infinity says so


@dataclass(frozen=True, eq=False)
class PossibilisticFuzzyRule:
    """Memberships with exponent `fuzziness` and weight a, typicalities with exponent `typicality` and weight b."""

    fuzziness: float
    typicality: float
    widths: NDArray[np.float64]
    shares: tuple[float, float]

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ (a u^m + b t^η) and Σ (a u^m + b t^η) x for each centre, and the objective."""
        columns, rows = np.ascontiguousarray(centres.T), totals_rows(points)
        powers = power_of(self.fuzziness), power_of(self.typicality)
        exponents = exponent_of(self.fuzziness), exponent_of(self.typicality)

        def block(start: int, stop: int) -> Block:
            return _sums(points, columns, weights, self.widths, self.shares, powers, exponents, rows, start, stop)

        return add_blocks(len(points), block)

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre, as in fuzzy c-means; rows sum to 1."""
        return FuzzyRule(self.fuzziness).memberships(points, centres)

    def typicalities(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """How typical each point is of each cluster, from 0 to 1."""
        widths = self.widths / self.shares[1] if self.shares[1] > 0 else self.widths
        return PossibilisticRule(self.typicality, widths).memberships(points, centres)


def possibilistic_fuzzy_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    typicality: float = 2.0,
    widths: NDArray[np.float64] | None = None,
    *,
    shares: tuple[float, float] = (1.0, 1.0),
    weights: NDArray[np.float64] | None = None,
    tolerance: float = 1e-6,
    max_rounds: int = 300,
    adjust: Adjust | None = None,
) -> Clusters:
    """Possibilistic-fuzzy c-means from initial centres.

    Parameters
    ----------
    typicality: the exponent η of the typicalities
    widths: γ, the squared width of each cluster; by default the mean squares of the clusters of fuzzy c-means, from
        whose centres the clustering then starts
    shares: the weights a of the memberships and b of the typicalities; (1, 0) is fuzzy c-means
    """
    for name, exponent in (("fuzziness", fuzziness), ("typicality", typicality)):
        check_fuzziness(exponent, name)
        if LARGEST < exponent < np.inf:
            raise ValueError(f"the {name} is at most {LARGEST:g}, or infinite for equal degrees, not {exponent:g}")
    if min(shares) < 0 or max(shares) <= 0:
        raise ValueError(f"the weights of memberships and typicalities are not negative, and not both 0, not {shares}")
    if widths is None:
        plain = c_means(
            points, centres, fuzziness, weights=weights, tolerance=tolerance, max_rounds=max_rounds, adjust=adjust
        )
        centres, widths = plain.centres, mean_squares(points, plain, fuzziness, weights)
    rule = PossibilisticFuzzyRule(
        fuzziness, typicality, checked_widths(widths, len(centres)), (float(shares[0]), float(shares[1]))
    )
    return alternate(points, centres, rule, weights=weights, tolerance=tolerance, max_rounds=max_rounds, adjust=adjust)


@njit(cache=True, nogil=True)
def _sums(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    widths: NDArray[np.float64],
    shares: tuple[float, float],
    powers: tuple[float, float],
    exponents: tuple[float, float],
    rows: int,
    start: int,
    stop: int,
) -> Block:
    d, c = columns.shape
    totals, sums = np.zeros((rows, c)), np.zeros((d, c))
    workspace, degree, typicality = workspace_of(c), np.empty(c), np.empty(c)
    influence, raised = np.empty(c), np.empty(c)
    reach = widths / shares[1] if shares[1] > 0 else widths
    objective = 0.0
    for k in range(start, stop):
        near = closeness_of(points[k], columns, powers[0], np.inf, workspace, degree)
        if weights[k] == 0 or np.isnan(near.scale):
            continue
        typicalities_of(workspace.distance, reach, powers[1], workspace.kept, typicality)
        if 0 < powers[0] < np.inf:  # u^m = (D_min / D)^p · (D_min / D) / S^m
            scale = shares[0] * near.total ** -exponents[0]
            for i in range(c):
                influence[i] = degree[i] * workspace.ratio[i] * scale
        else:
            for i in range(c):
                influence[i] = shares[0] * degree[i] / near.total
        part = 0.0
        for i in range(c):
            part += influence[i] * workspace.distance[i]
        if shares[1] > 0:
            part += influences_of(
                workspace.distance, widths, shares[1], exponents[1], typicality, workspace.kept, raised
            )
            for i in range(c):
                influence[i] += raised[i]
        factor = weights[k] * near.scale
        for i in range(c):
            influence[i] *= factor
        objective += weights[k] * part
        add_weighted(points[k], influence, totals, sums)
    return totals, sums, objective
