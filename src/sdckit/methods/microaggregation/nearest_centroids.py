"""What multivariate microaggregation lets an intruder suppose: a record is in one of the groups nearest to it."""

import numpy as np
from scipy.spatial import cKDTree

from sdckit.candidates import Candidates, Groups
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.standardisation import standardise, standardise_like
from sdckit.microdata import Kind, Microdata

NEAREST = 3  # groups held possible: on the reference files 90 to 99 % of the records are in one of them


def nearest_centroids(known: Candidates, released: Microdata, nearest: int = NEAREST) -> Groups | None:
    """The groups of the nearest centroids, by standardised distance over the attributes known exactly."""
    numeric = released.names(kind=Kind.ORDERED)
    exact = [name for name in numeric if name in known.lower and np.array_equal(known.lower[name], known.upper[name])]
    rows = released.matrix(exact)
    if not exact or np.isnan(rows).any():
        return None
    classes = equal_rows(rows)
    centroids = standardise(rows)[classes.first()]
    points = standardise_like(np.column_stack([known.lower[name] for name in exact]), rows)
    count = min(nearest, len(centroids))
    _, listed = cKDTree(centroids).query(points, k=np.arange(1, count + 1), workers=-1)
    starts = np.arange(0, count * known.records + 1, count)
    return Groups(classes.of, starts, listed.astype(np.int64).ravel())
