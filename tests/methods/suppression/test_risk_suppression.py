"""Suppression by risk, and of linked attributes."""

import numpy as np
import polars as pl
import pytest

from sdckit import build, protect
from sdckit.errors import ParameterError
from sdckit.methods.suppression.risk_suppression import risks_of, weights_in
from sdckit.microdata import Microdata


def survey(weight: float) -> Microdata:
    frame = pl.DataFrame(
        {
            "sex": ["f", "f", "f", "m", "m", "m", "m"],
            "town": ["a", "a", "b", "a", "a", "a", "c"],
            "weight": [weight] * 7,
        }
    )
    return Microdata.from_frame(frame, roles={"sex": "key", "town": "key", "weight": "weight"})


def test_a_unique_that_stands_for_many_loses_nothing():
    masked = protect(survey(1000.0), "risk-suppression:threshold=0.2", seed=1).masked
    assert masked.missing("town") == masked.missing("sex") == 0


def test_uniques_of_a_census_lose_the_key_with_most_categories_by_hand():
    """1 / f: records 3 (f, b) and 7 (m, c) are unique, 1 and 2 are two; 0.4 allows three or more."""
    release = protect(survey(1.0), "risk-suppression:threshold=0.4", seed=1)
    assert np.flatnonzero(release.masked.absent("town")).tolist() == [0, 1, 2, 6]
    assert release.masked.missing("sex") == 0
    codes = release.masked.codes(["sex", "town"]).astype(np.int64)
    assert (risks_of(codes, weights_in(release.masked)) <= 0.4).all()
    assert "4 records had" in " ".join(release.notes())


def test_only_the_named_keys_are_lost():
    masked = protect(survey(1.0), "risk-suppression:threshold=0.4,suppressed=sex", seed=1).masked
    assert masked.missing("town") == 0 < masked.missing("sex")
    with pytest.raises(ParameterError, match="'age' is to be suppressed"):
        protect(survey(1.0), "risk-suppression:suppressed=age", seed=1)


def test_linked_attributes_follow_the_leading_one():
    release = protect(
        survey(1.0),
        [build("masking", "risk-suppression", threshold=0.4), build("masking", "linked-suppression", leading="town")],
        seed=1,
    )
    assert (release.masked.absent("sex") == release.masked.absent("town")).all()
    assert release.masked.missing("town") == 4
    with pytest.raises(ParameterError, match="no column 'tow'"):
        protect(survey(1.0), "linked-suppression:leading=tow", seed=1)
