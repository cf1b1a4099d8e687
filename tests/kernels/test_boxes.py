from dataclasses import astuple
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.boxes import box_links
from sdckit.kernels.nearest import TOLERANCE, nearest_links
from sdckit.kernels.ranks import swap_within_rank_window


def a_tenth_of_the_expected_square(value, seen):
    """What a missing value is away from a known one: a tenth of the expected squared difference to another record."""
    if not len(seen):
        return 0.1 * value**2
    variance = ((seen - seen.mean()) ** 2).sum() / max(len(seen) - 1, 1)
    return 0.1 * ((value - seen.mean()) ** 2 + variance)


def brute_force(lower, upper, known, released, truth):
    """The definition, one record at a time."""
    links = []
    d = released.shape[1]
    for low, high, record, own in zip(lower, upper, known, truth, strict=True):
        box = np.flatnonzero(~((released < low) | (released > high)).any(axis=1))
        if len(box) == 0:
            links.append((0, -1, 0, False, False))
            continue
        joint = ~np.isnan(record) & ~np.isnan(released[box])
        total, holes = np.zeros(len(box)), np.zeros(len(box))
        for j in range(d):
            total = total + np.where(joint[:, j], released[box, j] - record[j], 0.0) ** 2
            if not np.isnan(record[j]):
                cost = a_tenth_of_the_expected_square(record[j], released[~np.isnan(released[:, j]), j])
                holes = holes + np.where(np.isnan(released[box, j]), cost, 0.0)
        distance = total + holes
        near = box[distance <= distance.min() * (1 + TOLERANCE)]
        links.append((len(box), near[0], len(near), own in near.tolist(), own in box.tolist()))
    return links


def as_rows(links):
    return list(zip(*(column.tolist() for column in astuple(links)), strict=True))


@st.composite
def boxed_files(draw, elements):
    d = draw(st.integers(1, 3))
    n, m = draw(st.integers(1, 80)), draw(st.integers(1, 15))
    released = draw(arrays(np.float64, (n, d), elements=elements))
    known, lower, width = (draw(arrays(np.float64, (m, d), elements=elements)) for _ in range(3))
    truth = draw(arrays(np.int64, m, elements=st.integers(-1, n - 1)))
    return lower, lower + width, known, released, truth


@given(boxed_files(st.integers(0, 4).map(float)))
def test_boxes_on_a_grid_full_of_ties_equal_brute_force(files):
    assert as_rows(box_links(*files)) == brute_force(*files)


@given(boxed_files(st.one_of(st.just(np.nan), st.integers(0, 4).map(float))))
def test_boxes_with_missing_values_equal_brute_force(files):
    lower, upper, known, released, truth = files
    known = known + np.sqrt([2, 3, 5])[: known.shape[1]]  # irrational: no tie but for rounding errors
    assert as_rows(box_links(lower, upper, known, released, truth)) == brute_force(lower, upper, known, released, truth)


@pytest.mark.parametrize("width", [0.1, 0.5, 3.0])
def test_boxes_over_a_larger_file_equal_brute_force(width):
    rng = np.random.default_rng(0)
    released = np.round(rng.normal(size=(4000, 4)), 2)
    known = released[:400] + rng.normal(scale=0.1, size=(400, 4))
    files = (known - width, known + width, known, released, rng.integers(-1, 4000, size=400))
    assert as_rows(box_links(*files)) == brute_force(*files)


def test_one_box_by_hand():
    released = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [2.0, 2.0], [9.0, 9.0]])
    lower, upper = np.array([[1.0, 1.0]]), np.array([[2.0, 3.0]])
    links = box_links(lower, upper, np.array([[1.75, 1.75]]), released, np.array([3]))
    assert as_rows(links) == [(3, 2, 2, True, True)]


def test_a_box_with_one_row_names_it():
    released = np.arange(10.0)[:, None]
    links = box_links(np.array([[6.5]]), np.array([[7.5]]), np.array([[0.0]]), released, np.array([7]))
    assert as_rows(links) == [(1, 7, 1, True, True)]


def test_an_empty_box_links_to_no_row():
    links = box_links(np.array([[3.0]]), np.array([[2.0]]), np.array([[0.0]]), np.arange(5.0)[:, None], np.array([2]))
    assert as_rows(links) == [(0, -1, 0, False, False)]


def test_a_box_without_bounds_is_the_plain_linkage():
    rng = np.random.default_rng(1)
    known, released, truth = rng.normal(size=(300, 3)), rng.normal(size=(300, 3)), np.arange(300)
    endless = np.full((300, 3), np.inf)
    boxed, plain = box_links(-endless, endless, known, released, truth), nearest_links(known, released, truth)
    assert (boxed.count == 300).all()
    assert np.array_equal(boxed.nearest, plain.nearest)
    assert np.array_equal(boxed.truth_tied, plain.truth_tied)


def rank_windows(known, released, reach):
    """The lowest and highest released value at most `reach` ranks from each known value's run of ties."""
    bounds = []
    for x, column in zip(known.T, np.sort(released, axis=0).T, strict=True):
        first = np.searchsorted(column, x, side="left") - reach
        last = np.searchsorted(column, x, side="right") - 1 + reach
        bounds.append((column[np.maximum(first, 0)], column[np.minimum(last, len(column) - 1)]))
    lower, upper = zip(*bounds, strict=True)
    return np.column_stack(lower), np.column_stack(upper)


