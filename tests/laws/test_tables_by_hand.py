"""The parts of learned tables, each beside its definition on a few values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter

from sdckit.laws import learned_tables as tables
from sdckit.laws.learned_tables import (
    LearnedCategories,
    LearnedNumbers,
    category_law,
    learned_categories,
    learned_numbers,
    lifts,
    number_law,
    rank_cells,
)

few = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan]), min_size=1, max_size=7)


@given(few, few, st.integers(2, 5))
def test_the_cell_of_a_value_is_that_of_its_middle_rank(values, among, cells):
    there = [each for each in among if each == each]
    expected = []
    for value in values:
        middle = (sum(each < value for each in there) + sum(each <= value for each in there)) / 2
        cell = min(int(middle / max(len(there), 1) * cells), cells - 1)
        expected.append(cell if value == value else -1)
    assert rank_cells(np.array(values), np.array(among), cells).tolist() == expected


def test_lifts_compare_a_line_with_all_lines():
    """Of eight, half are in column 0; in line 0 three of four are, and line 2 was never seen."""
    found = lifts(np.array([[3.0, 1, 0], [1, 3, 0], [0, 0, 0]]))
    mixed = 0.999 * np.array([[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]]) + 0.001 * 0.5
    assert np.exp(found[:, :2]) == pytest.approx(mixed / 0.5)
    assert np.exp(found[:, 2]) == pytest.approx([1e-4] * 3)
    assert np.exp(lifts(np.zeros((1, 2)))) == pytest.approx(np.full((1, 2), 1e-4))


def test_an_event_that_no_replay_showed_of_a_line_has_the_background():
    assert np.exp(lifts(np.array([[2.0, 0.0], [0.0, 2.0]]))) == pytest.approx(
        np.array([[0.9995 / 0.5, 0.0005 / 0.5], [0.0005 / 0.5, 0.9995 / 0.5]])
    )


def test_starts_and_ends_are_counted_in_each_replay():
    ends = np.array([[0, 1, 1, 2], [2, 1, 0, 2]])
    assert tables._counted(np.array([0, 1, -1, 1]), ends, 3, 4).tolist() == [[1, 0, 1, 0], [0, 2, 2, 0], [0, 0, 0, 0]]
    own = np.array([[0, 1, -1, 1], [1, 1, 0, -1]])
    assert tables._counted(own, ends, 2, 3).tolist() == [[2, 0, 0], [0, 2, 2]]


def test_types_of_changes_by_hand():
    """Node 3 comprises categories 0 and 1, node 4 category 2; a fourth start is beyond the table."""
    covers = np.zeros((5, 3), dtype=bool)
    covers[[0, 1, 2, 3, 3, 4], [0, 1, 2, 0, 1, 2]] = True
    assert tables._types(covers, 3, 5).tolist() == [[0, 2, 2, 1, 2, 3], [2, 0, 2, 1, 2, 3], [2, 2, 0, 2, 1, 3]]
    assert tables._types(covers, 4, 4).tolist()[3] == [2, 2, 2, 0, 3]
    assert tables._types(covers, 2, 3).tolist() == [[0, 2, 2, 3], [2, 0, 2, 3]]


def raked(counts: np.ndarray, types: np.ndarray, known: np.ndarray, released: np.ndarray) -> np.ndarray:
    """The joint table of starts and ends with the margins of the files, entry by entry."""
    margin = (released + 1e-3) / (released + 1e-3).sum()
    weights = (known + 1e-3) / (known + 1e-3).sum()
    shares = [counts[types == kind].sum() / counts.sum() for kind in range(4)]
    joint = np.zeros(counts.shape)
    for line in range(len(counts)):
        within = np.zeros(counts.shape[1])
        for kind, share in enumerate(shares):
            own = types[line] == kind
            if own.any():
                within[own] += share * margin[own] / margin[own].sum()
        joint[line] = weights[line] * (counts[line] + 100 * within / within.sum()) / (counts[line].sum() + 100)
    for _ in range(20):
        joint = joint * margin / joint.sum(axis=0)
        joint = joint * (weights / joint.sum(axis=1))[:, None]
    mixed = 0.999 * joint / joint.sum(axis=1, keepdims=True) + 0.001 * margin
    return np.log(mixed / margin)


def test_raked_lifts_are_those_of_the_joint_table_with_the_margins_of_the_files():
    rng = np.random.default_rng(2)
    types = np.array([[0, 2, 2, 1, 3], [2, 0, 2, 1, 3], [2, 2, 0, 2, 3]])
    for _ in range(4):
        counts = rng.integers(0, 6, (3, 5)).astype(float)
        known, released = rng.integers(0, 9, 3), rng.integers(1, 9, 5)
        assert tables._raked_lifts(counts, types, known, released) == pytest.approx(
            raked(counts, types, known, released)
        )


def test_the_line_of_a_record_is_its_own_replays_and_some_of_its_category():
    before, ends = np.array([0, 1, -1]), np.array([[0, 1, 2], [0, 0, 2]])
    pooled = np.array([[6.0, 2, 0], [1, 1, 0], [0, 0, 0]])
    found = tables._own_lifts(before, ends, pooled)
    margin = np.array([0.7, 0.3])
    own = np.array([[2, 0], [1, 1], [0, 0]])
    shares = np.array([[0.75, 0.25], [0.5, 0.5], [0.75, 0.25]])
    expected = 0.999 * (own + 4 * shares) / 6 + 0.001 * margin
    assert np.exp(found[:, :2]) == pytest.approx(expected / margin)
    assert np.exp(found[:, 2]) == pytest.approx([1e-4] * 3)


def test_the_median_cell_of_a_record_and_the_mean_lift_of_what_became_of_it():
    ends = np.array([[0, -1, 3, 1], [2, -1, -1, 2], [1, -1, 9, 2]])
    assert tables._centres(ends, 5).tolist() == [1, -1, 4, 2]
    table = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    start = np.array([0, -1, 1])
    assert tables._gain(table, start, np.array([[0, 0, 1], [-1, 0, 0]]), 2) == (1 + 5 + 3 + 4) / 4
    assert tables._gain(table, np.array([-1]), np.array([[0]]), 2) == 0.0


@pytest.mark.parametrize(
    ("ends", "pairs"),
    [
        ([[0, 1, 2, 3]], 4),
        ([[0, 1, 2, 3], [3, 2, 1, 0]], 8),
        ([[0, 1, 2, 3], [0, 1, 2, 3]], 4),
        ([list(range(10)), [*range(9), 0]], 20),
        ([list(range(20)), [*range(19), 0]], 20),
        ([[0, 1], [5, 5], [0, 1]], 2),
    ],
)
def test_replays_that_end_alike_count_once(ends, pairs):
    assert tables._independent_pairs(np.array(ends)) == pairs


@pytest.mark.parametrize("cells", [4, 7])
@pytest.mark.parametrize(
    ("pairs", "along", "across"), [(10**9, 2.0, 1.5), (800, 10.0, 2.5), (1, 15.0, 3.0), (0, 15.0, 3.0)]
)
def test_counts_are_smoothed_along_the_diagonal(cells, pairs, along, across):
    counts = np.random.default_rng(cells).random((cells, cells))
    sheared = np.zeros((cells, 2 * cells - 1))
    for start in range(cells):
        for end in range(cells):
            sheared[start, end - start + cells - 1] = counts[start, end]
    smooth = gaussian_filter(sheared, (along, across), mode="nearest")
    expected = [[smooth[start, end - start + cells - 1] for end in range(cells)] for start in range(cells)]
    assert tables._smoothed(counts, pairs) == pytest.approx(np.array(expected))


def test_fine_tables_have_widths_of_their_own(monkeypatch):
    monkeypatch.setattr(tables, "CELLS", 3)
    counts = np.zeros((9, 9))
    counts[4, 4] = 1.0
    for pairs, along, across in ((10**9, 5.0, 0.7), (1_000, 8.0, 2.0), (1, 30.0, 6.0)):
        sheared = np.zeros((9, 17))
        sheared[4, 8] = 1.0
        smooth = gaussian_filter(sheared, (along, across), mode="nearest")
        assert tables._smoothed(counts, pairs)[4] == pytest.approx(smooth[4, 4:13])


def test_a_table_of_ranks_has_a_last_column_for_missing_values():
    start, ends = np.array([0, 1, 2, 2]), np.array([[0, 1, -1, 2], [1, 1, -1, 2]])
    counts = np.array([[1.0, 1, 0], [0, 2, 0], [0, 0, 2]])
    expected = lifts(np.column_stack([tables._smoothed(counts, 8), [0, 0, 2]]))
    assert tables._rank_table(start, ends, 3) == pytest.approx(expected)


def test_the_law_of_a_number_by_its_rank_among_the_released_values():
    """Not all records are known: the line of a value is its rank among those that were released with it."""
    before, after = np.array([1.0, 2, 3, 4]), [(np.array([2.0, 1, np.nan, 4]), np.array([2.0, 1, 4, 7, 9]))] * 2
    law = number_law("x", [before] * 2, after)
    cells = 4
    starts = [rank_cells(before, column, cells) for _, column in after]
    ends = [rank_cells(values, column, cells) for values, column in after]
    assert law.lines is None and law.entries == pytest.approx(
        tables._rank_table(np.array(starts), np.array(ends), cells)
    )
    assert number_law("x", [before] * 2, after, most=3).entries.shape == (3, 4)
    assert number_law("x", [before[:1]], [(before[:1], before)]).entries.shape == (2, 3)
    rows = np.array([0, 2])
    table = learned_numbers("x", before, after, np.array([2.0, np.nan]), np.array([1.0, 5, np.nan, 2]), rows)
    assert table.of_record.tolist() == [2, -1] and table.of_row.tolist() == [0, 4] and table.lift
    assert np.array_equal(table.entries, law.entries)


@pytest.mark.parametrize(("replays", "own"), [(7, False), (8, True)])
def test_a_record_s_own_replays_are_looked_at_from_eight_on(replays, own):
    """Each goes to a rank of its own, which its value does not say."""
    before, ends = np.arange(12.0), np.random.default_rng(1).permutation(12).astype(float)
    law = number_law("x", [before] * replays, [(ends, ends)] * replays, by_record=True)
    expected = ends if own else before
    assert law.lines.tolist() == rank_cells(expected, expected, 12).tolist()
    lines = rank_cells(expected, expected, 12)
    seen = np.array([rank_cells(ends, ends, 12)] * (replays - replays // 2 if own else replays))
    assert law.entries == pytest.approx(tables._rank_table(lines, seen, 12))


def test_the_line_of_a_record_that_was_always_suppressed_is_its_rank():
    before = np.array([*np.arange(11.0), np.nan])
    ends = np.random.default_rng(1).permutation(12).astype(float)
    ends[3] = np.nan
    law = number_law("x", [before] * 8, [(ends, ends)] * 8, by_record=True)
    ranks = rank_cells(before, before, 12)
    assert law.lines[3] == ranks[3] and law.lines[11] == -1
    assert law.lines[0] == rank_cells(ends, ends, 12)[0]


def test_tables_of_numbers_for_some_rows():
    entries = np.arange(6.0).reshape(2, 3)
    released = np.array([1.0, 9.0, np.nan, 3.0])
    fixed = LearnedNumbers("x", entries, np.array([1, 0])).table(np.array([0.0, 0.0]), released, slice(None))
    assert fixed.of_record.tolist() == [1, 0] and fixed.of_row.tolist() == [0, 1, 2, 1]
    free = LearnedNumbers("x", entries, None).table(np.array([9.0, np.nan, 0.0]), released, np.array([2, 0]))
    assert free.of_record.tolist() == [1, -1, 0] and free.of_row.tolist() == [2, 0] and free.names == ("x",)


def test_tables_of_categories_for_some_rows():
    entries = np.arange(6.0).reshape(2, 3)
    law = LearnedCategories("t", entries, None)
    plain = law.table(np.array([1, -1, 0]), np.array([0, 1, -1]), np.array([2, 1, 0]))
    assert (plain.of_record.tolist(), plain.of_row.tolist()) == ([1, -1, 0], [2, 1, 0]) and plain.entries is entries
    assert plain.lift
    first_new = law.table(np.array([1]), np.array([2, 1]), slice(None))
    assert first_new.of_row.tolist() == [3, 1]
    new = law.table(np.array([1]), np.array([5, 2, 1, -1]), slice(None))
    assert new.of_row.tolist() == [3, 3, 1, 2] and np.exp(new.entries[:, 3:]) == pytest.approx(np.full((2, 1), 1e-4))
    assert LearnedCategories("t", entries, np.array([1, 1])).table(
        np.array([0, 0]), np.array([0]), slice(None)
    ).of_record.tolist() == [1, 1]


def test_the_law_of_a_category_has_a_line_and_a_column_for_every_code():
    before, after = np.array([0, 1, -1, 0]), [np.array([0, 2, 0, -1]), np.array([1, 1, 0, 0])]
    law = category_law("t", [before] * 2, after, np.array([3, 0]), np.array([4, -1]))
    counts = np.zeros((4, 6))
    counts[0, [0, 5, 1, 0]] += [1, 1, 1, 1]
    counts[0, 0] = 2
    counts[1, [2, 1]] += 1
    assert law.lines is None and law.entries == pytest.approx(lifts(counts))
    table = learned_categories("t", before, after, np.array([3, 0]), np.array([4, -1]), np.array([1, 0]))
    assert table.of_row.tolist() == [5, 4] and table.of_record.tolist() == [3, 0]


@pytest.mark.parametrize(("replays", "own"), [(7, False), (8, True)])
def test_records_have_lines_of_their_own_from_eight_replays_on(replays, own):
    before, ends = np.array([0, 1, 0, 1, -1, 1]), np.array([1, 1, 0, 0, 0, -1])
    law = category_law("t", [before] * replays, [ends] * replays, before, ends, by_record=True)
    assert (law.lines is not None) is own
    counts = tables._counted(before, np.array([np.where(ends < 0, 2, ends)] * replays), 2, 3)
    if own:
        assert law.lines.tolist() == [0, 1, 2, 3, -1, 5]
        every = np.array([np.where(ends < 0, 2, ends)] * replays)
        assert law.entries == pytest.approx(tables._own_lifts(before, every, counts))
    else:
        assert law.entries == pytest.approx(lifts(counts))


def test_one_half_of_the_replays_places_the_records_and_the_other_half_counts():
    """Each record goes to a place of its own in the first half, and to that of its neighbour in the second."""
    rng = np.random.default_rng(5)
    before, places = np.arange(12.0), rng.permutation(12).astype(float)
    ends = [places if number < 4 else (places + number // 4) % 12 for number in range(9)]
    law = number_law("x", [before] * 9, [(each, each) for each in ends], by_record=True)
    assert law.lines.tolist() == places.tolist()
    second = np.array(ends[4:], dtype=np.int64)
    assert law.entries == pytest.approx(tables._rank_table(places.astype(np.int64), second, 12))


def test_records_have_lines_of_their_own_only_where_the_first_half_tells_the_second():
    """The replays of each half are alike, and those of one half say nothing of the other."""
    before = np.repeat([0, 1], 8)
    one, other = np.tile([0, 1], 8), np.tile([0, 0, 1, 1], 4)
    told = category_law("t", [before] * 9, [one] * 9, before, one, by_record=True)
    assert told.lines is not None
    untold = category_law("t", [before] * 9, [one] * 4 + [other] * 5, before, one, by_record=True)
    assert untold.lines is None


def test_missing_categories_take_no_part_in_whether_records_have_lines_of_their_own():
    """Most records have no category, and what became of these would be told by their own replays."""
    before = np.array([0, 1, 0, 1, *[-1] * 20])
    ends = np.array([0, 1, 0, 1, *[0, 1] * 10])
    assert category_law("t", [before] * 8, [ends] * 8, before, ends, by_record=True).lines is None


def test_a_table_that_no_replay_completes_is_scaled_to_the_shares_in_the_release():
    """Of each start as many are counted: the margins are those of the files, whose counts may be 0."""
    types = np.array([[0, 2, 3], [2, 0, 3]])
    counts, known, released = np.array([[8.0, 2, 0], [2, 40, 3]]), np.array([0, 5]), np.array([3, 0, 2])
    assert tables._raked_lifts(counts, types, known, released) == pytest.approx(raked(counts, types, known, released))


def test_lifts_do_not_depend_on_how_much_is_counted():
    counts = np.array([[3.0, 1.0], [1.0, 2.0]])
    assert lifts(counts / 16) == pytest.approx(lifts(counts))


def test_a_category_that_is_only_in_one_of_the_files_has_a_line_or_a_column():
    """As many lines as the largest code before or known says, and columns as the largest one after or released."""
    one = np.array([0, 0])
    for before, after, known, released, shape in (
        (one, one, one, one, (1, 2)),
        (np.array([2, 0]), one, one, one, (3, 2)),
        (one, one, np.array([2, 0]), one, (3, 2)),
        (one, np.array([3, 0]), one, np.array([1]), (1, 5)),
        (one, one, one, np.array([3, 0]), (1, 5)),
    ):
        assert category_law("t", [before], [after], known, released).entries.shape == shape


@pytest.mark.parametrize("released", [[0, 1, 1, 3, -1, 0, 0], [2, 0, 1, 3, 3]])
def test_a_law_of_few_records_is_raked_to_the_counts_in_the_two_files(released):
    covers = np.vstack([np.eye(3, dtype=bool), [[True, True, False]]])
    before, after = np.array([0, 0, 1, 2, -1]), np.array([0, 3, 1, -1, 2])
    known = np.array([0, 1, 1, -1, 2])
    law = category_law("t", [before], [after], known, np.array(released), covers=covers)
    counts = np.zeros((3, 5))
    counts[[0, 0, 1, 2], [0, 3, 1, 4]] = 1
    types = np.array([[0, 2, 2, 1, 3], [2, 0, 2, 1, 3], [2, 2, 0, 2, 3]])
    columns = np.array([released.count(code) for code in (0, 1, 2, 3, -1)])
    assert law.entries == pytest.approx(raked(counts, types, np.array([1, 2, 1]), columns))


def test_a_record_without_a_category_counts_as_anybody_where_no_record_has_the_first():
    ends, pooled = np.array([[0, 1]]), np.array([[0.0, 0], [3, 1]])
    found = tables._own_lifts(np.array([-1, 1]), ends, pooled)
    margin = np.array([0.75, 0.25])
    expected = 0.999 * (np.eye(2) + 4 * margin) / 5 + 0.001 * margin
    assert np.exp(found) == pytest.approx(expected / margin)


def test_one_record_of_a_category_shows_what_becomes_of_it():
    found = tables._own_lifts(np.array([0, 1]), np.array([[0, 1]]), np.array([[1.0, 0], [0, 3]]))
    margin = np.array([0.25, 0.75])
    assert np.exp(found) == pytest.approx((0.999 * np.eye(2) + 0.001 * margin) / margin)
