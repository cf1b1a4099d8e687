"""Initial centres of a clustering: drawn among the records, far from each other (k-means++)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.cluster_widths import distance_blocks


def distant_records(
    points: NDArray[np.float64],
    clusters: int,
    rng: np.random.Generator,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """k-means++: each centre is a record drawn with probability proportional to its squared distance to those before.

    A missing value of a drawn record is the mean of its attribute. A file with too few distinct records repeats some.
    """
    if clusters > len(points):
        raise ValueError(
            f"{len(points)} records cannot make {clusters} clusters; ask for at most {len(points)} clusters"
        )
    share = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=np.float64)
    observed = ~np.isnan(points)
    means = np.where(observed, points, 0.0).sum(axis=0) / np.maximum(observed.sum(axis=0), 1)
    filled = np.where(observed, points, means)
    share = np.where(observed.any(axis=1), share, 0.0)
    chosen = np.empty(clusters, dtype=np.int64)
    nearest = np.ones(len(points))
    for number in range(clusters):
        odds = np.cumsum(share * nearest)
        if odds[-1] > 0:
            chosen[number] = min(np.searchsorted(odds, rng.random() * odds[-1], side="right"), len(points) - 1)
        else:
            chosen[number] = rng.integers(len(points))
        distance = np.concatenate([part[:, 0] for _, part in distance_blocks(points, filled[chosen[number]][None])])
        nearest = np.nan_to_num(distance if number == 0 else np.minimum(nearest, distance))
    return np.asarray(filled[chosen], dtype=np.float64)
