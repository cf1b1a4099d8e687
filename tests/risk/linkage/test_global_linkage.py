import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Release, build, protect
from sdckit.kernels.standardisation import standardise
from sdckit.knowledge import FirstAttributes

LINKAGE = build("risk", "global-linkage")


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 25))
def test_it_is_the_assignment_of_all_pairs(seed, records):
    """With values that do not tie the best assignment is one alone."""
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(records, 2))
    masked = original + rng.normal(size=original.shape)
    score = LINKAGE.measure(Release.in_order(numeric(original), numeric(masked)), seed=1)
    link = linear_sum_assignment(cdist(standardise(original), standardise(masked), "sqeuclidean"))[1]
    assert score.by_record == pytest.approx((link == np.arange(records)).astype(float))
    assert score.details["exact"]


def test_records_correct_each_other_by_hand():
    """One by one both 4 and 5 are nearest to 4.5; together the one that fits 9 better gives way."""
    original, masked = numeric(np.array([[0.0], [4.0], [5.0]])), numeric(np.array([[0.0], [4.5], [9.0]]))
    assert LINKAGE.measure(Release.in_order(original, masked)).value == 1


def test_together_more_are_found_than_one_by_one():
    data = numeric(correlated(300, 3, seed=1))
    release = protect(data, "additive-noise:variance_share=0.1", seed=2)
    assert LINKAGE.measure(release).value > build("risk", "distance-linkage").measure(release).value


def test_equal_records_draw_lots():
    data = numeric(np.array([[1.0], [1.0], [5.0], [9.0]]))
    assert LINKAGE.measure(Release.in_order(data, data)).by_record.tolist() == [0.5, 0.5, 1, 1]


def test_a_constant_column_tells_nothing():
    same = numeric(np.full((5, 1), 3.0))
    score = LINKAGE.measure(Release.in_order(same, same))
    assert score.value == pytest.approx(score.baseline) == pytest.approx(0.2)


def test_one_record_is_found_by_anybody():
    one = numeric(np.array([[1.0, 2.0]]))
    assert LINKAGE.measure(Release.in_order(one, one)).value == 1


def test_without_effort_the_result_says_that_it_is_not_exact():
    release = protect(numeric(correlated(200, 2, seed=3)), "rank-swapping:window=0.3", seed=1)
    quick = build("risk", "global-linkage", effort=0).measure(release)
    assert quick.details["exact"] is False
    assert LINKAGE.measure(release).details["exact"] is True


def test_it_is_averaged_over_what_may_be_known():
    release = protect(numeric(correlated(60, 4, seed=4)), "additive-noise", seed=1)
    score = LINKAGE.measure(release, Intruder(knowledge=FirstAttributes(3)))
    assert score.details["sets"] == 3 and score.details["exact"]


def test_fewer_records_are_linked_into_a_larger_file():
    data = numeric(correlated(50, 2, seed=5))
    score = LINKAGE.measure(Release.in_order(data, data), Intruder(records=(3, 20)))
    assert np.flatnonzero(np.isfinite(score.by_record)).tolist() == [3, 20]
    assert score.value == 1
