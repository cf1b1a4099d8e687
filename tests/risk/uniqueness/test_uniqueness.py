import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Intruder, Microdata, Release, build, protect
from sdckit.errors import NotApplicableError

UNIQUENESS = build("risk", "uniqueness")
records = st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 3), min_size=1, max_size=15)


def file_of(rows):
    columns = {
        f"k{column}": pl.Series([row[column] for row in rows], dtype=pl.String) for column in range(len(rows[0]))
    }
    return Microdata.from_frame(pl.DataFrame(columns), roles=dict.fromkeys(columns, "key"))


@given(records)
def test_who_is_alone_is_found_by_comparing_all_pairs(rows):
    def agree(one, other):
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    alone = [sum(agree(one, other) for other in rows) == 1 for one in rows]
    data = file_of(rows)
    by_any_value = build("risk", "uniqueness", holes="any-value").measure(Release.in_order(data, data))
    assert by_any_value.by_record.tolist() == alone
    assert UNIQUENESS.measure(Release.in_order(data, data)).by_record.tolist() == [rows.count(one) == 1 for one in rows]


def test_a_case_by_hand():
    data = file_of([("a", "x"), ("a", "x"), ("a", "y"), ("b", "x")])
    score = UNIQUENESS.measure(Release.in_order(data, data))
    assert score.by_record.tolist() == [0, 0, 1, 1]
    assert score.value == 0.5
    assert (score.details["smallest_class"], score.details["mean_class"]) == (1, 1.5)


def test_a_missing_key_agrees_with_every_value_or_is_a_value_of_its_own():
    data = file_of([("a", "x"), (None, "x"), ("b", "y")])
    release = Release.in_order(data, data)
    assert build("risk", "uniqueness", holes="any-value").measure(release).by_record.tolist() == [0, 0, 1]
    assert UNIQUENESS.measure(release).by_record.tolist() == [1, 1, 1]


def test_knowing_fewer_keys_never_makes_more_records_unique():
    rng = np.random.default_rng(1)
    data = file_of([tuple(row) for row in rng.choice(["a", "b", "c"], size=(30, 4)).tolist()])
    release = Release.in_order(data, data)
    found = [UNIQUENESS.measure(release, Intruder(attributes=data.names()[:known])).value for known in (1, 2, 3, 4)]
    assert found == sorted(found)
    assert found[-1] > 0


def test_microaggregation_leaves_nobody_alone():
    frame = pl.DataFrame(np.random.default_rng(2).normal(size=(30, 3)), schema=["a", "b", "c"])
    assert UNIQUENESS.measure(protect(frame, "mdav", seed=1)).value == 0
    assert UNIQUENESS.measure(Release.in_order(frame, frame)).value == 1


def test_a_single_record_is_alone():
    data = file_of([("a", "b")])
    assert UNIQUENESS.measure(Release.in_order(data, data)).value == 1


def test_figures_stand_in_the_order_of_the_original():
    data = file_of([("a", "x"), ("a", "x"), ("b", "y")])
    score = UNIQUENESS.measure(Release(data, data.take(np.array([2, 0]))))
    assert score.by_record.tolist() == pytest.approx([1, np.nan, 1], nan_ok=True)


def test_without_a_known_key_it_does_not_apply():
    frame = pl.DataFrame({"town": ["Ely", "Rye"]})
    with pytest.raises(NotApplicableError):
        UNIQUENESS.measure(Release.in_order(frame, frame))
