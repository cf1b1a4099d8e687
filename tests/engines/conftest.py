"""Files and engines that the tests of engines share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sdckit.datasets import simulate_survey
from sdckit.engines.choose import Choice
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.engine_name import EngineName
from sdckit.files import write

MEMORY = 2**31
DUCKDB = Choice(EngineName.DUCKDB, "as asked for", MEMORY)
SPARK = Choice(EngineName.SPARK, "as asked for", MEMORY)


@pytest.fixture(scope="session")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a survey as survey.parquet and survey.csv; it has ties, missing values and text."""
    import numpy as np

    folder = tmp_path_factory.mktemp("engines")
    data = simulate_survey(1200, seed=3)
    income = np.array(data.columns["income"])
    income[::17] = np.nan
    data = data.with_columns({"income": income})
    write(data, folder / "survey.parquet")
    write(data, folder / "survey.csv")
    return folder


@pytest.fixture
def duckdb_engine(tmp_path: Path) -> Iterator[DuckDBEngine]:
    """DuckDB with a small memory."""
    engine = DuckDBEngine(tmp_path, 2**28)
    yield engine
    engine.close()
