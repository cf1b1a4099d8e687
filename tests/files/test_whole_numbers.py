"""Whole numbers of a file are published as whole numbers, where that costs next to nothing."""

from pathlib import Path

import numpy as np
import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Schema, assess, protect, read, write
from sdckit.evaluation.edit_checks import broken_edits
from sdckit.files.whole_numbers import FINEST, UNITS, decimals_of_means, deviation_of

RNG = np.random.default_rng(2)
TABLE = pl.DataFrame({
    "age": RNG.integers(16, 90, 60),
    "pay": RNG.integers(900, 9000, 60),
    "children": RNG.integers(0, 4, 60),
    "twins": (np.arange(60) % 20 == 0).astype(int),
})  # fmt: skip


def file_of(table: pl.DataFrame, path: Path) -> Path:
    if path.suffix == ".sav":
        pyreadstat.write_sav(table.cast(pl.Float64), path)
    elif path.suffix == ".csv":
        table.write_csv(path)
    else:
        getattr(table, {".xlsx": "write_excel", ".parquet": "write_parquet"}[path.suffix])(path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".sav", ".parquet"])
def test_means_of_ages_and_amounts_are_whole_and_those_of_small_numbers_are_not(tmp_path: Path, suffix: str) -> None:
    data = read(file_of(TABLE, tmp_path / f"survey{suffix}"))
    assert [data.attribute(name).mean_decimals for name in TABLE.columns] == [0, 0, 1, 2]
    release = protect(data, "mdav:group_size=3", TABLE.columns, seed=1)
    write(release, tmp_path / f"safe{suffix}")
    written = read(tmp_path / f"safe{suffix}")
    assert written.attribute("age").integral and written.attribute("pay").integral
    for name, digits in zip(TABLE.columns, (0, 0, 1, 2), strict=True):
        column = written.columns[name]
        assert np.array_equal(column, np.round(column, digits))
        assert column.mean() == pytest.approx(TABLE[name].mean(), abs=0.5 * 10.0**-digits)
    assert written.columns["twins"].sum() > 0  # rounded to whole numbers, every mean of the three would be zero


def test_rows_of_a_group_stay_equal_and_the_intruder_knows_the_rounding(tmp_path: Path) -> None:
    data = read(file_of(TABLE, tmp_path / "survey.csv"))
    release = protect(data, "mdav:group_size=4", TABLE.columns, seed=1)
    assert pl.DataFrame(release.masked.matrix(TABLE.columns)).group_by(pl.all()).len()["len"].to_numpy().min() >= 4
    score = assess(release, "informed-intruder", seed=1)["informed-intruder"]
    assert 0 < score.value <= 0.25
    declared = {
        "attributes": {name: {"decimals": digits} for name, digits in zip(TABLE.columns, (0, 0, 1, 2), strict=True)}
    }
    same = protect(
        read(tmp_path / "survey.csv", Schema.from_dict(declared)), "mdav:group_size=4", TABLE.columns, seed=1
    )
    assert assess(same, "informed-intruder", seed=1)["informed-intruder"].value == score.value


def test_declared_decimals_come_first(tmp_path: Path) -> None:
    schema = Schema.from_dict({"attributes": {"age": {"decimals": 3}, "pay": {"decimals": 0}, "children": {}}})
    data = read(file_of(TABLE, tmp_path / "survey.csv"), schema)
    assert [data.attribute(name).decimals for name in ("age", "pay", "children")] == [3, 0, None]
    assert [data.attribute(name).mean_decimals for name in ("age", "pay", "children")] == [None, None, 1]


def test_means_of_numbers_that_are_bound_by_a_sum_stay_exact(tmp_path: Path) -> None:
    table = pl.DataFrame({"men": [10, 21, 34, 52], "women": [8, 25, 31, 47], "staff": [18, 46, 65, 99]})
    schema = Schema.from_dict({"attributes": {}, "edits": [{"condition": "staff == men + women"}, "0 <= men <= 99"]})
    release = protect(read(file_of(table, tmp_path / "firms.csv"), schema), "mdav:group_size=3", table.columns, seed=1)
    assert broken_edits(release) == ()


def test_codes_numbers_of_households_and_dates_have_no_decimals(tmp_path: Path) -> None:
    table = TABLE.with_columns(home=pl.int_range(60) // 3, day=pl.date(2026, 1, 1) + pl.duration(days=pl.int_range(60)))
    schema = Schema.from_dict({"attributes": {"home": {"role": "household"}, "children": {"kind": "unordered"}}})
    data = read(file_of(table, tmp_path / "survey.csv"), schema)
    assert [data.attribute(name).mean_decimals for name in ("home", "day", "children")] == [None, None, None]


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=30))
def test_rounding_adds_less_than_a_thousandth_to_the_variance(numbers: list[int]) -> None:
    values = np.array(numbers, dtype=float)
    digits = decimals_of_means(deviation_of(values))
    error = (10.0**-digits) ** 2 / 12
    assert digits == FINEST or values.std() == 0 or error < values.var() / 1000
    assert digits == 0 or values.std() * 10 ** (digits - 1) < UNITS


def test_a_frame_keeps_its_exact_means() -> None:
    masked = protect(pl.DataFrame({"x": [1, 2, 4]}), "mdav:group_size=3", seed=1).masked
    assert masked.columns["x"].tolist() == pytest.approx([7 / 3] * 3)
