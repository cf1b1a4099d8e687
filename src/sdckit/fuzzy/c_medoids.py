"""Fuzzy c-medoids: fuzzy c-means whose centres are records (Krishnapuram, Joshi, Nasraoui and Yi 2001).

The best record for a cluster has the least Σ u^m D, D the squared distance to it. As Σ u^m D is the weighted squared
distance to the weighted mean and a constant, it is the record nearest to the mean; none has to be compared with all
others. A centre then has a combination of values that occurs, also of categories.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import FuzzyRule
from sdckit.fuzzy.closeness import check_fuzziness
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate, row_blocks

CELLS = 1 << 22  # pairs of a centre and a record that are compared at a time


@dataclass(frozen=True, eq=False)
class Medoids:
    """The records that may be centres: those with the fewest missing values, which are filled with their means."""

    points: NDArray[np.float64]

    @cached_property
    def candidates(self) -> NDArray[np.float64]:
        """The records, each once."""
        missing = np.isnan(self.points)
        means = np.where(missing, 0.0, self.points).sum(axis=0) / np.maximum((~missing).sum(axis=0), 1)
        fewest = missing.sum(axis=1) == missing.sum(axis=1).min(initial=self.points.shape[1])
        return np.unique(np.where(missing, means, self.points)[fewest], axis=0)

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self.candidates)

    def nearest(self, means: NDArray[np.float64], totals: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The best record for each weighted mean; `totals` are the weights by attribute where values are missing."""
        if totals is None or totals.shape[1] == 1:
            return np.asarray(self.candidates[self._tree.query(means)[1]], dtype=np.float64)
        best = np.empty(means.shape)
        for part in row_blocks(len(means), max(CELLS // len(self.candidates), 1)):
            weights = totals[part] / np.maximum(totals[part].max(axis=1, keepdims=True), np.finfo(float).tiny)
            cost = weights @ (self.candidates**2).T - 2 * (weights * means[part]) @ self.candidates.T
            best[part] = self.candidates[cost.argmin(axis=1)]
        return best


def c_medoids(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float, **how: Unpack[Iteration]
) -> Clusters:
    """Fuzzy c-medoids from initial centres, of which the nearest records are taken; iterated as `Iteration` says.

    Any clustering has medoids for centres with `adjust=Medoids(points).nearest`.

    Example
    -------
    >>> points = np.array([[0.0], [1], [3], [9], [10], [14]])
    >>> c_medoids(points, points[[0, 5]], 1.5).centres.ravel()
    array([ 1., 10.])
    """
    check_fuzziness(fuzziness)
    medoids = Medoids(np.asarray(points, dtype=np.float64))
    start = medoids.nearest(np.asarray(centres, dtype=np.float64))
    return alternate(points, start, FuzzyRule(fuzziness), **how | {"adjust": medoids.nearest})
