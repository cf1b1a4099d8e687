"""Possibilistic-fuzzy c-means: centres follow memberships and typicalities, each with its own weight.

The objective is Σ (a u^m + b t^η) D + Σ γ Σ (1 − t)^η, with memberships u as in fuzzy c-means and typicalities t as in
possibilistic c-means: outliers count little, and clusters do not coincide (Pal, Pal, Keller and Bezdek 2005).
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import FuzzyRule, memberships_raised
from sdckit.fuzzy.closeness import LARGEST, check_fuzziness, exponent_of, power_of, workspace_of
from sdckit.fuzzy.cluster_widths import checked_widths, clusters_and_widths
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate
from sdckit.fuzzy.possibilistic_c_means import PossibilisticRule, influences_of, typicalities_of
from sdckit.fuzzy.rules import StripRule
from sdckit.fuzzy.strips import Strip
from sdckit.kernels.compiled import njit


@dataclass(frozen=True, eq=False)
class PossibilisticFuzzyRule(StripRule):
    """Memberships with exponent `fuzziness` and weight a, typicalities with exponent `typicality` and weight b."""

    fuzziness: float
    typicality: float
    widths: NDArray[np.float64]
    shares: tuple[float, float]

    def influences(self, strip: Strip, influence: NDArray[np.float64]) -> NDArray[np.float64]:
        powers = power_of(self.fuzziness), power_of(self.typicality)
        exponents = exponent_of(self.fuzziness), exponent_of(self.typicality)
        return _influences(strip.distance, self.widths, self.shares, powers, exponents, influence)

    def degrees(self, distance: NDArray[np.float64], degrees: NDArray[np.float64]) -> None:
        FuzzyRule(self.fuzziness).degrees(distance, degrees)

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
    **how: Unpack[Iteration],
) -> Clusters:
    """Possibilistic-fuzzy c-means from initial centres, iterated as `Iteration` says.

    Parameters
    ----------
    typicality: the exponent η of the typicalities
    widths: γ, the squared width of each cluster; by default the mean squares of the clusters of fuzzy c-means, from
        whose centres the clustering then starts
    shares: the weights a of the memberships and b of the typicalities; (1, 0) is fuzzy c-means
    """
    check_fuzziness(fuzziness, largest=LARGEST)
    check_fuzziness(typicality, "typicality", LARGEST)
    if min(shares) < 0 or max(shares) <= 0:
        raise ValueError(f"the weights of memberships and typicalities are not negative, and not both 0, not {shares}")
    if widths is None:
        centres, widths = clusters_and_widths(points, centres, fuzziness, **how)
    rule = PossibilisticFuzzyRule(
        fuzziness, typicality, checked_widths(widths, len(centres)), (float(shares[0]), float(shares[1]))
    )
    return alternate(points, centres, rule, **how)


@njit(cache=True, nogil=True)
def _influences(
    distance: NDArray[np.float64],
    widths: NDArray[np.float64],
    shares: tuple[float, float],
    powers: tuple[float, float],
    exponents: tuple[float, float],
    influence: NDArray[np.float64],
) -> NDArray[np.float64]:
    c = len(widths)
    parts, workspace, typicality, raised = np.zeros(len(distance)), workspace_of(c), np.empty(c), np.empty(c)
    reach = widths / shares[1] if shares[1] > 0 else widths
    for k in range(len(distance)):
        own = influence[k]
        part = shares[0] * memberships_raised(distance[k], powers[0], exponents[0], np.inf, workspace, own)
        if shares[0] != 1.0:
            for i in range(c):
                own[i] *= shares[0]
        if shares[1] > 0:
            typicalities_of(distance[k], reach, powers[1], workspace.work, typicality)
            part += influences_of(distance[k], widths, shares[1], exponents[1], typicality, workspace.work, raised)
            for i in range(c):
                own[i] += raised[i]
        parts[k] = part
    return parts
