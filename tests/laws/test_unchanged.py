"""Columns look unchanged where their combinations, not only their values, are the same in both files."""

from types import SimpleNamespace

import numpy as np

from sdckit.laws.unchanged import Unchanged

RNG = np.random.default_rng(1)
FILE = RNG.integers(0, 6, size=(300, 4))


def shuffled(values: np.ndarray) -> np.ndarray:
    return values[np.random.default_rng(2).permutation(len(values))]


def test_all_columns_of_the_same_file_look_unchanged_in_any_order_of_rows():
    assert Unchanged(FILE, shuffled(FILE)).sets[0] == (0, 1, 2, 3)


def test_a_column_that_was_swapped_does_not():
    released = FILE.copy()
    released[:, 2] = shuffled(released[:, 2])
    files = Unchanged(FILE, released)
    assert files.single[2] == 1.0  # its values are the same
    assert files.sets[0] == (0, 1, 3)
    assert not files.mostly(2)


def test_a_single_column_is_a_set_by_itself():
    assert Unchanged(FILE[:, :1], FILE[:, :1]).sets == [(0,)]


def test_a_column_of_new_values_is_not_among_them():
    released = FILE.copy()
    released[:, 0] += 10
    assert Unchanged(FILE, shuffled(released)).sets[0] == (1, 2, 3)


def test_missing_values_are_not_compared():
    released = FILE.copy()
    released[::3, 1] = -1
    assert Unchanged(FILE, shuffled(released)).sets[0] == (0, 1, 2, 3)


def test_nothing_in_common_where_a_column_is_missing_everywhere():
    released = FILE.copy()
    released[:, 0] = -1
    assert Unchanged(FILE, released).single[0] == 0.0


def test_a_sample_of_the_rows_looks_unchanged():
    assert Unchanged(FILE, shuffled(FILE)[:100]).sets[0] == (0, 1, 2, 3)


def test_a_set_grows_by_the_column_that_agrees_best():
    """Columns 1 and 2 both go with column 0, but not with each other; column 3 does not go with it."""
    pairs = {1: 0.99, 2: 1.0, 3: 0.99 / 2}
    files = SimpleNamespace(
        _pair=lambda first, other: pairs[other], common=lambda columns: 0.0 if {1, 2} <= set(columns) else 1.0
    )
    assert Unchanged._grown(files, 0, [0, 1, 2, 3]) == [0, 2]
    assert Unchanged._grown(files, 0, [0, 1, 3]) == [0, 1]
