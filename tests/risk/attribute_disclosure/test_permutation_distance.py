import numpy as np
import polars as pl
import pytest
from tests.methods.files import correlated, numeric

from sdckit import Hierarchy, Microdata, Release, build, protect
from sdckit.errors import NotApplicableError

MEASURE = build("risk", "permutation-distance")


def measure(original, masked, **parameters):
    return build("risk", "permutation-distance", **parameters).measure(Release.in_order(original, masked))


def test_a_case_by_hand():
    """Four records; in the first attribute records 0 and 1 exchange ranks, in the second records 0 and 3."""
    original = numeric(np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]))
    masked = numeric(np.array([[2.0, 4.0], [1.0, 2.0], [3.0, 3.0], [4.0, 1.0]]))
    score = measure(original, masked, distance=0.25)
    assert score.value == 0.5  # records 1 (moved by 1/4) and 2 (not moved)
    assert (1 - score.by_record).tolist() == [0.75, 0.25, 0, 0.75]
    assert score.by_attribute == {"a": 1.0, "b": 0.5}
    assert score.details["smallest_distance"] == 0
    assert score.details["mean_distance"] == pytest.approx((0.75 + 0.25 + 0 + 0.75) / 4)
    assert score.details["mean_distance_by_attribute"] == {"a": 0.125, "b": 0.375}
    assert score.details["smallest_distance_by_attribute"] == {"a": 0, "b": 0}


def test_a_file_released_unchanged_did_not_move():
    data = numeric(correlated(30, 3, seed=1))
    score = measure(data, data, distance=0)
    assert score.value == 1
    assert score.details["mean_distance"] == 0


def test_a_change_of_units_is_no_protection():
    data = numeric(correlated(30, 2, seed=1))
    assert measure(data, data.with_matrix(["a", "b"], 3 * data.matrix(["a", "b"]) + 7), distance=0).value == 1


@pytest.mark.parametrize("window", [0.02, 0.1, 0.4])
def test_rank_swapping_moves_no_value_beyond_its_window(window):
    release = protect(numeric(correlated(100, 3, seed=2)), f"rank-swapping:window={window}", seed=1)
    score = build("risk", "permutation-distance", distance=window).measure(release)
    assert score.value == 1
    assert np.nanmin(score.by_record) >= 1 - window - 1e-12


def test_wider_windows_leave_fewer_records_near():
    data = numeric(correlated(200, 2, seed=3))
    near = [MEASURE.measure(protect(data, f"rank-swapping:window={w}", seed=1)).value for w in (0.05, 0.2, 0.8)]
    assert near[0] == 1
    assert near[0] > near[1] > near[2]


def test_a_shuffled_column_is_near_as_often_as_at_random():
    values = correlated(2000, 1, seed=2)
    shuffled = np.random.default_rng(3).permutation(values)
    score = measure(numeric(values), numeric(shuffled), distance=0.1)
    # Two uniform ranks differ by at most d with probability 2d − d².
    assert score.value == pytest.approx(0.19, abs=0.03)
    assert score.baseline == pytest.approx(0.19, abs=0.03)


def test_a_removed_value_moved_by_everything_and_a_missing_one_is_not_judged():
    original = numeric(np.array([[1.0, 5.0], [2.0, np.nan], [np.nan, np.nan], [4.0, 8.0]]))
    masked = numeric(np.array([[1.0, 5.0], [np.nan, 6.0], [3.0, 7.0], [4.0, 8.0]]))
    score = measure(original, masked)
    assert (1 - score.by_record)[[0, 1, 3]].tolist() == [0, 1, 0]
    assert np.isnan(score.by_record[2])
    assert score.value == pytest.approx(2 / 3)


def categories(town, hierarchy=None):
    frame = pl.DataFrame({"town": town})
    return Microdata.from_frame(
        frame, roles={"town": "key"}, hierarchies={} if hierarchy is None else {"town": hierarchy}
    )


def test_a_nominal_category_moved_fully_or_not_at_all():
    score = measure(categories(["Ely", "Rye", "Ely"]), categories(["Ely", "Ely", None]))
    assert (1 - score.by_record).tolist() == [0, 1, 1]


def test_a_wider_category_contains_the_original_one_and_the_root_says_nothing():
    hierarchy = Hierarchy.by_levels([("Ely", "east"), ("Rye", "south"), ("Hove", "south")])
    original = categories(["Ely", "Rye", "Hove", "Hove"], hierarchy)
    score = measure(original, categories(["east", "south", "east", "*"]))
    assert (1 - score.by_record).tolist() == [0, 0, 1, 1]


def test_ordered_categories_have_ranks():
    frame = pl.DataFrame({"grade": ["low", "mid", "top", "mid"]})
    options = {"roles": {"grade": "key"}}
    order = pl.Enum(["low", "mid", "top"])
    original = Microdata.from_frame(frame.with_columns(pl.col("grade").cast(order)), **options)
    masked = Microdata.from_frame(
        pl.DataFrame({"grade": ["top", "mid", "low", "mid"]}).with_columns(pl.col("grade").cast(order)), **options
    )
    assert (1 - measure(original, masked).by_record).tolist() == [0.75, 0, 0.75, 0]


def test_records_that_were_not_released_are_not_judged_and_a_sample_did_not_move():
    data = numeric(correlated(40, 2, seed=4))
    score = MEASURE.measure(Release(data, data.take(np.array([3, 8, 20, 31]))))
    assert score.value == 1
    assert np.flatnonzero(np.isfinite(score.by_record)).tolist() == [3, 8, 20, 31]
    assert score.details["mean_distance"] == 0


def test_it_does_not_apply_where_no_row_belongs_to_a_record():
    data = numeric(correlated(10, 1, seed=1))
    with pytest.raises(NotApplicableError):
        MEASURE.measure(Release(data, data.with_rows({"a": np.arange(10.0)})))