def test_the_rank_window_of_a_swapped_file_always_holds_the_true_record():
    rng = np.random.default_rng(2)
    values = np.round(rng.normal(size=(1500, 4)), 1)
    masked = np.column_stack([swap_within_rank_window(column, 30, rng) for column in values.T])
    lower, upper = rank_windows(values, masked, 30)
    assert box_links(lower, upper, values, masked, np.arange(1500)).truth_covered.all()


def test_another_attribute_never_adds_candidates():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(800, 4))
    masked = np.column_stack([swap_within_rank_window(column, 40, rng) for column in values.T])
    lower, upper = rank_windows(values, masked, 40)
    counts = [
        box_links(lower[:, :d], upper[:, :d], values[:, :d], masked[:, :d], np.arange(800)).count for d in (1, 2, 3, 4)
    ]
    assert all((fewer <= more).all() for more, fewer in pairwise(counts))


# Ten records before and after swapping by at most two ranks, as printed in the slides on supervised disclosure risk.
ORIGINAL = np.column_stack(
    [
        [8.0, 6.0, 10.0, 7.0, 9.0, 2.0, 1.0, 4.0, 5.0, 3.0],
        [9.0, 7.0, 3.0, 1.0, 4.0, 2.0, 10.0, 8.0, 5.0, 6.0],
        [1.0, 10.0, 4.0, 2.0, 6.0, 8.0, 3.0, 7.0, 5.0, 9.0],
        [3.0, 2.0, 1.0, 6.0, 4.0, 8.0, 9.0, 10.0, 5.0, 7.0],
    ]
)
MASKED = np.column_stack(
    [
        [10.0, 5.0, 8.0, 9.0, 7.0, 4.0, 3.0, 2.0, 6.0, 1.0],
        [10.0, 5.0, 4.0, 2.0, 3.0, 1.0, 9.0, 6.0, 7.0, 8.0],
        [3.0, 8.0, 2.0, 4.0, 5.0, 10.0, 1.0, 9.0, 6.0, 7.0],
        [5.0, 1.0, 2.0, 4.0, 6.0, 10.0, 7.0, 8.0, 3.0, 9.0],
    ]
)


def test_the_windows_of_the_printed_example_hold_the_rows_of_the_paper():
    lower, upper = rank_windows(ORIGINAL, MASKED, 2)
    per_attribute = [
        [5, 5, 3, 5, 4, 4, 3, 5, 5, 5],
        [4, 5, 5, 3, 5, 4, 3, 5, 5, 5],
        [3, 3, 5, 4, 5, 5, 5, 5, 5, 4],
        [5, 4, 3, 5, 5, 5, 4, 3, 5, 5],
    ]
    for j, sizes in enumerate(per_attribute):
        one = [array[:, [j]] for array in (lower, upper, ORIGINAL, MASKED)]
        assert box_links(*one, np.arange(10)).count.tolist() == sizes
    links = box_links(lower, upper, ORIGINAL, MASKED, np.arange(10))
    assert links.count.tolist() == [1, 1, 1, 1, 2, 1, 1, 1, 2, 2]
    assert links.nearest.tolist() == [0, 1, 2, 3, 3, 5, 6, 7, 4, 7]
    assert links.truth_covered.all()


@pytest.mark.parametrize(("tolerance", "ties"), [(0.0, 1), (0.55, 1), (0.57, 2), (3.0, 3)])
@pytest.mark.parametrize("truth", [-1, 0, 1, 2, 3])
def test_rows_within_the_tolerance_tie_by_hand(tolerance, ties, truth):
    """Squared distances of 16, 25 and 64; another row is nearer but outside the box."""
    released = np.array([[8.0], [5.0], [4.0], [1.0]])
    links = box_links(
        np.array([[2.0]]), np.array([[8.0]]), np.zeros((1, 1)), released, np.array([truth]), tolerance=tolerance
    )
    tied = [2, 1, 0][:ties]
    assert as_rows(links) == [(3, min(tied), ties, truth in tied, truth in (0, 1, 2))]


@pytest.mark.parametrize("seed", range(40))
def test_few_values_equal_brute_force(seed):
    """Enough rows for several leaves, so that nodes lie inside, across and outside the boxes."""
    rng = np.random.default_rng(seed)
    d, n, m = 1 + seed % 2, int(rng.integers(1, 60)), 3
    released, known = rng.integers(0, 7, (n, d)).astype(float), rng.integers(0, 7, (m, d)).astype(float)
    lower = rng.integers(-1, 6, (m, d)).astype(float)
    upper = lower + rng.integers(0, 6, (m, d))
    if seed % 3 == 0:
        for values in (released, known, lower, upper):
            values[rng.random(values.shape) < 0.1] = np.nan
        known += np.sqrt([2, 3])[:d]
    files = lower, upper, known, released, rng.integers(-1, n, m)
    assert as_rows(box_links(*files)) == brute_force(*files)
