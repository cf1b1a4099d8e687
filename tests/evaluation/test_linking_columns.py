"""Numbers of households and weights that link files are named in a warning; others are not."""

import polars as pl
import pytest

from sdckit.evaluation.linking_columns import linking_warnings, share_alone
from sdckit.household_numbers import renumbered
from sdckit.microdata import Microdata
from sdckit.release import Release

ROLES = {"home": "household", "weight": "weight"}


def file(homes: list[object], weights: list[float | None]) -> Microdata:
    age = [float(each) for each in range(20, 20 + len(homes))]
    return Microdata.from_frame(pl.DataFrame({"home": homes, "weight": weights, "age": age}), roles=ROLES)


def warned(original: Microdata, masked: Microdata) -> list[str]:
    return [each.split()[0].strip("'") for each in linking_warnings(Release(original, masked))]


@pytest.mark.parametrize("homes", [[1077, 1077, 12, 12, 5], ["H7", "H7", "H2", "H2", "H9"]])
def test_numbers_of_the_original_are_named_and_new_ones_are_not(homes: list[object]) -> None:
    data = file(homes, [2.0] * 5)
    assert warned(data, data) == ["home"]
    assert warned(data, renumbered(data)) == []


def test_a_plain_count_of_the_households_shows_nothing() -> None:
    data = file([1, 1, 2, 2, 3], [2.0] * 5)
    assert warned(data, data) == []


def test_weights_that_one_household_alone_has_are_named_and_new_ones_are_not() -> None:
    data = file([1, 1, 2, 2, 3], [2.5, 2.5, 3.5, 3.5, 4.5])
    assert share_alone(data, "weight") == 1.0
    assert warned(data, data) == ["100.0%"]
    assert warned(data, file([1, 1, 2, 2, 3], [2.0, 2.0, 3.0, 3.0, 4.0])) == []
    shared = file([1, 1, 2, 2, 3], [2.5, 2.5, 2.5, 2.5, 2.5])
    assert share_alone(shared, "weight") == 0.0 and warned(shared, shared) == []


def test_the_share_is_of_households_and_leaves_missing_weights_out() -> None:
    data = file([1, 1, 2, 2, 3, 4], [2.0, 9.0, 2.0, None, 3.0, 2.0])
    assert share_alone(data, "weight") == 2 / 4  # household 1 by its 9, household 3 by its 3
    persons = Microdata.from_frame(pl.DataFrame({"weight": [1.0, 1.0, 2.0, 4.0]}), roles={"weight": "weight"})
    assert share_alone(persons, "weight") == 2 / 4


def test_weights_that_were_drawn_anew_link_nobody_where_some_are_those_of_the_original() -> None:
    homes = list(range(1, 21))
    data = file(homes, [2.0] * 10 + [3.0] * 10)
    drawn = file(homes, [2.0] * 15 + [2.1, 2.2, 2.3, 2.4, 2.6])
    assert share_alone(drawn, "weight") == 0.25
    assert warned(data, drawn) == []
