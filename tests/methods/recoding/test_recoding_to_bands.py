"""Recoding by breaks, units of dates, and top and bottom categories."""

from datetime import date

import numpy as np
import polars as pl
import pytest

from sdckit import assess
from sdckit.errors import ParameterError, SchemaError
from sdckit.files import read, write
from sdckit.files.release_files import read_masked
from sdckit.intruder import Intruder
from sdckit.methods.recoding.global_recoding_breaks import GlobalRecodingBreaks
from sdckit.methods.recoding.top_bottom_recoding import TopBottomRecoding
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect

AGES = [3, 14, 15, 24, 64, 65, 90, None]


def published(masking, column, **roles):
    release = protect(Microdata.from_frame(pl.DataFrame({"x": column}), roles={"x": "key"}, **roles), masking)
    return release.masked.to_frame()["x"].to_list()


def test_ages_by_hand():
    assert published(GlobalRecodingBreaks(breaks=(0, 15, 25, 65)), AGES) == [
        "0–14", "0–14", "15–24", "15–24", "25–64", "65+", "65+", None,
    ]  # fmt: skip


def test_whole_numbers_written_with_decimals_are_whole_and_others_are_not():
    assert published(GlobalRecodingBreaks(breaks=(0, 15)), [3.0, 31.0]) == ["0–14", "15+"]
    assert published(GlobalRecodingBreaks(breaks=(0, 15)), [3.5, 31.0]) == ["0 to under 15", "15 and over"]


def test_labels_of_ones_own():
    assert published(GlobalRecodingBreaks(breaks=(0, 18), labels=("minor", "adult")), [3, 18]) == ["minor", "adult"]


def test_dates_become_units_or_ages():
    born = [date(1980, 5, 17), date(2010, 7, 1), date(1950, 2, 28)]
    assert published(GlobalRecodingBreaks(unit="quarter"), born) == ["1980-Q2", "2010-Q3", "1950-Q1"]
    at = "2026-05-17"
    assert published(GlobalRecodingBreaks(unit="age", at=at), born) == [46, 15, 76]
    assert published(GlobalRecodingBreaks(unit="age", at=at, breaks=(0, 18, 65)), born) == ["18–64", "0–17", "65+"]
    with pytest.raises(SchemaError, match="give the unit"):
        published(GlobalRecodingBreaks(breaks=(0,)), born)
    with pytest.raises(SchemaError, match="give a later day"):
        published(GlobalRecodingBreaks(unit="age", at="1999-01-01"), born)


def test_only_the_extremes_become_categories():
    assert published(TopBottomRecoding(top=85, bottom=16), [15, 16, 84, 85, 99]) == [
        "under 16", "16", "84", "85+", "85+",
    ]  # fmt: skip


def test_an_ordered_category_is_recoded_at_its_categories():
    grades = pl.Series(["none", "low", "high", "top"], dtype=pl.Enum(["none", "low", "high", "top"]))
    assert published(GlobalRecodingBreaks(breaks=("high",)), grades) == [
        "none – low", "none – low", "high – top", "high – top",
    ]  # fmt: skip
    with pytest.raises(SchemaError, match="no masked attribute has the category 'hihg'"):
        published(GlobalRecodingBreaks(breaks=("hihg",)), grades)


def test_what_is_missing_is_asked_for():
    for masking, cure in ((GlobalRecodingBreaks(), "needs breaks"), (TopBottomRecoding(), "needs a limit")):
        with pytest.raises(ParameterError, match=cure):
            published(masking, [1, 2])
    with pytest.raises(ParameterError, match="at=2026-01-01"):
        GlobalRecodingBreaks(unit="age")


def test_later_steps_suppress_bands_and_do_not_compute_with_them():
    frame = pl.DataFrame({"age": [3, 20, 21, 70, 71, 72], "sex": list("mfmfmf")})
    data = Microdata.from_frame(frame, roles={"age": "key", "sex": "key"})
    recoding = Step(GlobalRecodingBreaks(breaks=(0, 15, 65)), ("age",))
    suppressed = protect(data, Recipe((recoding, *Recipe.of("local-suppression:group_size=2").steps)), seed=1)
    assert suppressed.masked.to_frame()["age"].drop_nulls().is_in(["0–14", "15–64", "65+"]).all()
    for method, message in (("rounding:base=5", "computes with numbers"), ("mdav:group_size=2", "computes with the")):
        with pytest.raises(SchemaError, match=message):
            protect(data, Recipe((recoding, Step(Recipe.of(method).steps[0].masking, ("age",)))), seed=1)


def test_a_written_file_is_read_as_the_release_that_it_is(tmp_path):
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"age": rng.integers(0, 99, 40), "income": rng.lognormal(7, 1, 40).round(2)})
    data = Microdata.from_frame(frame)
    steps = (
        Step(GlobalRecodingBreaks(breaks=(0, 15, 25, 65)), ("age",)),
        Step(TopBottomRecoding(top=2000), ("income",)),
    )
    release = protect(data, Recipe(steps))
    write(release.masked, tmp_path / "masked.csv")
    again = Release.in_order(data, read_masked(tmp_path / "masked.csv"), release.recipe)
    for name in ("age", "income"):
        assert np.allclose(again.masked.columns[name], release.masked.columns[name])
    assert read(tmp_path / "masked.csv", mixtures=True).attribute("age").coded


def test_the_informed_intruder_finds_exactly_one_over_the_size_of_the_band():
    """All of a band are alike, so the best guess is right once for each band that occurs."""
    ages = [3, 14, 15, 24, 64, 65, 90, 91, 92]
    data = Microdata.from_frame(pl.DataFrame({"age": ages}), roles={"age": "key"})
    release = protect(data, GlobalRecodingBreaks(breaks=(0, 15, 25, 65)), seed=1)
    score = assess(release, ["informed-intruder"], intruder=Intruder())["informed-intruder"]
    assert score.details["expected_found"] == pytest.approx(4 / 9)
