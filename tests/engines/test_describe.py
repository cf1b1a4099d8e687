"""A file that is described part by part is described as in memory."""

from pathlib import Path

import numpy as np
import pytest

from sdckit.engines import describe as module
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.from_memory import in_parts
from sdckit.files import read
from sdckit.files.describe import describe
from sdckit.files.infer_schema import infer_schema


@pytest.mark.parametrize("counted", [0, 10**6])
def test_the_description_is_that_from_memory(
    survey: Path, duckdb_engine: DuckDBEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: int
) -> None:
    monkeypatch.setattr(module, "MOST_COUNTED", counted)
    data = read(survey / "survey.csv")
    guess = infer_schema(data)
    found = module.describe(in_parts(data, tmp_path, 333), duckdb_engine, guess)
    assert found == describe(data, guess)


def test_the_sample_has_records_at_equal_distances(survey: Path, tmp_path: Path) -> None:
    data = read(survey / "survey.csv")
    sample = module.sample_of(in_parts(data, tmp_path, 100), 7)
    chosen = np.linspace(0, len(data) - 1, 7).astype(int)
    for name, column in data.columns.items():
        assert np.array_equal(sample.columns[name], column[chosen], equal_nan=column.dtype == np.float64)
