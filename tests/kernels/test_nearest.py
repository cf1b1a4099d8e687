from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.mdav import mdav
from sdckit.kernels.nearest import TOLERANCE, Links, links_by_tree
from sdckit.kernels.nearest_of_few import nearest_of_few
from sdckit.kernels.ranks import swap_within_rank_window
from sdckit.kernels.standardisation import standardise


def nearest_links(known, released, truth, *, tolerance=TOLERANCE):
    """The links by a tree; all distances of a small file give the same bits."""
    known, released = np.asarray(known, dtype=float), np.asarray(released, dtype=float)
    links = links_by_tree(np.ascontiguousarray(known), released, truth, tolerance)
    few = nearest_of_few(known[:400], released, truth[:400], tolerance)
    for by_tree, by_all in zip(links, Links(*few), strict=True):
        assert by_tree.dtype == by_all.dtype and (by_tree[:400] == by_all).all()
    return links


def a_tenth_of_the_expected_square(value, seen):
    """What a missing value is away from a known one: a tenth of the expected squared difference to another record."""
    if not len(seen):
        return 0.1 * value**2
    variance = ((seen - seen.mean()) ** 2).sum() / max(len(seen) - 1, 1)
    return 0.1 * ((value - seen.mean()) ** 2 + variance)


def brute_force(known, released, truth):
    """The definition, one pair of records at a time."""
    links = []
    for record, own in zip(known, truth, strict=True):
        joint = ~np.isnan(record) & ~np.isnan(released)
        gaps = np.where(joint, released - record, 0.0)
        total, holes = np.zeros(len(released)), np.zeros(len(released))
        for j in range(released.shape[1]):
            total = total + gaps[:, j] ** 2
            if not np.isnan(record[j]):
                cost = a_tenth_of_the_expected_square(record[j], released[~np.isnan(released[:, j]), j])
                holes = holes + np.where(np.isnan(released[:, j]), cost, 0.0)
        distance = total + holes
        near = np.flatnonzero(distance <= distance.min() * (1 + TOLERANCE))
        links.append((distance.min(), len(near), own in near.tolist(), near[0]))
    return links


def as_rows(links):
    return list(zip(*(column.tolist() for column in links), strict=True))


def assert_the_same(links, expected):
    assert links.distance == pytest.approx([each[0] for each in expected])
    assert [row[1:] for row in as_rows(links)] == [each[1:] for each in expected]


@st.composite
def pairs_of_files(draw, elements):
    d = draw(st.integers(1, 4))
    n, m = draw(st.integers(1, 90)), draw(st.integers(1, 20))
    released = draw(arrays(np.float64, (n, d), elements=elements))
    known = draw(arrays(np.float64, (m, d), elements=elements))
    truth = draw(arrays(np.int64, m, elements=st.integers(-1, n - 1)))
    return known, released, truth


@given(pairs_of_files(st.integers(0, 3).map(float)))
def test_links_on_a_grid_full_of_ties_equal_brute_force(files):
    assert as_rows(nearest_links(*files)) == brute_force(*files)


@given(pairs_of_files(st.one_of(st.just(np.nan), st.integers(0, 3).map(float))))
def test_links_with_missing_values_equal_brute_force(files):
    known, released, truth = files
    known = known + np.sqrt([2, 3, 5, 7])[: known.shape[1]]  # irrational: no tie but for rounding errors
    assert_the_same(nearest_links(known, released, truth), brute_force(known, released, truth))


@given(pairs_of_files(st.floats(-10, 10, width=32)))
def test_links_of_any_numbers_equal_brute_force(files):
    assert as_rows(nearest_links(*files)) == brute_force(*files)


@pytest.mark.parametrize("d", [1, 2, 6, 13])
def test_links_of_a_larger_file_equal_brute_force(d):
    rng = np.random.default_rng(d)
    released = np.round(rng.normal(size=(3000, d)), 2)
    known = released[rng.permutation(3000)[:300]] + rng.normal(scale=0.3, size=(300, d))
    truth = rng.integers(-1, 3000, size=300)
    assert as_rows(nearest_links(known, released, truth)) == brute_force(known, released, truth)


def test_three_records_by_hand():
    released = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0], [6.0, 8.0]])
    links = nearest_links(np.array([[0.0, 1.0], [4.5, 6.0], [3.0, 4.0]]), released, np.array([2, 0, 1]))
    assert links.distance.tolist() == [1.0, 6.25, 0.0]
    assert links.ties.tolist() == [2, 2, 1]
    assert links.truth_tied.tolist() == [True, False, True]
    assert links.nearest.tolist() == [0, 1, 1]


