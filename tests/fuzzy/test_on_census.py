"""Fuzzy c-means with as many centres as MDAV makes groups, on Census: the golden values, and where centres coincide."""

import numpy as np
import pytest

from sdckit.datasets import census
from sdckit.datasets.reference import local_copy
from sdckit.fuzzy.c_means import c_means
from sdckit.kernels.standardisation import standardise
from sdckit.methods.microaggregation.fuzzy_microaggregation import first_centres
from sdckit.microdata import Role

pytestmark = pytest.mark.slow
FEW = 1e-10  # memberships below do not count
GOLDEN = {  # of each m: partition coefficient, nearest-centre loss in percent, centres that count, distinct centres
    1.02: (0.9998, 4.459, 1.2, 360),
    1.05: (0.9995, 4.264, 2.6, 360),
    1.1: (0.9968, 4.026, 25.7, 360),
    1.15: (0.9855, 3.948, 125, 360),
    1.2: (0.9567, 3.789, 246, 360),
    1.3: (0.8187, 3.850, 337, 360),
    1.5: (0.4789, 5.918, 360, 360),
    2.0: (0.1182, 15.08, 360, 253),
}


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    if local_copy("CASCrefmicrodata") is None:
        pytest.skip("Census is not in the folder of reference files")
    data = census()
    return standardise(data.matrix(data.names(role=Role.KEY)))


@pytest.mark.parametrize("m", sorted(GOLDEN))
def test_clusters_of_three_have_the_golden_memberships_and_loss(points, m):
    coefficient, loss, counting, distinct = GOLDEN[m]
    found = c_means(points, first_centres(points, 3), m)
    assert len(found.centres) == 360 and found.converged == (m <= 1.3)
    degrees = found.memberships(points)
    assert (degrees**2).sum() / len(points) == pytest.approx(coefficient, abs=6e-5)
    nearest = ((points[:, None] - found.centres[None]) ** 2).sum(axis=2).min(axis=1)
    assert 100 * nearest.sum() / (points**2).sum() == pytest.approx(loss, abs=6e-3 if m == 2 else 6e-4)
    assert (degrees > FEW).sum() / len(points) == pytest.approx(counting, abs=0.06 if counting < 100 else 0.6)
    assert len(np.unique(found.centres.round(3), axis=0)) == distinct
