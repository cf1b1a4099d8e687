"""Contradictory edits are named before any work."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit import Microdata, protect
from sdckit.document_check import problems_in
from sdckit.edit_feasibility import contradiction
from sdckit.edits import Edits
from sdckit.errors import SchemaError


def conflict(*texts: str) -> list[str]:
    return [str(edit) for edit in contradiction(tuple(Edits.from_text(*texts)))]


def test_two_bounds_that_exclude_each_other():
    assert conflict("b >= 0", "a >= 5", "a <= 3") == ["a >= 5", "a <= 3"]


def test_a_sum_that_exceeds_the_bound_of_its_total():
    edits = ("total == net + tax", "net >= 5", "tax >= 5", "total <= 9", "other >= 0")
    assert conflict(*edits) == ["total == net + tax", "net >= 5", "tax >= 5", "total <= 9"]


def test_a_strict_inequality_and_its_opposite():
    assert conflict("a > 5", "a <= 5") == ["a > 5", "a <= 5"]
    assert conflict("a >= 5", "a <= 5") == []
    assert conflict("a > 5 and a < 3") == ["a > 5 and a < 3"]


def test_rules_that_are_not_linear_are_no_contradiction():
    assert conflict("if a > 3 then b > 3", "a * b == 4", "a >= 0") == []


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-4, 4)), min_size=1, max_size=4))
def test_edits_that_a_point_satisfies_are_no_contradiction(rows):
    point = np.array([1.0, -2.0])
    texts = [
        f"{a} * x + {b} * y <= {c}" if a * point[0] + b * point[1] <= c else f"{a} * x + {b} * y >= {c}"
        for a, b, c in rows
        if a or b
    ]
    assert conflict(*texts) == []


def test_a_file_with_contradictory_edits_is_masked_by_no_method():
    frame = pl.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": [1.0, 2, 3, 4, 5, 6]})
    data = Microdata.from_frame(frame, edits=Edits.from_text("a >= 5", "a <= 3"))
    with pytest.raises(SchemaError, match="no record can satisfy the edits a >= 5 and a <= 3 together; correct one"):
        protect(data, "mdav", seed=1)
    broken_by_all = Microdata.from_frame(frame, edits=Edits.from_text("a >= 10", "b >= 10"))
    assert len(protect(broken_by_all, "mdav", seed=1).masked) == 6


def test_a_document_with_contradictory_edits_has_a_problem():
    (problem,) = problems_in({"edits": ["a >= 5", {"terms": {"a": 1}, "high": 3}]})
    assert problem.message == "no record can satisfy the edits a >= 5 and a ≤ 3 together"
    (problem,) = problems_in({"edits": ["a >= 5", "a <="]})
    assert problem.table == "edits 2" and "position 5" in problem.message
