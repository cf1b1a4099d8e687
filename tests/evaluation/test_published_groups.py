"""Groups with counts: nobody is lost, no group is small, and the row of the others hides at least as many."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import ParameterError, SchemaError
from sdckit.evaluation.published_groups import COUNT, WEIGHTED, published_groups
from sdckit.microdata import Microdata


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c", None]), st.sampled_from([1, 2, None])), min_size=5),
    st.integers(1, 5),
)
def test_every_record_is_in_a_group_that_is_large_enough(rows, group_size):
    frame = pl.DataFrame(rows, schema={"x": pl.String, "y": pl.Int64}, orient="row")
    found = published_groups(Microdata.from_frame(frame, kinds={"y": "discrete"}), ["x", "y"], group_size)
    assert found[COUNT].sum() == len(rows)
    assert found[COUNT].min() >= group_size
    counted = Counter(rows)
    for *values, records in found.rows():
        if values != [None, None]:
            assert counted[tuple(values)] == records


def test_by_hand_with_weights():
    frame = pl.DataFrame({"town": ["Ely"] * 3 + ["Rye"] * 4 + ["Wells"], "w": [1.0] * 3 + [2.0] * 4 + [10.0]})
    data = Microdata.from_frame(frame, roles={"town": "key", "w": "weight"})
    found = published_groups(data, ["town"], 3)
    assert found.to_dicts() == [
        {"town": "Rye", COUNT: 4, WEIGHTED: 8.0},
        {"town": None, COUNT: 4, WEIGHTED: 13.0},
    ]


def test_what_cannot_be_is_refused():
    data = Microdata.from_frame(pl.DataFrame({"records": [1, 1]}))
    with pytest.raises(ParameterError, match="rename"):
        published_groups(data, ["records"], 1)
    with pytest.raises(ParameterError, match="no columns"):
        published_groups(data, [], 1)
    with pytest.raises(SchemaError, match="2 records cannot fill a group of 3"):
        published_groups(data, ["records"], 3)
