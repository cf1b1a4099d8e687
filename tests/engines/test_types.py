"""Columns of every type come out of an engine as they come out of memory."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pytest

from sdckit.engines.protect import prepare, protect
from sdckit.errors import FileError
from sdckit.files import read, write
from sdckit.frames.to_frame import to_frame
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import protect as protect_in_memory
from sdckit.schema import Declared, Schema
from tests.engines.conftest import DUCKDB

RECORDS = 90
SCHEMA = Schema({"code": Declared(missing=(99,)), "level": Declared(categories=("low", "middle", "high"))})


def every_type() -> pl.DataFrame:
    numbers = range(RECORDS)
    return pl.DataFrame(
        {
            "whole": [None if n % 11 == 0 else n * n % 37 for n in numbers],
            "code": [99 if n % 7 == 0 else n % 5 for n in numbers],
            "level": [("low", "high", "middle", None)[n % 4] for n in numbers],
            "real": [float("nan") if n % 13 == 0 else n / 7 - 5 for n in numbers],
            "short": pl.Series([n / 3 for n in numbers], dtype=pl.Float32),
            "born": [date(1950, 1, 1) + timedelta(days=97 * n) for n in numbers],
            "seen": [datetime(2020, 1, 1) + timedelta(minutes=n * n) for n in numbers],
            "true": [None if n % 9 == 0 else n > 80 for n in numbers],
            "town": pl.Series([("Ely", "Rye", "Bath")[n % 3] for n in numbers], dtype=pl.Categorical),
            "grade": pl.Series([("a", "b")[n // 60] for n in numbers], dtype=pl.Enum(["a", "b", "c"])),
            "price": pl.Series([Decimal(n) / 4 for n in numbers], dtype=pl.Decimal(10, 2)),
            "number": [9_000_000_000_000_000_000 + n for n in numbers],
            "text": [f"=name {n % 20}" for n in numbers],
            "empty": pl.Series([None] * RECORDS, dtype=pl.Null),
        }
    )


def compared(source: Path, folder: Path, recipe: Recipe, suffix: str) -> tuple[Path, Path]:
    whole, parts = folder / f"whole{suffix}", folder / f"parts{suffix}"
    data = read(source, SCHEMA)
    write(protect_in_memory(data, recipe, seed=6, allow_undeclared=True), whole, escape_formulas=True)
    prepared = prepare(source, SCHEMA, recipe, DUCKDB, part_records=17, allow_undeclared=True)
    protect(prepared, parts, DUCKDB, seed=6, escape_formulas=True)
    return whole, parts


def test_columns_of_every_type_are_those_from_memory(tmp_path: Path) -> None:
    every_type().write_parquet(tmp_path / "file.parquet", row_group_size=23)
    recipe = Recipe.of(["rank-swapping:window=0.3"], ["whole", "born", "real", "level"])
    whole, parts = map(pl.read_parquet, compared(tmp_path / "file.parquet", tmp_path, recipe, ".parquet"))
    assert parts.schema == whole.schema
    assert parts.equals(whole)


def test_text_of_every_type_has_the_same_bytes(tmp_path: Path) -> None:
    every_type().drop("empty").write_csv(tmp_path / "file.csv")
    recipe = Recipe.of(["additive-noise"], ["whole", "real", "price"])
    whole, parts = compared(tmp_path / "file.csv", tmp_path, recipe, ".csv")
    assert parts.read_bytes() == whole.read_bytes()
    assert (pl.read_csv(parts, infer_schema=False)["code"] == "99").sum() == len(range(0, RECORDS, 7))


def test_a_duckdb_table_is_read_and_written_in_its_order(tmp_path: Path) -> None:
    data = read(_parquet(tmp_path), SCHEMA)
    source = write(data, tmp_path / "file.duckdb").path
    recipe = Recipe.of(["rank-swapping:window=0.3"], ["whole", "born", "real"])
    whole, parts = (read(path) for path in compared(source, tmp_path, recipe, ".duckdb"))
    assert to_frame(parts, "polars").equals(to_frame(whole, "polars"))
    assert to_frame(read(source, SCHEMA), "polars").equals(to_frame(data, "polars"))


def _parquet(folder: Path) -> Path:
    every_type().select("whole", "code", "level", "real", "born", "seen", "true", "text").write_parquet(
        folder / "file.parquet"
    )
    return folder / "file.parquet"


def test_a_duckdb_file_that_cannot_be_read_is_refused_with_the_cure(tmp_path: Path) -> None:
    path = tmp_path / "two.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS x; CREATE TABLE b AS SELECT 2 AS x")
    with pytest.raises(FileError, match=r"must have one table, and it has 2 \(a, b\); copy"):
        prepare(path, None, Recipe.of("rounding"), DUCKDB)
    with pytest.raises(FileError, match="does not distinguish the columns 'x', 'X'"):
        write(Microdata.from_frame(pl.DataFrame({"x": [1.0], "X": [2.0]})), tmp_path / "same.duckdb")


def test_a_folder_of_parts_is_read_in_the_order_of_their_names_and_written(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    frame = every_type().select("whole", "real", "text")
    for number, start in enumerate(range(0, RECORDS, 40)):
        frame.slice(start, 40).write_parquet(source / f"part-{number}.parquet")
    prepared = prepare(source, None, Recipe.of("rounding", ["real"]), DUCKDB, part_records=25)
    protect(prepared, tmp_path / "out", DUCKDB, seed=6)
    written = pl.concat(pl.read_parquet(path) for path in sorted((tmp_path / "out").glob("*.parquet")))
    assert written.select("whole", "text").equals(frame.select("whole", "text"))
    assert written["real"].drop_nulls().to_list() == [
        10.0 * ((value / 10 + 0.5) // 1) for value in frame["real"].fill_nan(None).drop_nulls()
    ]