def test_a_record_outside_the_file_is_never_among_its_links():
    links = nearest_links(np.zeros((1, 2)), np.zeros((5, 2)), np.array([-1]))
    assert (links.ties[0], links.truth_tied[0]) == (5, False)


def test_a_record_without_any_shared_attribute_ties_with_all():
    released = np.array([[np.nan, 1.0], [np.nan, 2.0]])
    links = nearest_links(np.array([[1.0, np.nan]]), released, np.array([1]))
    assert (links.ties[0], links.truth_tied[0], links.nearest[0]) == (2, True, 0)


def test_a_missing_value_lies_between_a_near_one_and_a_far_one():
    released = np.array([[0.1, 1.0], [np.nan, 1.0], [9.0, 1.0]])
    known = np.array([[0.0, 1.0]])
    assert [nearest_links(known, released[rows], np.array([-1])).nearest[0] for rows in ([0, 1, 2], [2, 1])] == [0, 1]


def test_a_row_with_holes_does_not_look_near_for_having_them():
    released = np.array([[np.nan, 5.0], [1.2, 5.3], [40.0, 7.0], [-35.0, 2.0]])
    assert nearest_links(np.array([[1.0, 5.0]]), released, np.array([-1])).nearest[0] == 1


def test_an_attribute_that_is_not_known_makes_no_difference():
    rng = np.random.default_rng(1)
    released = np.where(rng.random((40, 3)) < 0.2, np.nan, rng.normal(size=(40, 3)))
    known = np.column_stack([rng.normal(size=(10, 2)), np.full(10, np.nan)])
    truth = np.arange(10)
    less = nearest_links(known[:, :2], released[:, :2], truth)
    assert as_rows(nearest_links(known, released, truth)) == as_rows(less)


def test_a_constant_file_ties_everywhere():
    links = nearest_links(np.zeros((40, 3)), np.zeros((40, 3)), np.arange(40))
    assert (links.ties == 40).all() and links.truth_tied.all()


def test_a_file_linked_to_itself_finds_every_record():
    values = np.random.default_rng(0).normal(size=(5000, 4))
    links = nearest_links(values, values, np.arange(5000))
    assert np.array_equal(links.nearest, np.arange(5000))
    assert not links.distance.any()


def test_a_wider_swap_lowers_linkage():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(2000, 3))
    shares = []
    for reach in (5, 50, 500):
        swapped = np.column_stack([swap_within_rank_window(column, reach, rng) for column in values.T])
        shares.append(nearest_links(values, swapped, np.arange(2000)).truth_tied.mean())
    assert shares == sorted(shares, reverse=True)


def microaggregated(values, group_size):
    labels = np.asarray(mdav(standardise(values), group_size))
    sizes = np.bincount(labels)
    return np.column_stack([np.bincount(labels, column) / sizes for column in values.T])[labels]


def linked_share(original, masked):
    """Per cent linked when the lowest tied row is taken, and when ties share the credit."""
    everyone = np.arange(len(original))
    links = nearest_links(standardise(original), standardise(masked), everyone)
    return 100 * np.mean(links.nearest == everyone), 100 * np.mean(links.truth_tied / links.ties)


@pytest.mark.parametrize(("group_size", "first", "split"), [(3, 27.963, 28.642), (10, 5.556, 6.556)])
def test_linkage_of_microaggregated_census_with_all_attributes(census, group_size, first, split):
    assert linked_share(census, microaggregated(census, group_size)) == pytest.approx((first, split), abs=5e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("group_size", "first", "split"), [(3, 9.4838, 9.9778), (10, 2.0254, 2.3528)])
def test_linkage_of_microaggregated_census_over_subsets_of_seven(census, group_size, first, split):
    masked = microaggregated(census, group_size)
    subsets = chain.from_iterable(combinations(range(7), size) for size in range(1, 8))
    shares = [linked_share(census[:, subset], masked[:, subset]) for subset in map(list, subsets)]
    assert tuple(np.mean(shares, axis=0)) == pytest.approx((first, split), abs=5e-5)


def test_a_tree_gives_the_links_of_all_distances_to_the_last_bit():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        columns = int(rng.integers(1, 4))
        known, released = (rng.integers(0, 4, (int(rng.integers(1, 30)), columns)).astype(float) for _ in range(2))
        for values in (known, released):
            values[rng.random(values.shape) < (0.2 if seed % 2 else 0)] = np.nan
        truth = rng.integers(-1, len(released), len(known))
        tolerance = (1e-12, 0.3)[seed % 4 > 1]
        by_tree, by_pairs = (
            links_by_tree(known, released, truth, tolerance),
            nearest_of_few(known, released, truth, tolerance),
        )
        for one, other in zip(by_tree, by_pairs, strict=True):
            assert one.tolist() == other.tolist()
