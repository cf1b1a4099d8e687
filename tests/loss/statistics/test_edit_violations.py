from dataclasses import replace

import numpy as np
import pytest
from tests.methods.files import correlated, numeric

from sdckit import Release, build, protect
from sdckit.datasets import simulate_business
from sdckit.edits import Edit, Edits
from sdckit.errors import NotApplicableError
from sdckit.rows import Unknown

LOSS = build("loss", "edit-violations")
SUM = Edit({"a": 1.0, "b": 1.0}, 10.0, 10.0)
RANGE = Edit({"c": 1.0}, 0.0, np.inf)


def file(*rows, edits=(SUM, RANGE)):
    return replace(numeric(np.array(rows, dtype=float)), edits=Edits(tuple(edits)))


def test_records_that_break_an_edit_by_hand():
    original = file([1, 9, 5], [2, 8, 5], [3, 7, 5], [4, 6, 5])
    masked = file([1, 9, 5], [2, 9, 5], [3, 7, -1], [4, 7, -1])
    score = LOSS.measure(Release.in_order(original, masked))
    assert score.value == 3 / 4
    assert score.by_record.tolist() == [0, 1, 1, 1]
    assert score.details["before"] == {str(SUM): 0, str(RANGE): 0}
    assert score.details["after"] == {str(SUM): 2, str(RANGE): 2}
    assert (score.details["records_before"], score.details["records_after"]) == (0, 3)


def test_what_the_original_breaks_is_no_loss():
    original = file([1, 1, 5], [2, 8, 5])
    assert LOSS.measure(Release.in_order(original, original)).value == 0
    worse = file([1, 1, 5], [2, 9, 5])
    score = LOSS.measure(Release.in_order(original, worse))
    assert score.value == 1 / 2
    assert score.details["before"][str(SUM)] == 1 and score.details["after"][str(SUM)] == 2


def test_an_edit_that_the_masking_mended_does_not_hide_one_that_it_broke():
    original = file([1, 1, 5], [2, 8, 5])
    assert LOSS.measure(Release.in_order(original, file([1, 9, -1], [2, 8, 5]))).value == 1 / 2


def test_a_lost_value_breaks_no_edit():
    original = file([1, 9, 5], [2, 8, 5])
    assert LOSS.measure(Release.in_order(original, file([np.nan, 5, 5], [2, 8, np.nan]))).value == 0


def test_without_edits_that_can_be_checked_it_does_not_apply():
    data = file([1, 9, 5], [2, 8, 5], edits=())
    with pytest.raises(NotApplicableError, match="has no edits"):
        LOSS.measure(Release.in_order(data, data))
    data = file([1, 9, 5], [2, 8, 5], edits=(SUM,))
    with pytest.raises(NotApplicableError, match="no edit of the file"):
        LOSS.measure(Release.in_order(data, data.without(["b"])))


def test_it_needs_no_rows():
    release = protect(file(*correlated(30, 3, seed=1), edits=(RANGE,)), "additive-noise", seed=1)
    plain = LOSS.measure(release)
    masked = replace(release.masked, lineage=None)
    unknown = LOSS.measure(Release(release.original, masked, release.recipe, Unknown("nobody says")))
    assert unknown.value == plain.value
    assert unknown.by_record is None


def test_noise_breaks_the_sums_of_business_accounts():
    data = simulate_business(100, seed=1)
    assert len(data.edits)
    noisy = protect(data, "additive-noise", ("materials", "wages", "other_costs"), seed=1)
    assert LOSS.measure(noisy).value > 0.9
    assert LOSS.measure(Release.in_order(data, data.without(["firm"]))).value == 0
