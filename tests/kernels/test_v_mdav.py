"""V-MDAV: the published benchmarks, a plain twin, and the limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import v_mdav as v_mdav_module
from sdckit.kernels.mdav import mdav
from sdckit.kernels.partitions import group_means, group_sizes, share_of_variation_lost
from sdckit.kernels.v_mdav import v_mdav, v_mdav_as_published

from .both_ways import both_ways

way = both_ways(v_mdav_module)


def squared_distances(points, query):
    total = np.zeros(len(points))
    for column, here in zip(points.T, query, strict=True):
        total = total + (column - here) ** 2
    return total


def plain_v_mdav(points, group_size, gain):
    """The definition, with full scans."""
    labels = np.full(len(points), -1)
    from_centroid = ((points - points.mean(axis=0)) ** 2).sum(axis=1)
    groups = 0
    while (labels < 0).sum() >= group_size:
        free = np.flatnonzero(labels < 0)
        extreme = free[np.argmax(from_centroid[free])]
        free = free[free != extreme]
        near = free[np.argsort(squared_distances(points[free], points[extreme]), kind="stable")[: group_size - 1]]
        group = [extreme, *near]
        labels[group] = groups
        while len(group) < 2 * group_size - 1 and (labels < 0).any():
            free = np.flatnonzero(labels < 0)
            inward = np.min([squared_distances(points[free], points[member]) for member in group], axis=0)
            newcomer = free[np.argmin(inward)]
            others = free[free != newcomer]
            beyond = np.sqrt(squared_distances(points[others], points[newcomer]).min()) if len(others) else np.inf
            if not np.sqrt(inward.min()) < gain * beyond:
                break
            group.append(newcomer)
            labels[newcomer] = groups
        groups += 1
    centroids = group_means(points[labels >= 0], labels[labels >= 0])
    for record in np.flatnonzero(labels < 0):
        labels[record] = np.argmin(((centroids - points[record]) ** 2).sum(axis=1))
    return labels


def percent_lost(values, group_size, gain):
    points = (values - values.mean(axis=0)) / values.std(axis=0)
    return 100 * share_of_variation_lost(points, v_mdav_as_published(points, group_size, gain))


@pytest.mark.parametrize(
    ("gain", "group_size", "percent"),
    [(0.2, 3, 5.6619), (0.2, 5, 9.0070), (0.2, 10, 14.0730), (1.1, 3, 7.0649), (1.1, 5, 10.5407), (1.1, 10, 15.5020)],
)
def test_census_loses_the_reference_share(census, gain, group_size, percent):
    assert percent_lost(census, group_size, gain) == pytest.approx(percent, abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("group_size", "percent"), [(3, 0.5081), (5, 1.3040), (10, 2.8047)])
def test_eia_loses_the_reference_share(eia11, group_size, percent):
    assert percent_lost(eia11, group_size, 1.1) == pytest.approx(percent, abs=5e-5)


def test_tiny_files_are_grouped_as_by_plain_scans():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        points = rng.integers(0, 5, (int(rng.integers(1, 14)), int(rng.integers(1, 3)))).astype(float)
        group_size, gain = int(rng.integers(1, min(len(points), 4) + 1)), (0.0, 0.5, 1.1, 4.0)[seed % 4]
        found = v_mdav_as_published(points, group_size, gain)
        assert found.tolist() == plain_v_mdav(points, group_size, gain).tolist()
        whole = v_mdav(points, group_size, gain)
        sizes, before = group_sizes(whole), group_sizes(found)
        assert sizes.min() >= group_size and sizes.max() <= max(2 * group_size - 1, 1)
        for group in range(len(before)):
            inside = found == group
            if before[group] < 2 * group_size:
                assert (whole[inside] == group).all()
            else:
                parts = mdav(points[inside], group_size)
                assert len(set(zip(whole[inside].tolist(), parts.tolist(), strict=True))) == parts.max() + 1
        assert len(set(whole.tolist())) == whole.max() + 1


@pytest.mark.parametrize("gain", [0.0, 0.2, 1.1, 3.0])
def test_the_partition_is_that_of_a_plain_scan(gain):
    rng = np.random.default_rng(0)
    for points in (rng.normal(size=(300, 3)), np.exp(rng.normal(size=(300, 2))), rng.integers(0, 4, (300, 2)) * 1.0):
        assert np.array_equal(v_mdav_as_published(points, 4, gain), plain_v_mdav(points, 4, gain))


tables = st.tuples(st.integers(4, 30), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0]))
)


@given(tables, st.integers(1, 4), st.sampled_from([0.2, 1.1, 5.0]))
def test_groups_hold_k_to_twice_k_minus_one(points, group_size, gain):
    sizes = group_sizes(v_mdav(points, group_size, gain))
    assert sizes.sum() == len(points)
    assert sizes.min() >= group_size
    assert sizes.max() <= 2 * group_size - 1


def test_clusters_of_different_size_are_kept_whole_by_hand():
    points = np.array([0.0, 1, 2, 3, 4, 100, 101, 102, 200, 201, 202, 203]).reshape(-1, 1)
    labels = v_mdav(points, 3, 1.1)
    groups = {tuple(np.flatnonzero(labels == group)) for group in range(3)}
    assert groups == {(0, 1, 2, 3, 4), (5, 6, 7), (8, 9, 10, 11)}


def test_a_group_that_a_leftover_record_joins_is_split_and_numbered_on():
    """Three records make the first group, the fourth is left over and joins it, and four are two groups of two."""
    points = np.array([[0.0], [0.1], [0.2], [0.3]])
    assert np.bincount(v_mdav_as_published(points, 2, 1000.0)).tolist() == [4]
    labels = v_mdav(points, 2, 1000.0)
    assert np.bincount(labels).tolist() == [2, 2] and labels[0] == labels[1] != labels[2] == labels[3]


@pytest.mark.parametrize("count", [5, 9])
def test_too_few_for_two_groups_make_one(count):
    assert not v_mdav(np.random.default_rng(0).normal(size=(count, 2)), 5, 0.2).any()


def test_fewer_records_than_a_group_is_an_error():
    with pytest.raises(ValueError, match="4 records cannot fill a group of 5"):
        v_mdav(np.zeros((4, 2)), 5, 0.2)


@pytest.mark.parametrize("gain", [0.0, 0.2, 1.1])
def test_few_records_are_grouped_as_by_the_kernel(gain):
    rng = np.random.default_rng(3)
    for records, group_size in ((1, 1), (7, 3), (40, 2), (61, 5)):
        for points in (rng.normal(size=(records, 2)), rng.integers(0, 4, (records, 2)).astype(float)):
            outward = rng.permutation(records)
            few = v_mdav_module.grow_groups_by_scans(points, group_size, gain, outward)
            assert few.tolist() == v_mdav_module._grow_groups(points, group_size, gain, outward).tolist()
