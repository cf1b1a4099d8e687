"""Cells of ranks, moves between them and axes of several numbers, each beside its definition on a few values."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.laws import joint_axes as axes
from sdckit.laws.joint_axes import JointAxis, MaskedAgain, Scale, joint_axes, nearest_level
from sdckit.laws.movement import ERRORS, WEIGHTS, WINDOWS, CellsOfRanks, _first_weights, _within, movement_lifts

NAN = np.nan
few = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, NAN]), min_size=1, max_size=7)


@given(few, few, st.integers(1, 5))
def test_cells_cover_the_ranks_of_their_values(values, among, cells):
    ordered = sorted(each for each in among if each == each)
    count = max(len(ordered), 1)
    found = CellsOfRanks(np.array(values), np.array(ordered), cells)
    below = [sum(other < each for other in ordered) / count for each in values]
    up_to = [sum(other <= each for other in ordered) / count for each in values]
    of = [
        min(int((low + high) / 2 * cells), cells - 1) if each == each else -1
        for each, low, high in zip(values, below, up_to, strict=True)
    ]
    assert found.of.tolist() == of
    for cell in range(cells):
        own = [number for number, each in enumerate(of) if each == cell]
        middle = (cell + 0.5) / cells
        low = min((below[number] for number in own), default=middle)
        high = max((up_to[number] for number in own), default=middle)
        assert found.range[0][cell] == pytest.approx(low)
        assert found.range[1][cell] == pytest.approx(max(high, low + 1e-6))
        if own:
            assert found.mean[cell] == pytest.approx(np.mean([values[number] for number in own]))
        else:
            assert found.mean[cell] == pytest.approx(np.quantile(ordered, middle) if ordered else 0.0)


def test_a_cell_is_as_wide_as_the_gaps_beside_it():
    """Means of 1, 3 and 7 in filled cells: the first reaches as far to either side."""
    values = np.array([1.0, 3.0, 7.0])
    assert CellsOfRanks(values, values, 3).width.tolist() == [2.0, 3.0, 4.0]
    assert CellsOfRanks(values, values, 6).width.tolist() == [0.0, 2.0, 0.0, 3.0, 0.0, 4.0]
    one = np.array([5.0, 5.0])
    assert CellsOfRanks(one, one, 4).width.tolist() == [0.0, 0.0, 1.0, 0.0]
    assert CellsOfRanks(np.array([NAN]), np.empty(0), 2).width.tolist() == [0.0, 0.0]


def test_first_weights_are_those_of_the_widths():
    windows, errors = np.array(WINDOWS), np.array(ERRORS)
    with_errors = [*(0.60 * windows / windows.sum()), *(0.37 * errors / errors.sum()), 0.03]
    assert _first_weights(True) == pytest.approx(with_errors) and sum(WEIGHTS) == pytest.approx(1)
    without = np.array([*(0.60 * windows / windows.sum()), 0.03])
    assert _first_weights(False) == pytest.approx(without / 0.63)


@pytest.mark.parametrize(("sizes", "least", "most", "step"), [(WINDOWS, 0.003, 0.6, 2.1), (ERRORS, 0.01, 1.5, 3.4)])
def test_moves_of_every_size_are_near_one_that_is_tried(sizes, least, most, step):
    assert (sizes[0], sizes[-1]) == (least, most)
    assert all(low < high <= step * low for low, high in pairwise(sizes))


def test_moves_by_hand_compare_with_anybody():
    """A table of each window, of each error and of no relation: all average to one over the release."""
    values, after = np.array([1.0, 3.0, 7.0, 8.0]), np.array([2.0, 3.0, 6.0, 9.0])
    known, released = CellsOfRanks(values, values, 4), CellsOfRanks(after, after, 4)
    tables, weights = movement_lifts(known, released)
    assert len(tables) == len(weights) == len(WINDOWS) + len(ERRORS) + 1
    share = np.full(4, 0.25)
    for table, window in zip(tables, WINDOWS, strict=False):
        within = _within(known.range, released.range, window)
        assert table == pytest.approx(within / (within @ share)[:, None])
    for table, error in zip(tables[len(WINDOWS) :], ERRORS, strict=False):
        density = np.exp(-0.5 * ((values[:, None] - after[None, :]) / values.std() / error) ** 2) * released.width
        reached = density.sum(axis=1) > 1e-100 * released.width.max()
        expected = np.where(reached[:, None], density / np.maximum(density.sum(axis=1, keepdims=True), 1e-300), share)
        assert table == pytest.approx(expected / share)
    assert not reached.all() or tables[len(WINDOWS)].max() > 1
    assert tables[-1].tolist() == np.ones((4, 4)).tolist()


def test_numbers_without_spread_have_no_errors():
    same, other = np.full(3, 2.0), np.array([1.0, 2.0, 3.0])
    tables, weights = movement_lifts(CellsOfRanks(same, same, 2), CellsOfRanks(other, other, 2))
    assert len(tables) == len(weights) == len(WINDOWS) + 1
    nothing = CellsOfRanks(np.array([NAN]), np.empty(0), 2)
    assert len(movement_lifts(nothing, CellsOfRanks(other, other, 2))[0]) == len(WINDOWS) + 1


# Axes -----------------------------------------------------------------------------------------------------------------


def test_a_scale_leaves_a_constant_column_in_its_unit():
    scale = Scale.of(np.array([[1.0, 5.0], [3.0, 5.0], [NAN, 5.0]]))
    assert scale.mean.tolist() == [2.0, 5.0] and scale.deviation.tolist() == [1.0, 1.0]
    assert scale(np.array([[4.0, 7.0]])).tolist() == [[2.0, 2.0]]
    assert Scale.of(np.array([[1.0], [1.5]])).deviation.tolist() == [0.25]


@given(few, st.lists(st.sampled_from([0.0, 1.0, 1.5, 4.0]), max_size=4, unique=True))
def test_the_nearest_level_of_a_value(values, levels):
    levels = sorted(levels)
    found = nearest_level(np.array(values), np.array(levels)).tolist()
    for value, level in zip(values, found, strict=True):
        if value != value or not levels:
            assert level == -1
        else:
            gaps = [abs(value - each) for each in levels]
            assert gaps[level] == min(gaps)


def test_of_two_levels_as_near_the_upper_one_is_taken():
    assert nearest_level(np.array([1.0, 0.9, 1.1, -5.0, 9.0]), np.array([0.0, 2.0])).tolist() == [1, 0, 1, 0, 1]
    assert nearest_level(np.array([3.0]), np.array([7.0])).tolist() == [0]


AXIS = JointAxis(("x", "y"), 1.0, np.array([2.0, 0.0]), np.array([1.0, 1.0]), np.log(np.array([0.5, 0.3, 0.2])))


def test_positions_on_an_axis_by_hand(monkeypatch):
    known, rows = np.array([[0.0, 9.0], [NAN, 1.0]]), np.array([[1.0, 1.0], [3.0, 2.0], [0.0, 2.0], [NAN, 1.0]])
    predicted, levels, of_row = AXIS.positions(known, rows)
    assert predicted[0] == 1.0 and np.isnan(predicted[1])
    assert levels.tolist() == [2.0, 5.0] and of_row.tolist() == [0, 1, 0, -1]
    monkeypatch.setattr(axes, "LEVELS", 3)
    many = np.column_stack([np.arange(7.0), np.zeros(7)])
    assert AXIS.positions(known, many)[1].tolist() == [0.0, 3.0, 6.0]


def test_a_row_is_judged_by_the_levels_between_it_and_the_prediction():
    """Levels of 0, 1, 2 and 3, of which the first is that of two rows; on average no row is likelier than another."""
    known, rows = (
        np.array([[0.0, 0.0], [NAN, 0.0], [1.0, 0.0]]),
        np.array([[0.0, 0], [1, 0], [2, 0], [3, 0], [0, 0], [NAN, 0]]),
    )
    table = AXIS.table(known, rows)
    assert table.of_record.tolist() == [1, -1, 3] and table.of_row.tolist() == [0, 1, 2, 3, 0, 4] and table.lift
    density = np.array([[0.5, 0.3, 0.2, 0.2], [0.3, 0.5, 0.3, 0.2], [0.2, 0.3, 0.5, 0.3], [0.2, 0.2, 0.3, 0.5]])
    share = np.array([0.4, 0.2, 0.2, 0.2])
    assert np.exp(table.entries[:, :4]) == pytest.approx(density / (density @ share)[:, None])
    assert table.entries[:, 4].tolist() == [0] * 4


def test_the_density_of_distances_by_hand():
    """Of five records with four levels, two are at their own level, two beside it and one at a distance of three."""
    axis = JointAxis(("x",), 0.0, np.ones(1), np.ones(1), np.zeros(1))
    before, after = np.array([[0.0], [1], [2], [3], [0]]), np.array([[0.0], [1], [1], [2], [3]])
    rows = np.array([[0.0], [1], [2], [3]])
    found = axes._with_density(
        axis, [MaskedAgain(before, after, rows), MaskedAgain(np.array([[NAN]]), np.array([[1.0]]), rows)]
    )
    counts = np.array([2.5, 2.5, 0.5, 1.5])
    smooth = counts / counts.sum() / np.array([1, 2, 2, 2])
    expected = 0.999 * smooth / smooth.sum() + 0.001 / 4
    assert np.exp(found.log_density) == pytest.approx(expected)


def test_far_distances_are_counted_in_steps_that_double():
    axis = JointAxis(("x",), 0.0, np.ones(1), np.ones(1), np.zeros(1))
    rows = np.arange(12.0)[:, None]
    before, after = np.zeros((3, 1)), np.array([[0.0], [6.0], [10.0]])
    found = axes._with_density(axis, [MaskedAgain(before, after, rows)])
    running = 3 + np.cumsum(2 ** np.arange(0, 12, 0.5)).astype(int)
    edges = np.array(sorted({0, 1, 2, 3, *(each for each in running.tolist() if each < 12)} | {12}))
    counts = np.array([sum(low <= each < high for each in (0, 6, 10)) for low, high in pairwise(edges)]) + 0.5
    density = counts / counts.sum() / np.diff(edges)
    middle = (edges[:-1] + edges[1:] - 1) / 2
    smooth = np.exp(np.interp(np.arange(12), middle, np.log(density)))
    smooth[1:] /= 2
    assert np.exp(found.log_density) == pytest.approx(0.999 * smooth / smooth.sum() + 0.001 / 12)
    assert len(edges) > 4


def test_directions_are_those_of_the_least_rest_beside_the_total():
    """The first number is kept, the second half lost; the total varies most in the second."""
    found = axes._directions(np.diag([0.0, 2.0]), np.diag([1.0, 4.0]))
    assert np.abs(found) == pytest.approx(np.array([[1.0, 0.0], [0.0, 0.5], [0.0, 0.5]]))
    three = axes._directions(np.diag([0.0, 1.0, 2.0]), np.diag([1.0, 4.0, 9.0]))
    assert np.abs(three[-1]) == pytest.approx([0.0, 0.0, 1 / 3])
    flat = axes._directions(np.diag([1.0, 1.0]), np.diag([4.0, 1e-7]))
    assert np.abs(flat) == pytest.approx(np.array([[0.5, 0.0]]))
    many = axes._directions(np.diag([4.0, 3.0, 2.0, 1.0, 5.0]), np.eye(5))
    assert len(many) == 4 and np.abs(many[:3]).argmax(axis=1).tolist() == [3, 2, 1]


def test_axes_are_tried_as_they_are_and_as_a_regression_has_them():
    """Two numbers whose sum is kept and whose difference is lost: one axis of each kind is the sum."""
    rng = np.random.default_rng(1)
    before = rng.standard_normal((30, 2))
    half = before.sum(axis=1, keepdims=True) / 2
    noise = rng.standard_normal((30, 1))
    after = np.hstack([half + noise, half - noise])
    after[0, 0], before[1, 1] = NAN, NAN
    found = joint_axes(("x", "y"), [MaskedAgain(before, after, after)])
    assert len(found) == 6 and all(each.names == ("x", "y") for each in found)
    for first, slope_is_direction in ((found[0], True), (found[3], False)):
        assert first.direction[0] == pytest.approx(first.direction[1])
        assert first.constant == pytest.approx(0.0, abs=1e-9)
        assert first.slope == pytest.approx(first.direction, abs=1e-6)
        assert slope_is_direction is (first is found[0])
    assert found[1].slope == pytest.approx(found[1].direction)
    few_records = MaskedAgain(before[2:6], after[2:6], after)
    assert joint_axes(("x", "y"), [few_records]) == []
    assert joint_axes(("x", "y"), [MaskedAgain(before[2:7], after[2:7], after)])


def test_an_axis_has_a_thousand_levels_at_most_and_values_of_one_level_differ_by_rounding():
    many = np.column_stack([np.arange(1_500.0), np.zeros(1_500)])
    _, levels, _ = AXIS.positions(many[:1], many)
    assert len(levels) == 1_000 and (levels[0], levels[-1]) == (0.0, 1_499.0)
    _, levels, of_row = AXIS.positions(many[:1], np.array([[0.0, 0.0], [3e-10, 0.0], [3e-9, 0.0]]))
    assert len(levels) == 2 and of_row.tolist() == [0, 0, 1]


def test_axes_of_three_numbers_need_more_than_six_records():
    rng = np.random.default_rng(2)
    before = rng.standard_normal((7, 3))
    after = before + 0.1 * rng.standard_normal((7, 3))
    assert joint_axes(("x", "y", "z"), [MaskedAgain(before[:6], after[:6], after)]) == []
    assert joint_axes(("x", "y", "z"), [MaskedAgain(before, after, after)])
