"""Recoded attributes are compared in the categories of the release."""

import polars as pl
import pytest

from sdckit.charts.distributions import distribution
from sdckit.charts.released_distributions import released_distribution
from sdckit.evaluation.corrections import masked_attributes
from sdckit.evaluation.release_corrections import release_corrections
from sdckit.hierarchy import Hierarchy
from sdckit.methods import AdditiveNoise, GlobalRecoding, GlobalRecodingBreaks, GlobalRecodingGroups, LocalSuppression
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect

AGES = [3, 14, 15, 24, 40, 64, 65, 90, 91, 20] * 3


def shares(chart, file):
    return {each["category"]: each["share"] for each in chart.records if each["file"] == file}


def test_ages_are_compared_band_by_band():
    release = protect(pl.DataFrame({"age": AGES * 10}), GlobalRecodingBreaks(breaks=(0, 15, 25, 65)))
    chart = distribution(release, "age")
    expected = {"0–14": 0.2, "15–24": 0.3, "25–64": 0.2, "65+": 0.3}
    for file in ("before", "after"):
        assert shares(chart, file) == pytest.approx(expected)
    assert list(shares(chart, "after")) == list(expected), "bands are in their order"
    public = released_distribution(release.masked, "age")
    assert {each["category"] for each in public.records} == set(expected)


def test_nodes_of_a_hierarchy_and_groups_are_compared_with_what_they_were_made_of():
    zips = ["48201", "48202", "88202"] * 10
    data = Microdata.from_frame(pl.DataFrame({"zip": zips}), hierarchies={"zip": Hierarchy.by_prefix(zips, (3,))})
    chart = distribution(protect(data, GlobalRecoding(levels=1), ["zip"]), "zip")
    assert shares(chart, "before") == pytest.approx({"48***": 2 / 3, "88***": 1 / 3})
    towns = Microdata.from_frame(pl.DataFrame({"town": ["Ely", "Rye", "Wells"] * 5}), roles={"town": "key"})
    chart = distribution(protect(towns, GlobalRecodingGroups(groups=("Ely|Rye=small",))), "town")
    assert shares(chart, "before") == pytest.approx({"small": 2 / 3, "Wells": 1 / 3})


def test_a_category_that_was_suppressed_throughout_is_counted_in_its_band_and_bands_are_in_their_order():
    ages = [3, 7, 21, 22, 23, 24, 35, 36, 37, 91]
    frame = pl.DataFrame({"age": ages})
    data = Microdata.from_frame(frame, hierarchies={"age": Hierarchy.by_intervals(ages, [15, 30])})
    recoded = protect(data, GlobalRecoding(levels=1), ["age"]).masked
    codes = recoded.columns["age"].copy()
    codes[-1] = -1
    chart = distribution(Release.in_order(data, recoded.with_columns({"age": codes})), "age")
    assert shares(chart, "before") == pytest.approx(
        {"0–14": 0.2, "15–29": 0.4, "30–44": 0.3, "90–104": 0.1, "(missing)": 0}
    )
    assert list(shares(chart, "before")) == ["0–14", "15–29", "30–44", "90–104", "(missing)"]


def test_only_what_was_masked_is_corrected():
    frame = pl.DataFrame(
        {"age": AGES, "pay": [float(100 + n * n) for n in range(30)], "rent": [float(n) for n in range(30)]}
    )
    steps = (
        Step(GlobalRecodingBreaks(breaks=(0, 15, 65)), ("age",)),
        Step(AdditiveNoise(), ("pay",)),
        Step(LocalSuppression(group_size=1), ("age", "rent")),
    )
    release = protect(Microdata.from_frame(frame), Recipe(steps), seed=1)
    assert masked_attributes(release.masked, release.recipe) == ("pay",)
    assert {each.name for each in release_corrections(release)} == {"mean of pay", "variance of pay"}


def test_an_assessment_prints_as_a_table():
    from sdckit import assess

    release = protect(pl.DataFrame({"age": AGES}), GlobalRecodingBreaks(breaks=(0, 15, 25, 65)))
    lines = str(assess(release, ["k-anonymity", "il1s"])).splitlines()
    assert lines[2].split() == ["risk", "after", "95%", "interval", "guessing", "before"]
    assert lines[3].startswith("k-anonymity") and any(line.startswith("il1s") for line in lines)
