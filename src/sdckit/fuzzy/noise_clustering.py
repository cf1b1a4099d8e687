"""Noise clustering: fuzzy c-means with a cluster for outliers that is equally far from every record (Davé 1991).

u = D^−p / (Σ D^−p + δ^−2p), p = 1 / (m − 1); what is missing to 1 is the membership in the noise cluster. The objective
is Σ u^m D + Σ u_noise^m δ².
"""

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import FuzzyRule, c_means
from sdckit.fuzzy.closeness import check_fuzziness
from sdckit.fuzzy.cluster_widths import mean_distance
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate


def noise_clustering(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    noise_distance: float | None = None,
    **how: Unpack[Iteration],
) -> Clusters:
    """Noise clustering from initial centres, iterated as `Iteration` says.

    `noise_distance` (δ) is the distance of every record to the noise cluster; by default the mean distance between
    records and centres after fuzzy c-means, from whose centres the clustering then starts. An infinite one is fuzzy
    c-means. Memberships in the centres sum to less than 1.

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10], [100]])
    >>> found = noise_clustering(points, np.array([[0.0], [10.0]]), 2, noise_distance=3)
    >>> (1 - found.memberships(points).sum(axis=1)).round(2)
    array([0.03, 0.03, 0.03, 0.03, 1.  ])
    """
    check_fuzziness(fuzziness)
    if noise_distance is None:
        plain = c_means(points, centres, fuzziness, **how)
        noise_distance = mean_distance(points, plain.centres, how.get("weights"), how.get("metric"))
        centres = plain.centres
    if not noise_distance > 0:
        raise ValueError(f"the distance to the noise cluster is positive, not {noise_distance:g}")
    return alternate(points, centres, FuzzyRule(fuzziness, noise_distance**2), **how)
