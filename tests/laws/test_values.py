"""Numbers that differ by a rounding error alone have the same code, and no others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.laws.values import equal_codes, near_codes


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([], []),
        ([np.nan, np.nan], [-1, -1]),
        ([5.0], [0]),
        ([2.0, 1.0, 2.0, np.nan, 3.0], [1, 0, 1, -1, 2]),
        ([1.0, 1.0 + 0.9e-9, 1.0 + 2.5e-9], [0, 0, 1]),
        ([1e9, 1e9 + 0.9, 1e9 + 2.5], [0, 0, 1]),
        ([-1e9, -1e9 - 0.9, -1e9 - 2.5], [1, 1, 0]),
        ([0.0, 1e-12], [0, 1]),
        ([-1e-12, 1e-12], [0, 1]),
    ],
)
def test_codes_by_hand(values, codes):
    assert near_codes(np.array(values, dtype=float)).tolist() == codes


@given(
    st.lists(st.sampled_from([0, 1, 2, 3, None]), max_size=8), st.lists(st.sampled_from([0, 1, 2, 3, None]), max_size=8)
)
def test_equal_values_of_two_columns_have_equal_codes(one, other):
    columns = [np.array([np.nan if each is None else each for each in values], dtype=float) for values in (one, other)]
    first, second = equal_codes(*columns)
    whole = sorted({each for each in [*one, *other] if each is not None})
    assert first.tolist() == [-1 if each is None else whole.index(each) for each in one]
    assert second.tolist() == [-1 if each is None else whole.index(each) for each in other]


def test_codes_of_categories_stay():
    first, second = equal_codes(np.array([3, -1], dtype=np.int32), np.array([7], dtype=np.int32))
    assert (first.tolist(), second.tolist()) == ([3, -1], [7])


def test_codes_of_few_known_records_do_not_keep_those_of_all_rows_in_memory():
    first, second = equal_codes(np.array([1.0, 2.0]), np.arange(1000.0))
    assert first.base is None and second.base is None
