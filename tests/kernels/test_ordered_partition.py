"""The best partition of an order: all cuts tried, cases by hand, limits."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import ordered_partition
from sdckit.kernels.mdav import mdav
from sdckit.kernels.ordered_partition import BLOCK, best_partition_of_order
from sdckit.kernels.partitions import group_sizes, share_of_variation_lost, within_group_sum_of_squares

from .both_ways import both_ways

way = both_ways(ordered_partition)


def least_sum_of_squares(ordered, group_size):
    @cache
    def least(stop):
        if stop == 0:
            return 0.0
        starts = [start for start in range(stop - group_size + 1) if start == 0 or start >= group_size]
        starts = [start for start in starts if stop - start < 2 * group_size]
        costs = [least(start) + (stop - start) * ordered[start:stop].var(axis=0).sum() for start in starts]
        return min(costs, default=np.inf)

    return least(len(ordered))


tables = st.tuples(st.integers(4, 14), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-50, 50, width=32))
)


@given(tables, st.integers(1, 4), st.randoms(use_true_random=False))
def test_no_cut_of_the_order_has_a_smaller_sum_of_squares(points, group_size, random):
    order = np.array(random.sample(range(len(points)), len(points)))
    labels = best_partition_of_order(points, order, group_size)
    least = least_sum_of_squares(points[order], group_size)
    assert within_group_sum_of_squares(points, labels) == pytest.approx(least, rel=1e-9, abs=1e-7)
    assert (np.diff(labels[order]) >= 0).all()
    assert group_sizes(labels).min() >= group_size
    assert group_sizes(labels).max() <= 2 * group_size - 1


def test_a_tour_of_three_clusters_by_hand():
    """The cluster of four is too large for one group of at most 2k-1 = 3."""
    points = np.array([[0, 0], [9, 9], [0, 1], [9, 0], [1, 0], [9, 8], [8, 0], [8, 9], [1, 1]], dtype=float)
    order = np.array([0, 2, 4, 8, 3, 6, 7, 1, 5])
    assert best_partition_of_order(points, order, 2).tolist() == [0, 3, 0, 2, 1, 3, 2, 3, 1]


@pytest.mark.parametrize(("group_size", "percent"), [(3, 5.6922), (5, 9.0884), (10, 14.1559)])
def test_along_its_own_groups_mdav_is_never_beaten_by_much_on_census(census, group_size, percent):
    """The order of the groups of MDAV: at least as good as MDAV, and to four digits as good (Domingo-Ferrer 2006)."""
    points = (census - census.mean(axis=0)) / census.std(axis=0)
    order = np.argsort(mdav(points, group_size), kind="stable")
    lost = share_of_variation_lost(points, best_partition_of_order(points, order, group_size))
    assert 100 * lost == pytest.approx(percent, abs=5e-5)


@pytest.mark.parametrize("group_size", [1, 2, 4])
@pytest.mark.parametrize("beyond", [-1, 0, 1, 7])
def test_more_ends_than_are_costed_together_have_the_same_least_sum(group_size, beyond):
    column = np.random.default_rng(beyond + 1).normal(size=BLOCK + group_size + beyond)
    least = [0.0, *[np.inf] * len(column)]
    for stop in range(group_size, len(column) + 1):
        for start in range(max(stop - 2 * group_size + 1, 0), stop - group_size + 1):
            run = column[start:stop]
            least[stop] = min(least[stop], least[start] + ((run - run.mean()) ** 2).sum())
    labels = best_partition_of_order(column[:, None], np.arange(len(column)), group_size)
    assert within_group_sum_of_squares(column[:, None], labels) == pytest.approx(least[-1], abs=1e-12)
    assert group_sizes(labels).min() >= group_size


def test_of_equally_good_cuts_the_last_group_is_the_longest():
    labels = best_partition_of_order(np.ones((23, 2)), np.arange(23), 5)
    assert group_sizes(labels).tolist() == [5, 9, 9] and (np.diff(labels) >= 0).all()
    assert group_sizes(best_partition_of_order(np.ones((11, 1)), np.arange(11), 4)).tolist() == [4, 7]


def test_constant_points_still_give_full_groups():
    sizes = group_sizes(best_partition_of_order(np.ones((23, 2)), np.arange(23), 5))
    assert sizes.sum() == 23 and sizes.min() >= 5 and sizes.max() <= 9


def test_fewer_records_than_a_group_is_an_error():
    with pytest.raises(ValueError, match="2 records cannot fill a group of 3"):
        best_partition_of_order(np.zeros((2, 2)), np.arange(2), 3)


@pytest.mark.parametrize("group_size", [1, 2, 3, 7])
@pytest.mark.parametrize("columns", [1, 3])
def test_few_records_are_cut_where_the_kernel_cuts(group_size, columns):
    rng = np.random.default_rng(group_size)
    for count in (group_size, 2 * group_size, 2 * group_size + 1, 60):
        for values in (rng.normal(size=(columns, count)), rng.integers(0, 3, (columns, count)).astype(float)):
            few = ordered_partition.best_starts_of_few(values, group_size)
            assert few.tolist() == ordered_partition._best_starts(values, group_size).tolist()
