"""A file that is described part by part is described as in memory."""

import sys
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from benchmarks._memory_group import run_within

from sdckit.engines import describe as module
from sdckit.engines import key_classes
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.from_memory import in_parts
from sdckit.engines.memory_limit import PROCESS, memory_limit
from sdckit.files import read
from sdckit.files.describe import describe
from sdckit.files.infer_schema import infer_schema
from sdckit.microdata import Microdata


@pytest.mark.parametrize(("counted", "memory"), [(0, 2**62), (10**6, 2**62), (10**6, PROCESS)])
def test_the_description_is_that_from_memory(
    survey: Path,
    duckdb_engine: DuckDBEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    counted: int,
    memory: int,
) -> None:
    monkeypatch.setattr(module, "MOST_COUNTED", counted)
    monkeypatch.setattr(key_classes, "LEAST", 2**12)  # so that the smallest memory asks for several passes
    data = read(survey / "survey.csv")
    guess = infer_schema(data)
    found = module.describe(in_parts(data, tmp_path, 333), duckdb_engine, guess, memory=memory)
    assert found == describe(data, guess)


def test_dates_are_described_as_from_memory(duckdb_engine: DuckDBEngine, tmp_path: Path) -> None:
    days = [date(2020, 1, 1) + timedelta(days=each * each % 40) for each in range(30)]
    moments = [datetime(2021, 5, 1, each % 24) if each % 4 else None for each in range(30)]
    data = Microdata.from_frame(pl.DataFrame({"entered": days, "seen at": moments, "never": pl.Series([None] * 30)}))
    guess = infer_schema(data)
    found = module.describe(in_parts(data, tmp_path, 7), duckdb_engine, guess)
    assert found == describe(data, guess)
    assert found.attributes[0].minimum == "2020-01-01"


def test_the_sample_has_records_at_equal_distances(survey: Path, tmp_path: Path) -> None:
    data = read(survey / "survey.csv")
    sample = module.sample_of(in_parts(data, tmp_path, 100), 7)
    chosen = np.linspace(0, len(data) - 1, 7).astype(int)
    for name, column in data.columns.items():
        assert np.array_equal(sample.columns[name], column[chosen], equal_nan=column.dtype == np.float64)


@pytest.mark.slow
def test_a_file_of_distinct_numbers_is_described_within_the_memory(tmp_path: Path) -> None:
    """The system ends a process that takes more, where this one may set a limit; else its peak is compared."""
    rng, records = np.random.default_rng(1), 4_000_000
    frame = pl.DataFrame(
        {
            "place": rng.integers(0, 2000, records).astype(str),
            "trade": rng.integers(0, 50, records).astype(str),
            "income": np.round(rng.lognormal(10, 1, records), 2),
            "change": rng.normal(size=records),
        }
    )
    frame.write_parquet(tmp_path / "distinct.parquet")
    limit = ["--engine", "duckdb", "--memory", "512MB", "--quiet"]
    with open(tmp_path / "printed", "wb") as printed:
        command = [sys.executable, "-m", "sdckit", "describe", str(tmp_path / "distinct.parquet"), *limit]
        found = run_within(memory_limit("512MB"), command, printed)
    assert found.code == 0
    assert found.peak <= memory_limit("512MB")
