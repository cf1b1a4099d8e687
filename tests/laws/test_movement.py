"""What a number may have become: within a window of ranks or by an error, averaged over the ranks of equal values."""

import numpy as np
import pytest

from sdckit.laws.movement import ERRORS, WINDOWS, CellsOfRanks, _within, movement_lifts

RNG = np.random.default_rng(1)


def cells_of(values: np.ndarray, cells: int = 10) -> CellsOfRanks:
    return CellsOfRanks(values, np.sort(values[~np.isnan(values)]), cells)


def test_half_of_the_pairs_of_two_neighbouring_halves_lie_within_a_half():
    halves = (np.array([0.0, 0.5]), np.array([0.5, 1.0]))
    assert _within(halves, halves, 0.5) == pytest.approx(np.array([[1.0, 0.5], [0.5, 1.0]]))


def test_the_share_within_a_window_is_that_of_a_fine_grid():
    low = np.sort(RNG.random(4))
    ranges = (low, low + 0.3 * RNG.random(4))
    steps = (np.arange(1000) + 0.5) / 1000
    points = [low + steps * (high - low) for low, high in zip(*ranges, strict=True)]
    grid = [[(np.abs(one[:, None] - other[None, :]) <= 0.12).mean() for other in points] for one in points]
    assert _within(ranges, ranges, 0.12) == pytest.approx(np.array(grid), abs=0.003)


def test_equal_values_are_in_one_cell_that_covers_all_their_ranks():
    values = np.concatenate([np.full(60, 40.0), np.arange(20), np.arange(50, 70)])
    cells = cells_of(values)
    assert len(set(cells.of[:60])) == 1
    low, high = (each[cells.of[0]] for each in cells.range)
    assert low <= 0.2
    assert high >= 0.8


def test_a_missing_value_has_no_cell():
    assert cells_of(np.array([1.0, np.nan, 3.0])).of.tolist()[1] == -1


@pytest.mark.parametrize("values", [RNG.random(200), RNG.integers(0, 5, 200).astype(float), np.ones(200)])
def test_on_average_over_the_release_no_value_is_likelier_than_for_anybody(values):
    known, released = cells_of(values), cells_of(np.roll(values, 1))
    lifts, weights = movement_lifts(known, released)
    filled = np.bincount(released.of, minlength=10) / 200
    assert weights.sum() == pytest.approx(1.0)
    for table in lifts:
        assert (table[np.unique(known.of)] @ filled) == pytest.approx(1.0, abs=1e-3)


def test_a_frequent_value_that_stays_says_less_than_a_rare_one():
    values = np.concatenate([np.full(100, 40.0), RNG.random(100)])
    cells = cells_of(values, 50)
    table = movement_lifts(cells, cells)[0][WINDOWS.index(0.05)]
    frequent, rare = cells.of[0], cells.of[150]
    assert table[frequent, frequent] < 2.1
    assert table[rare, rare] > 5


@pytest.mark.parametrize("values", [RNG.random(200), np.ones(200)])
def test_before_anything_is_learned_wide_moves_weigh_more(values):
    """A window weighs as its width, so that gaps within it are not likelier for the number of narrower windows."""
    _, weights = movement_lifts(cells_of(values), cells_of(values))
    windows = weights[: len(WINDOWS)]
    assert windows / windows[0] == pytest.approx(np.array(WINDOWS) / WINDOWS[0])


def test_a_value_beyond_all_others_is_in_the_outermost_cell():
    cells = CellsOfRanks(np.array([-5.0, 0.4, 9.0]), np.linspace(0, 1, 50), 10)
    assert cells.of.tolist() == [0, 4, 9]


def test_a_release_of_one_value_says_nothing():
    lifts, _ = movement_lifts(cells_of(RNG.random(200)), cells_of(np.ones(200)))
    filled = cells_of(np.ones(200)).of[0]
    assert np.array(lifts)[:, :, filled] == pytest.approx(1.0, abs=1e-3)


def test_values_that_differ_in_their_last_digit_have_no_negative_likelihood():
    values = np.array([*[0.3] * 57, np.nextafter(0.3, 1), *np.linspace(0.4, 0.9, 57)])
    released = cells_of(values, cells=115)
    assert released.mean[released.of[0]] > released.mean[released.of[57]]  # the mean of many copies is rounded
    lifts, _ = movement_lifts(cells_of(values), released)
    assert np.isfinite(lifts).all() and lifts.min() >= 0


def test_what_a_move_says_does_not_depend_on_the_unit():
    values = RNG.lognormal(size=200)
    moved = values + 0.1 * RNG.normal(size=200)
    lifts, weights = movement_lifts(cells_of(values), cells_of(moved))
    in_cents, same = movement_lifts(cells_of(100 * values), cells_of(100 * moved))
    assert in_cents == pytest.approx(lifts, rel=1e-6, abs=1e-9)
    assert same.tolist() == weights.tolist()


def test_numbers_that_vary_by_less_than_one_have_errors_too():
    values = np.array([0.1, 0.3, 0.4, 0.9])
    lifts, weights = movement_lifts(cells_of(values, 4), cells_of(values, 4))
    assert len(lifts) == len(weights) == len(WINDOWS) + len(ERRORS) + 1


def test_two_cells_are_as_wide_as_the_gap_between_them():
    assert cells_of(np.array([1.0, 4.0]), 2).width.tolist() == [3.0, 3.0]


def test_lifts_average_to_one_over_the_ranks_of_the_released_cells_whatever_they_cover():
    """The released values are some of those that ranks are taken of: their cells do not cover all ranks."""
    known = cells_of(np.array([0.0, 1.0, 2.0, 5.0, 6.0, 9.0]), 3)
    released = CellsOfRanks(np.array([1.0, 6.0, 9.0]), np.arange(12.0), 3)
    low, high = released.range
    share = (high - low) / (high - low).sum()
    assert (high - low).sum() < 0.5
    lifts, _ = movement_lifts(known, released)
    reached = lifts.sum(axis=2) > 0
    assert reached[len(WINDOWS) :].all() and reached[0].any()
    assert (lifts @ share)[reached] == pytest.approx(1.0)


def test_a_density_counts_while_it_is_above_the_least_beside_the_widest_cell():
    """Cells that are empty have no width, and do not make a value be within reach."""
    released = CellsOfRanks(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 4)
    assert sorted(set(released.width.tolist())) == [0.0, 1.0]
    deviation = 0.5
    for gap, within_reach in ((0.105, True), (0.109, False)):  # exp(−gap² / (2 · 0.005²)) is 1e−96 and 1e−103
        known = CellsOfRanks(np.array([-gap, 1.0 - gap]), np.array([-gap, 1.0 - gap]), 2)
        assert np.std(known.values) == pytest.approx(deviation)
        line = movement_lifts(known, released)[0][len(WINDOWS)][0]
        assert (line == pytest.approx(1.0)) is not within_reach
        assert (line.argmax() == 1) or not within_reach


def test_a_release_without_a_value_says_nothing_by_its_errors():
    lifts, _ = movement_lifts(cells_of(np.array([1.0, 2.0, 4.0]), 3), CellsOfRanks(np.full(2, np.nan), np.empty(0), 3))
    assert lifts[len(WINDOWS) :] == pytest.approx(1.0)
