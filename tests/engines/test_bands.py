"""Texts of bands in a file in parts become the numbers that represent them, as in memory."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.engines.bands import read_bands
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.from_memory import in_parts
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import Release, protect

AGES = pl.DataFrame({"age": [22, 30, None, -1, 70, 64, 65, 0, 14, 15] * 3})


@pytest.mark.parametrize("part_records", [7, 1000])
def test_texts_of_bands_in_parts_become_the_numbers_from_memory(
    duckdb_engine: DuckDBEngine, tmp_path: Path, part_records: int
) -> None:
    recipe = Recipe.of("global-recoding-breaks:breaks=0+15+25+65", ["age"])
    release = protect(AGES, recipe, seed=1, allow_undeclared=True)
    texts = release.masked.to_frame("polars")
    whole = Release.in_order(release.original, texts, recipe).masked
    original = in_parts(release.original, tmp_path / "original", part_records)
    written = in_parts(Microdata.from_frame(texts), tmp_path / "masked", part_records)
    found = read_bands(written, original, recipe, duckdb_engine)
    assert found.header.attribute("age").bands == whole.attribute("age").bands
    assert np.array_equal(found.column("age"), whole.columns["age"], equal_nan=True)
    by_hand = read_bands(in_parts(release.original, tmp_path / "other", part_records), original, recipe, duckdb_engine)
    assert by_hand.header.attribute("age").bands is None
