"""A folder whose parts differ: the message names the part, the column and the cure."""

from pathlib import Path

import polars as pl
import pytest

from sdckit.engines.declare import declare
from sdckit.engines.source import source_of
from sdckit.errors import FileError, NoRecordsError
from sdckit.schema import Schema

FIRST = pl.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
CURE = "write the parts again with the same columns and types"


def folder_of(folder: Path, *parts: pl.DataFrame) -> Path:
    folder.mkdir()
    for number, part in enumerate(parts):
        part.write_parquet(folder / f"part-{number}.parquet")
    return folder


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (FIRST.drop("b"), "part-2.parquet has no column 'b', which part-0.parquet has"),
        (FIRST.with_columns(d=pl.lit(1)), "part-2.parquet has a column 'd', which part-0.parquet has not"),
        (FIRST.cast({"b": pl.String}), "column 'b' is Float64 in part-0.parquet and String in part-2.parquet"),
        (FIRST.cast({"a": pl.Int32}), "column 'a' is Int64 in part-0.parquet and Int32 in part-2.parquet"),
        (FIRST.cast({"a": pl.Float64}), "column 'a' is Int64 in part-0.parquet and Float64 in part-2.parquet"),
    ],
    ids=["missing", "extra", "text", "integers", "floats"],
)
def test_the_part_that_differs_is_named_with_what_differs_and_the_cure(
    tmp_path: Path, other: pl.DataFrame, difference: str
) -> None:
    folder = folder_of(tmp_path / "parts", FIRST, FIRST, other)
    with pytest.raises(FileError) as raised:
        declare(source_of(folder, Schema()))
    assert str(raised.value) == f"{folder} cannot be read: {difference}; {CURE}"


def test_only_the_first_differences_of_many_are_listed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "parts", FIRST, FIRST.rename({"a": "c", "b": "d"}))
    with pytest.raises(FileError, match=r"has not, and 1 more; write the parts again"):
        declare(source_of(folder, Schema()))


def test_a_column_without_any_value_in_a_part_is_no_difference(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "parts", FIRST, FIRST.with_columns(b=pl.lit(None)))
    assert declare(source_of(folder, Schema())).records == 4


def test_a_folder_of_empty_parts_is_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "parts", FIRST.head(0), FIRST.head(0))
    with pytest.raises(NoRecordsError) as raised:
        declare(source_of(folder, Schema()))
    assert str(raised.value) == f"{folder} has no records; give it at least one"
