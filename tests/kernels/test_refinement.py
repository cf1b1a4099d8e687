"""Local search: better than MDAV, as good as the literature's best, groups of allowed size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.kd_order import kd_order
from sdckit.kernels.mdav import mdav
from sdckit.kernels.movable_groups import (
    change_by_replacement,
    change_by_swap,
    cost_of_joining,
    error,
    movable_groups,
    move,
    take_back,
)
from sdckit.kernels.ordered_partition import best_partition_of_order
from sdckit.kernels.partitions import group_sizes, share_of_variation_lost, within_group_sum_of_squares
from sdckit.kernels.refinement import refine


def standardised(values):
    return (values - values.mean(axis=0)) / values.std(axis=0)


def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize(("group_size", "percent"), [(3, 5.35), (5, 8.45), (10, 12.9)])
def test_census_loses_less_than_with_any_published_heuristic(census, group_size, percent):
    points = standardised(census)
    labels = refine(points, mdav(points, group_size), group_size, rng())
    assert 100 * share_of_variation_lost(points, labels) <= percent


@pytest.mark.parametrize(("group_size", "percent"), [(3, 0.37), (5, 0.79), (10, 2.08)])
def test_eia_loses_less_than_with_any_published_heuristic(eia11, group_size, percent):
    points = standardised(eia11)
    labels = refine(points, mdav(points, group_size), group_size, rng())
    assert 100 * share_of_variation_lost(points, labels) <= percent


def test_the_eleven_firms_come_near_the_optimum_of_the_handbook(firms):
    """From the 0.5495 of MDAV to within a twentieth of the optimum, 0.3402."""
    points = standardised(firms)
    lost = share_of_variation_lost(points, refine(points, mdav(points, 3), 3, rng()))
    assert 0.34015 <= lost <= 1.05 * 0.3402


@pytest.mark.parametrize("skew", [0.0, 1.0])
def test_a_cheap_start_settles_within_a_tenth_of_mdav(skew):
    points = rng().normal(size=(4000, 5)) @ np.random.default_rng(1).normal(size=(5, 5))
    points = standardised(np.exp(points / 3) if skew else points)
    start = best_partition_of_order(points, kd_order(points, 10), 5)
    settled = refine(points, start, 5, rng(), rounds=0)
    of_mdav = within_group_sum_of_squares(points, mdav(points, 5))
    assert within_group_sum_of_squares(points, settled) <= 1.1 * of_mdav


tables = st.tuples(st.integers(4, 60), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0, 7.0]))
)


@given(tables, st.integers(1, 4), st.integers(0, 2))
def test_the_error_never_grows_and_groups_keep_their_bounds(points, group_size, rounds):
    start = best_partition_of_order(points, np.arange(len(points)), group_size)
    labels = refine(points, start, group_size, rng(), rounds)
    before, after = (within_group_sum_of_squares(points, partition) for partition in (start, labels))
    assert after <= before + 1e-9
    sizes = group_sizes(labels)
    assert sizes.min() >= group_size
    assert sizes.max() <= max(1, 2 * group_size - 1)


def test_no_exchange_of_two_records_is_left_that_helps():
    points = rng().normal(size=(40, 2))
    labels = refine(points, mdav(points, 4), 4, rng())
    least = within_group_sum_of_squares(points, labels)
    for one in range(40):
        for other in range(one):
            swapped = labels.copy()
            swapped[[one, other]] = labels[[other, one]]
            assert within_group_sum_of_squares(points, swapped) >= least - 1e-9 or not_near(points, one, other)


def not_near(points, one, other):
    """Only the twenty nearest records are tried."""
    return (((points - points[one]) ** 2).sum(axis=1) < ((points[other] - points[one]) ** 2).sum()).sum() > 20 or (
        ((points - points[other]) ** 2).sum(axis=1) < ((points[other] - points[one]) ** 2).sum()
    ).sum() > 20


def test_the_same_seed_gives_the_same_groups():
    points = rng().normal(size=(500, 3))
    start = mdav(points, 5)
    assert np.array_equal(refine(points, start, 5, rng()), refine(points, start, 5, rng()))


def test_the_start_is_unchanged():
    points = rng().normal(size=(100, 3))
    start = mdav(points, 5)
    copy = start.copy()
    refine(points, start, 5, rng())
    assert np.array_equal(start, copy)


def test_the_computed_change_of_a_step_is_the_change_of_the_error():
    points = rng().normal(size=(30, 3))
    start = mdav(points, 3)
    groups = movable_groups(points, start, 3)
    before = error(groups)
    assert before == pytest.approx(within_group_sum_of_squares(points, start))
    one = 0
    other = int(np.flatnonzero(start != start[0])[0])
    third = int(np.flatnonzero((start != start[0]) & (start != start[other]))[0])
    swap = change_by_swap(groups, one, other)
    replacement = cost_of_joining(groups, one, start[third]) + change_by_replacement(groups, one, other)

    assert move(groups, other, start[one]) + move(groups, one, start[other]) == pytest.approx(swap)
    assert error(groups) - before == pytest.approx(swap)
    take_back(groups, 0)
    assert np.array_equal(groups.labels, start)
    assert error(groups) == pytest.approx(before)

    move(groups, other, start[one])
    move(groups, one, start[third])
    assert error(groups) - before == pytest.approx(replacement)


@pytest.mark.parametrize("count", [5, 9])
def test_a_single_group_stays(count):
    assert not refine(rng().normal(size=(count, 2)), np.zeros(count, dtype=np.int64), 5, rng()).any()


def test_constant_points_change_nothing_of_worth():
    sizes = group_sizes(refine(np.ones((23, 2)), mdav(np.ones((23, 2)), 5), 5, rng()))
    assert sizes.sum() == 23 and sizes.min() >= 5 and sizes.max() <= 9


def test_a_start_with_groups_of_another_size_is_an_error():
    with pytest.raises(ValueError, match="groups of 2 to 4 records, not of 3 to 5"):
        refine(rng().normal(size=(6, 2)), np.array([0, 0, 1, 1, 1, 1]), 3, rng())
    with pytest.raises(ValueError, match="2 records cannot fill a group of 3"):
        refine(np.zeros((2, 2)), np.zeros(2, dtype=np.int64), 3, rng())
