"""MDAV: the published benchmarks, a plain twin, and the limits."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from sdckit.kernels import mdav as kernel
from sdckit.kernels.mdav import _add, _farthest_from_centroid, _mdav, _outward, _unassigned, mdav, scanned_mdav
from sdckit.kernels.partitions import group_sizes, share_of_variation_lost


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return (values - values.mean(axis=0)) / values.std(axis=0)


def squared_distances(points: NDArray[np.float64], query: NDArray[np.float64]) -> NDArray[np.float64]:
    """Added up coordinate by coordinate, as the definition of the kernel has it; scaled up for what is missing."""
    total, shared = np.zeros(len(points)), np.zeros(len(points))
    for column, here in zip(points.T, query, strict=True):
        gap = column - here
        shared += ~np.isnan(gap)
        total = total + np.nan_to_num(gap) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(shared > 0, total * (points.shape[1] / shared), np.nan)


def centroid(points: NDArray[np.float64]) -> NDArray[np.float64]:
    columns = [column[~np.isnan(column)] for column in points.T]
    return np.array([math.fsum(column) / len(column) if len(column) else np.nan for column in columns])


def plain_mdav(points: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """The definition, a full scan at every step."""
    labels = np.full(len(points), -1)
    remaining = np.arange(len(points))
    groups = 0

    def farthest(query: NDArray[np.float64]) -> int:
        distance = squared_distances(points[remaining], query)
        return int(remaining[np.argmax(np.nan_to_num(distance, nan=-1.0))])

    def form_group(seed: int) -> None:
        nonlocal remaining, groups
        others = remaining[remaining != seed]
        distance = squared_distances(points[others], points[seed])
        companions = others[np.argsort(np.nan_to_num(distance, nan=np.inf), kind="stable")[: group_size - 1]]
        labels[seed] = labels[companions] = groups
        remaining = remaining[labels[remaining] < 0]
        groups += 1

    while len(remaining) >= 3 * group_size:
        extreme = farthest(centroid(points[remaining]))
        form_group(extreme)
        form_group(farthest(points[extreme]))
    if len(remaining) >= 2 * group_size:
        form_group(farthest(centroid(points[remaining])))
    labels[remaining] = groups
    return labels


def test_the_eleven_firms_of_the_handbook(firms):
    """Groups {6,9,11}, {1,2,10}, {3,4,5,7,8}, counted from one: 0.5495 of the variation is lost."""
    points = standardised(firms)
    labels = mdav(points, 3)
    groups = {frozenset((np.flatnonzero(labels == group) + 1).tolist()) for group in range(3)}
    assert groups == {frozenset({6, 9, 11}), frozenset({1, 2, 10}), frozenset({3, 4, 5, 7, 8})}
    assert share_of_variation_lost(points, labels) == pytest.approx(0.5495, abs=5e-5)


def test_eleven_points_by_hand():
    """Two far clusters of three on a line, and five between: the ends are grouped first."""
    points = np.array([0.0, 1, 2, 50, 51, 52, 53, 54, 103, 104, 105]).reshape(-1, 1)
    labels = mdav(points, 3)
    assert [set(np.flatnonzero(labels == group)) for group in range(3)] == [{8, 9, 10}, {0, 1, 2}, {3, 4, 5, 6, 7}]


few_values = st.sampled_from([-1.0, 0.0, 0.5, 2.0])
tables = st.tuples(st.integers(5, 40), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=few_values)
)


@given(tables, st.integers(1, 5))
def test_with_many_ties_the_partition_is_that_of_a_plain_scan(points, group_size):
    labels = mdav(points, group_size)
    if group_size > 1:
        assert np.array_equal(labels, plain_mdav(points, group_size))
    sizes = group_sizes(labels)
    assert sizes.min() >= group_size
    assert sizes.max() <= max(1, 2 * group_size - 1)


@pytest.mark.parametrize("seed", range(40))
def test_few_values_are_grouped_as_by_a_plain_scan(seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 1 + seed % 5, (int(rng.integers(4, 30)), int(rng.integers(1, 4)))) / 2
    for group_size in (2, 3, 4):
        expected = plain_mdav(points, group_size)
        assert np.array_equal(_mdav(points, group_size), expected)
        assert np.array_equal(scanned_mdav(points, group_size), expected)


@given(
    st.tuples(st.integers(5, 40), st.integers(1, 4)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0, np.nan]))
    ),
    st.integers(2, 5),
)
def test_missing_coordinates_are_left_out_of_the_distances(points, group_size):
    assert np.array_equal(mdav(points, group_size), plain_mdav(points, group_size))


def test_a_missing_coordinate_is_taken_from_the_others_by_hand():
    points = np.array([[0.0, 0], [0, np.nan], [0, 0], [9, 9], [9, 9], [np.nan, 9]])
    labels = mdav(points, 3)
    assert set(labels[:3]) != set(labels[3:])
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1


@pytest.mark.parametrize("count", [5, 9])
def test_too_few_for_two_groups_make_one(count):
    points = np.random.default_rng(0).normal(size=(count, 2))
    assert not mdav(points, 5).any()


def test_constant_columns_still_give_full_groups():
    assert sorted(group_sizes(mdav(np.ones((23, 3)), 5))) == [5, 5, 5, 8]


def test_groups_of_one_leave_every_record_alone():
    assert np.array_equal(mdav(np.array([[3.0], [1.0], [2.0]]), 1), [0, 1, 2])


def test_fewer_records_than_a_group_is_an_error():
    with pytest.raises(ValueError, match="4 records cannot fill a group of 5"):
        mdav(np.zeros((4, 2)), 5)
    with pytest.raises(ValueError, match="at least one record"):
        mdav(np.zeros((4, 2)), 0)


@given(
    arrays(
        np.float64, st.tuples(st.integers(4, 40), st.integers(1, 4)), elements=st.sampled_from([0, 0.1, 0.3, 1, -7.3])
    ),
    st.integers(2, 5),
)
def test_few_records_have_the_groups_of_the_compiled_kernel(points, group_size):
    if len(points) >= group_size:
        assert np.array_equal(scanned_mdav(points, group_size), _mdav(points, group_size))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(20))
def test_a_sum_keeps_twice_the_digits(seed):
    """Numbers of very different magnitude are added, and most of them leave again."""
    rng = np.random.default_rng(seed)
    points = 10.0 ** rng.integers(-9, 10, (12, 2)) * rng.normal(size=(12, 2))
    total, residue = np.zeros(2), np.zeros(2)
    exact = [Fraction(0), Fraction(0)]
    for record, sign in [*((record, 1.0) for record in range(12)), *((record, -1.0) for record in range(10))]:
        _add(total, residue, points[record], sign)
        for axis in range(2):
            exact[axis] += int(sign) * Fraction(points[record, axis])
            kept = Fraction(total[axis]) + Fraction(residue[axis])
            assert abs(kept - exact[axis]) <= Fraction(2) ** -95 * Fraction(np.abs(points).max())
            assert total[axis] == float(kept)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(40))
def test_the_farthest_record_without_a_group_is_that_of_a_scan(seed):
    """Whichever point the records were sorted around before."""
    rng = np.random.default_rng(seed)
    points, labels = rng.integers(0, 4, (9, 2)).astype(float), rng.integers(-1, 1, 9)
    anchor, centre = rng.integers(0, 4, 2).astype(float), rng.integers(0, 8, 2) / 2
    outward, radius = _outward(points, rng.permutation(9), anchor)
    assert radius == pytest.approx(np.sqrt(((points[outward] - anchor) ** 2).sum(axis=1)))
    assert (np.diff(radius) <= 0).all() and sorted(outward.tolist()) == list(range(9))
    free = np.flatnonzero(labels == -1)
    assert _unassigned(outward, labels).tolist() == [record for record in outward if labels[record] == -1]
    found, measured = _farthest_from_centroid(points, labels, centre, anchor, outward, radius)
    if not len(free):
        assert (found, measured) == (-1, 9)
        return
    distances = ((points[free] - centre) ** 2).sum(axis=1)
    assert found == free[distances == distances.max()].min()
    moved, met, largest = np.sqrt(((centre - anchor) ** 2).sum()), 0, -1.0
    for record, away in zip(outward, radius, strict=True):
        if (away + moved) ** 2 < largest * (1 - 1e-12):
            break
        met += 1
        if labels[record] == -1:
            largest = max(largest, ((points[record] - centre) ** 2).sum())
    assert measured == met


@pytest.mark.parametrize("spared", [True, False])
def test_records_are_scanned_where_a_kernel_is_spared(spared, monkeypatch):
    asked = []
    monkeypatch.setattr(kernel, "spared", lambda _, operations: asked.append(operations) or spared)
    monkeypatch.setattr(kernel, "scanned_mdav", lambda points, group_size: "scanned")
    monkeypatch.setattr(kernel, "_mdav", lambda points, group_size: "searched")
    assert mdav(np.zeros((60, 3)), 2) == ("scanned" if spared else "searched")
    assert asked == [4 * 60 * 30 * 3]  # four scans of 60 records for each of 30 groups, of three attributes


@pytest.mark.parametrize("group_size", [2, 3])
def test_rounding_of_a_shrinking_sum_changes_no_centroid(group_size):
    """Values of very different magnitude, whose sum loses digits as they leave."""
    rng = np.random.default_rng(3)
    points = 10.0 ** rng.integers(-8, 9, (24, 2)) * rng.normal(size=(24, 2))
    assert np.array_equal(_mdav(points, group_size), plain_mdav(points, group_size))
    assert np.array_equal(scanned_mdav(points, group_size), plain_mdav(points, group_size))


@pytest.mark.parametrize("group_size", [2, 3, 5, 10])
@pytest.mark.parametrize("dimensions", [1, 2, 5, 8])
def test_the_partition_is_that_of_a_plain_scan(group_size, dimensions):
    rng = np.random.default_rng(dimensions)
    for points in (
        rng.normal(size=(200, dimensions)),
        np.exp(rng.normal(size=(200, dimensions)) * 2),
        rng.integers(0, 4, size=(200, dimensions)).astype(float),
    ):
        assert np.array_equal(mdav(points, group_size), plain_mdav(points, group_size))


@pytest.mark.parametrize("records", [50, 400, 1_000])
def test_so_have_a_few_thousand(records):
    rng = np.random.default_rng(records)
    for points in (rng.normal(size=(records, 5)), rng.integers(0, 6, (records, 3)).astype(float)):
        assert np.array_equal(scanned_mdav(points, 3), _mdav(points, 3))


def test_larger_groups_lose_more():
    points = np.random.default_rng(1).normal(size=(600, 4))
    losses = [share_of_variation_lost(points, mdav(points, group_size)) for group_size in (2, 4, 8, 16)]
    assert losses == sorted(losses)


@pytest.mark.parametrize(("group_size", "percent"), [(3, 5.6922), (4, 7.4947), (5, 9.0884), (10, 14.1559)])
def test_census_loses_what_the_literature_prints(census, group_size, percent):
    points = standardised(census)
    assert 100 * share_of_variation_lost(points, mdav(points, group_size)) == pytest.approx(percent, abs=5e-5)


@pytest.mark.parametrize(("group_size", "percent"), [(3, 0.4829), (4, 0.6713), (5, 1.6667), (10, 3.8397)])
def test_eia_with_eleven_attributes_loses_what_the_literature_prints(eia11, group_size, percent):
    points = standardised(eia11)
    assert 100 * share_of_variation_lost(points, mdav(points, group_size)) == pytest.approx(percent, abs=5e-5)


@pytest.mark.parametrize(("group_size", "percent"), [(3, 0.5919), (4, 0.8120), (5, 1.5877), (10, 3.2699)])
def test_eia_with_ten_attributes(eia, group_size, percent):
    points = standardised(eia)
    assert 100 * share_of_variation_lost(points, mdav(points, group_size)) == pytest.approx(percent, abs=5e-5)
