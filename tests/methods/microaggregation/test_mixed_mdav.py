"""MDAV on numbers, ordered and unordered categories together."""

import numpy as np
import polars as pl
import pytest

from sdckit.draws import Draws
from sdckit.kernels.equivalence_classes import class_of
from sdckit.methods.microaggregation.mdav import Mdav
from sdckit.microdata import Microdata

LEVELS = ["none", "school", "degree"]


def people(records: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, records),
            "level": pl.Series(rng.choice(LEVELS, records).tolist(), dtype=pl.Enum(LEVELS)),
            "town": rng.choice(["Ely", "Bath", "York"], records),
        }
    )
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))


def test_two_clear_groups_are_averaged_by_mean_lower_median_and_mode():
    frame = pl.DataFrame(
        {
            "age": [20, 21, 25, 70, 71, 72],
            "level": pl.Series(["none", "none", "school", "degree", "school", "degree"], dtype=pl.Enum(LEVELS)),
            "town": ["Ely", "Ely", "Bath", "York", "York", "York"],
        }
    )
    data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))
    masked = Mdav(group_size=3).protect(data, draws=Draws.of(1)).to_frame()
    assert masked["age"].to_list() == [22, 22, 22, 71, 71, 71]
    assert masked["level"].to_list() == ["none"] * 3 + ["degree"] * 3
    assert masked["town"].to_list() == ["Ely"] * 3 + ["York"] * 3


@pytest.mark.parametrize("records", [3, 5, 6, 40])
def test_nobody_is_alone_on_all_kinds_together(records):
    masked = Mdav(group_size=3).protect(people(records, records), draws=Draws.of(1))
    assert class_of(masked.codes(["age", "level", "town"])).sizes.min() >= 3


def test_missing_categories_stay_missing():
    data = people(30, 2)
    gone = data.with_columns({"town": np.where(np.arange(30) < 5, -1, data.columns["town"])})
    masked = Mdav(group_size=3).protect(gone, draws=Draws.of(1))
    assert np.array_equal(masked.columns["town"] < 0, np.arange(30) < 5)


def test_one_unordered_attribute_alone_can_be_grouped():
    masked = Mdav(group_size=4).protect(people(30, 3), ["town"], draws=Draws.of(1))
    assert class_of(masked.codes(["town"])).sizes.min() >= 4
