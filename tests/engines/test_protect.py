"""A file that is masked part by part is the file masked in memory, cell for cell."""

from pathlib import Path

import numpy as np
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


@pytest.mark.parametrize(
    "recipe",
    [
        ["rank-swapping:window=0.2"],
        ["top-coding:share=0.5"],
        ["bottom-coding:share=0.5"],
        ["bottom-coding:share=0.5,tail_mean=true", "rank-swapping:window=0.2"],
    ],
    ids=lambda recipe: recipe[0].partition(":")[0] + ("-and-more" if len(recipe) > 1 else ""),
)
def test_negative_zeros_are_the_same_from_memory_and_in_parts(tmp_path: Path, recipe: list[str]) -> None:
    rng = np.random.default_rng(3)
    zeros = pl.DataFrame({"x": rng.choice([-1.0, -0.0, 1.0], 900), "y": rng.choice([-1.5, -0.0, 0.0, np.nan], 900)})
    zeros.fill_nan(None).write_parquet(tmp_path / "zeros.parquet")
    whole = masked_in_memory(tmp_path / "zeros.parquet", tmp_path / "whole.csv", recipe)
    parts = masked_in_parts(tmp_path / "zeros.parquet", tmp_path / "parts.csv", recipe, 101)
    assert parts.read_bytes() == whole.read_bytes()
