"""The five lines that the README shows, on every kind of frame."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sdckit

COLUMNS = {
    "name": ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus"],
    "age": [30, 31, 33, 60, 62, 64, 65],
    "income": [1200.0, 1250.0, 1300.0, 2500.0, 2600.0, 2700.0, 2650.0],
    "town": ["Ely", "Rye", "Ely", "Rye", "Ely", "Rye", "Ely"],
}
ROLES = {"name": "identifier", "age": "key", "income": "key", "town": "other"}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_a_frame_goes_in_and_a_protected_one_comes_out(make):
    frame = make(COLUMNS)

    data = sdckit.Microdata.from_frame(frame, roles=ROLES)
    release = sdckit.protect(data, sdckit.build("masking", "mdav", group_size=3), attributes=["age", "income"], seed=1)
    masked = release.masked.to_frame()
    result = sdckit.assess(release, measures=["distance-linkage", "il1"])
    value, by_record = result["distance-linkage"].value, result["distance-linkage"].by_record

    assert type(masked) is type(frame)
    assert list(getattr(masked, "column_names", masked.columns)) == ["age", "income", "town"]
    assert 0 < value <= 1 / 3
    assert len(by_record) == 7
    assert result["il1"].value > 0


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_a_file_masked_elsewhere_is_assessed(make):
    numbers = {name: COLUMNS[name] for name in ("age", "income")}
    masked = {"age": [31.0] * 3 + [63.0] * 4, "income": [1250.0] * 3 + [2612.5] * 4}
    result = sdckit.assess(sdckit.Release.in_order(make(numbers), make(masked)))
    assert result["uniqueness"].value == 0
    assert result["distance-linkage"].value <= 1 / 3


def test_every_number_is_a_key_when_no_role_is_given():
    data = sdckit.Microdata.from_frame(pd.DataFrame(COLUMNS))
    assert data.names(role=sdckit.Role.KEY) == ("age", "income")
