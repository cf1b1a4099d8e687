import numpy as np
import pytest
from tests.methods.files import correlated, masked_matrix

from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.methods.microaggregation.v_mdav import VMdav


def test_losses_on_census_are_the_golden_ones(census):
    """100·SSE/SST with γ = 0.2 (ALGORITHMS 3.3)."""
    spread = ((census - census.mean(axis=0)) ** 2).sum(axis=0)
    for group_size, lost in ((3, 5.6619), (5, 9.0070), (10, 14.0730)):
        masked = masked_matrix(VMdav(group_size=group_size, gain=0.2), census)
        assert 100 * (((masked - census) ** 2).sum(axis=0) / spread).mean() == pytest.approx(lost, abs=5e-5)


def test_clusters_larger_than_k_stay_whole_with_a_large_gain():
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.normal(centre, 0.01, (5, 2)) for centre in (0, 10, 20)])
    assert sorted(equal_rows(masked_matrix(VMdav(group_size=3, gain=2), values)).sizes) == [5, 5, 5]


def test_groups_have_k_to_less_than_twice_k_records():
    sizes = equal_rows(masked_matrix(VMdav(group_size=4, gain=1.1), correlated(101, 2, seed=3))).sizes
    assert sizes.min() >= 4
    assert sizes.max() <= 7
