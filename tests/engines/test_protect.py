"""A file that is masked part by part is the file masked in memory, cell for cell."""

from pathlib import Path

import polars as pl
import pytest

from sdckit.engines.protect import prepare, protect
from sdckit.files import read, write
from sdckit.recipe import Recipe
from sdckit.release import protect as protect_in_memory
from sdckit.schema import Schema
from tests.engines.conftest import DUCKDB

CHAIN = [
    "top-coding:tail_mean=true",
    "rank-swapping:window=0.1",
    "additive-noise",
]


def masked_in_memory(source: Path, target: Path, recipe: object, schema: Schema | None = None) -> Path:
    write(protect_in_memory(read(source, schema), recipe, seed=5), target)
    return target


def masked_in_parts(
    source: Path, target: Path, recipe: object, part_records: int, schema: Schema | None = None
) -> Path:
    prepared = prepare(source, schema, Recipe.of(recipe), DUCKDB, part_records=part_records)
    protect(prepared, target, DUCKDB, seed=5)
    return target


@pytest.mark.parametrize("part_records", [7 * 13, 1200])
def test_parts_of_any_size_give_the_same_csv_bytes(survey: Path, tmp_path: Path, part_records: int) -> None:
    whole = masked_in_memory(survey / "survey.csv", tmp_path / "whole.csv", CHAIN)
    parts = masked_in_parts(survey / "survey.csv", tmp_path / "parts.csv", CHAIN, part_records)
    assert parts.read_bytes() == whole.read_bytes()


def test_parquet_has_the_same_cells_and_types(survey: Path, tmp_path: Path) -> None:
    whole = pl.read_parquet(masked_in_memory(survey / "survey.parquet", tmp_path / "whole.parquet", CHAIN))
    parts = pl.read_parquet(masked_in_parts(survey / "survey.parquet", tmp_path / "parts.parquet", CHAIN, 101))
    assert parts.schema == whole.schema
    assert parts.equals(whole)
