"""What multivariate microaggregation suggests to an intruder: a record is in one of the groups nearest to it."""

import numpy as np

from sdckit.candidates import Candidates, Groups
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.row_blocks import cores
from sdckit.kernels.standardisation import standardise_like
from sdckit.microdata import Kind, Microdata

NEAREST = 3  # groups that remain possible: on the reference files 90 to 99 % of the records are in one of them


def nearest_centroids(known: Candidates, released: Microdata, nearest: int = NEAREST) -> Groups | None:
    """The groups of the nearest centroids, by standardised distance; None unless all ordered attributes are known.

    A record of which a part is known is often in none of the groups that are nearest by that part. The middle counts
    where an attribute is known up to an interval. The scale is that of the original where all of it is known, else that
    of the release.
    """
    from scipy.spatial import cKDTree

    bounded = {name for name in known.lower if np.isfinite([known.lower[name], known.upper[name]]).all()}
    names = [name for name in released.names(kind=Kind.ORDERED) if name in bounded]
    rows = released.matrix(names)
    if not names or len(names) < len(released.names(kind=Kind.ORDERED)) or np.isnan(rows).any():
        return None
    classes = equal_rows(rows)
    originals = np.column_stack([(known.lower[name] + known.upper[name]) / 2 for name in names])
    scale = originals if known.complete else rows
    centroids, points = standardise_like(rows[classes.first()], scale), standardise_like(originals, scale)
    count = min(nearest, len(centroids))
    _, listed = cKDTree(centroids).query(points, k=np.arange(1, count + 1), workers=cores())
    starts = np.arange(0, count * known.records + 1, count)
    return Groups(classes.of, starts, listed.astype(np.int64).ravel())
