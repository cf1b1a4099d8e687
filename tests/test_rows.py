"""The four ways in which rows correspond to records."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import NotApplicableError, SchemaError
from sdckit.rows import Matched, Sampled, Unknown, Unrelated, correspondence, in_order, origin_of


@given(st.permutations(range(12)))
def test_any_order_of_all_records_is_matched(order: list[int]) -> None:
    rows = correspondence(np.array(order), 12)
    assert isinstance(rows, Matched) and origin_of(rows).tolist() == order


@given(st.permutations(range(12)), st.integers(0, 11))
def test_fewer_rows_than_records_are_a_sample(order: list[int], size: int) -> None:
    rows = correspondence(np.array(order[:size]), 12)
    assert isinstance(rows, Sampled) and origin_of(rows).tolist() == order[:size]


def test_a_row_that_belongs_to_no_record_makes_a_sample() -> None:
    assert isinstance(correspondence(np.array([0, -1, 2]), 3), Sampled)


@pytest.mark.parametrize("origin", [[0, 0, 1], [0, 5, 1], [0, -2, 1]])
def test_a_record_named_twice_or_not_there_is_refused(origin: list[int]) -> None:
    with pytest.raises(SchemaError):
        correspondence(np.array(origin), 3)


@pytest.mark.parametrize("origin", [[0, 0], [0, 2], [-1, 0]])
def test_what_is_not_one_to_one_is_not_matched(origin: list[int]) -> None:
    with pytest.raises(SchemaError, match="one to one"):
        Matched(np.array(origin))


def test_a_correspondence_does_not_change_with_the_array_it_was_made_from() -> None:
    origin = np.array([1, 0])
    rows = Matched(origin)
    origin[0] = 0
    assert rows.origin.tolist() == [1, 0]
    with pytest.raises(ValueError):
        rows.origin[0] = 0


def test_no_origin_where_no_row_belongs_to_a_record() -> None:
    with pytest.raises(NotApplicableError, match="synthesised"):
        origin_of(Unrelated())


def test_no_origin_where_it_is_not_known_and_the_cures_are_named() -> None:
    with pytest.raises(NotApplicableError, match=r"the reason.*--key.*--match-on.*--rows-in-order"):
        origin_of(Unknown("the reason"))


def test_in_order_is_the_identity() -> None:
    assert origin_of(in_order(3)).tolist() == [0, 1, 2]
