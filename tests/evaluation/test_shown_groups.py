"""Shown groups: a column that replaces the dropped number of the households is named, others are not."""

import numpy as np
import polars as pl
import pytest

from sdckit.evaluation.release_warnings import release_warnings
from sdckit.evaluation.shown_groups import group_warnings, showing_columns
from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.row_order import shuffled


def households(weights: list[float]) -> Microdata:
    """Eight households of two, the weight of each given, and ages of their own."""
    frame = pl.DataFrame(
        {
            "household": np.repeat(np.arange(8), 2),
            "region": ["north", "south"] * 8,
            "age": np.arange(16) * 3 + 20,
            "weight": np.repeat(weights, 2),
        }
    )
    roles = {"household": "identifier", "region": "key", "age": "key", "weight": "weight"}
    return Microdata.from_frame(frame, roles=roles)


def test_a_weight_of_each_household_shows_who_lives_together() -> None:
    release = shuffled(protect(households([1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 7.5]), "mdav:group_size=3", ["age"]))
    (warning,) = group_warnings(release)
    assert "'household' is dropped, but 'weight' still shows which records belong together: 6 of 8 groups" in warning
    assert warning in release_warnings(release)


@pytest.mark.parametrize("weights", [[100.0] * 8, [100.0, 200.0] * 4], ids=["one weight", "rounded weights"])
def test_a_weight_that_several_households_share_shows_nothing(weights: list[float]) -> None:
    assert group_warnings(protect(households(weights), "mdav:group_size=3", ["age"])) == []


def test_a_masked_weight_is_looked_at_as_it_is_released() -> None:
    data = households([1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5])
    assert group_warnings(protect(data, "rounding:base=50", ["weight"])) == []


def test_the_groups_of_a_file_that_releases_them_are_no_news() -> None:
    data = households([float(each) for each in range(8)])
    assert group_warnings(Release.in_order(data, data)) == []


def test_a_missing_value_belongs_to_nobody() -> None:
    frame = pl.DataFrame({"value": [None, None, 1.0, 1.0] * 5})
    data = Microdata.from_frame(frame, roles={"value": "key"})
    assert showing_columns(data, np.repeat(np.arange(10), 2)) == []


def test_columns_that_show_nothing_alone_may_do_so_together() -> None:
    houses = np.arange(25)
    frame = pl.DataFrame(
        {
            "household": np.repeat(houses, 2),
            "roof": np.repeat([f"r{house // 5}" for house in houses], 2),
            "water": np.repeat([f"w{house % 5}" for house in houses], 2),
            "sex": ["f", "m"] * 25,
        }
    )
    roles = {"household": "identifier", "roof": "key", "water": "key", "sex": "key"}
    data = Microdata.from_frame(frame, roles=roles)
    (warning,) = group_warnings(Release.in_order(data, data.without(["household"])))
    assert "'roof' and 'water' still show which records belong together: 25 of 25 groups" in warning
