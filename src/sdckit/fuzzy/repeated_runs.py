"""Repeated runs of a clustering from different starts, against local minima."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.clusters import Clusters, Iteration
from sdckit.fuzzy.starts import distant_records


def repeated_runs(
    clustering: Clustering,
    points: NDArray[np.float64],
    clusters: int,
    runs: int,
    rng: np.random.Generator,
    **how: Unpack[Iteration],
) -> list[Clusters]:
    """The clusters found from several starts of distant records, the lowest objective first.

    Example
    -------
    >>> from sdckit.fuzzy.clusterings import FuzzyCMeans
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> best, *others = repeated_runs(FuzzyCMeans(2), points, 2, 5, np.random.default_rng(1))
    >>> np.sort(best.centres.ravel()).round(2)
    array([0.5, 9.5])
    """
    starts = [distant_records(points, clusters, rng, how.get("weights")) for _ in range(runs)]
    return runs_from(clustering, points, starts, **how)


def runs_from(
    clustering: Clustering,
    points: NDArray[np.float64],
    starts: Sequence[NDArray[np.float64]],
    **how: Unpack[Iteration],
) -> list[Clusters]:
    """The clusters found from these starts, the lowest objective first, in order of the starts where equal."""
    found = [clustering.fit(points, start, **how) for start in starts]
    return sorted(found, key=lambda each: float(each.objective[-1]))
