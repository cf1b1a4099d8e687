"""Constraints of rows, prepared: windows, orders and classes by definition."""

import itertools

import numpy as np

from sdckit.kernels.row_constraints import Sets, prepared, present_values


def test_a_missing_value_is_infinite_or_fits_by_column():
    values = np.array([[1.0, np.nan], [np.nan, 2.0]])
    assert present_values(values, None).tolist() == [[1, np.inf], [np.inf, 2]]
    found = present_values(values, np.array([True, False]))
    assert np.array_equal(found, [[1, np.inf], [np.nan, 2]], equal_nan=True)


def constraints(seed):
    rng = np.random.default_rng(seed)
    rows, records, attributes, count = (int(each) for each in rng.integers([1, 1, 0, 0], [7, 5, 3, 3]))
    values = rng.integers(0, 4, (rows, attributes)).astype(float)
    values[rng.random(values.shape) < 0.2] = np.nan
    present = present_values(values, rng.random(attributes) < 0.5)
    lower = rng.integers(0, 4, (records, attributes)).astype(float)
    upper = lower + rng.integers(0, 2, lower.shape)
    admitted = [[np.flatnonzero(rng.random(4) < 0.5) for _ in range(records)] for _ in range(count)]
    sets = [
        Sets(
            rng.integers(0, 4, rows),
            np.cumsum([0, *map(len, classes)]),
            np.concatenate([np.zeros(0, np.int64), *classes]),
        )
        for classes in admitted
    ]
    return lower, upper, present, sets, admitted


def test_a_window_has_the_rows_of_its_interval_in_order():
    for seed in range(40):
        lower, upper, present, sets, _ = constraints(seed)
        same_lower, same_upper, same_present, order, first, last, missing, *_ = prepared(lower, upper, present, sets)
        assert same_lower is lower and same_upper is upper and same_present is present
        for index, column in enumerate(present.T):
            assert order[:, index].tolist() == np.argsort(column, kind="stable").tolist()
            assert missing[index] == sum(value != value for value in column)
            for record in range(len(lower)):
                window = order[first[record, index] : last[record, index], index]
                inside = (column >= lower[record, index]) & (column <= upper[record, index])
                assert sorted(window.tolist()) == np.flatnonzero(inside).tolist()


def test_flattened_sets_give_back_classes_records_and_rows():
    for seed in range(40):
        lower, upper, present, sets, admitted = constraints(seed)
        of_row, starts, listed, listed_from, row_order, class_starts, class_from = prepared(
            lower, upper, present, sets
        )[7:]
        assert of_row.shape == row_order.shape == (len(sets), len(present))
        for number, each in enumerate(sets):
            assert of_row[number].tolist() == each.of_row.tolist()
            offsets = starts[number * (len(lower) + 1) : (number + 1) * (len(lower) + 1)]
            mine = listed[listed_from[number] : listed_from[number + 1]]
            assert [mine[a:b].tolist() for a, b in itertools.pairwise(offsets)] == [
                classes.tolist() for classes in admitted[number]
            ]
            ends = class_starts[class_from[number] : class_from[number + 1]]
            assert len(ends) == max(each.of_row.max(), each.listed.max(initial=-1)) + 2
            for category, (a, b) in enumerate(itertools.pairwise(ends)):
                assert row_order[number, a:b].tolist() == np.flatnonzero(each.of_row == category).tolist()


def test_without_rows_or_sets_nothing_is_listed():
    _, starts, listed, listed_from, _, class_starts, class_from = prepared(*[np.empty((0, 0))] * 3, [])[7:]
    assert [each.tolist() for each in (starts, listed, listed_from, class_starts, class_from)] == [
        [0],
        [],
        [0],
        [0],
        [0],
    ]
    no_rows = Sets(np.zeros(0, np.int64), np.array([0, 0]), np.zeros(0, np.int64))
    *_, class_starts, class_from = prepared(*[np.empty((0, 0))] * 3, [no_rows])[7:]
    assert class_starts.tolist() == [0] and class_from.tolist() == [0, 1]
