"""The public reference files and the published tables, where a copy is available."""

import csv
import gc
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray

# The same examples on every machine, and none judged by its time: the first call of a kernel compiles it.
settings.register_profile("sdckit", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("quick", settings.get_profile("sdckit"), max_examples=10)  # of `make test`
settings.load_profile("sdckit")

gc.disable()  # while tests are collected: nearly all that is made then is needed to the end


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Search for garbage again, but not among thousands of tests: that would take a tenth of the time."""
    gc.enable()
    gc.collect()
    gc.freeze()


BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared"
CENSUS_COLUMNS = 13
EIA_NUMERIC = 10


def reference_file(*parts: str) -> Path:
    """The path of a reference file, or a skip that says how to provide it.

    `SDCKIT_DATA` names the folder of the data files; the published tables are in its subfolder `published`.
    """
    if "SDCKIT_DATA" in os.environ:
        path = Path(os.environ["SDCKIT_DATA"]).joinpath(*(parts[1:] if parts[0] == "data" else parts))
    else:
        path = BESIDE_THE_CHECKOUT.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{'/'.join(parts)} is not available: set SDCKIT_DATA to a folder that has it")
    return path


def columns(path: Path) -> dict[str, list[str]]:
    with path.open(newline="", encoding="utf-8") as handle:
        rows = list(csv.reader(handle))
    return dict(zip(rows[0], map(list, zip(*rows[1:], strict=True)), strict=True))


@pytest.fixture(scope="session")
def census() -> NDArray[np.float64]:
    """Census, 1080 records, 13 attributes in file order."""
    table = columns(reference_file("data", "CASCrefmicrodata.csv"))
    return np.column_stack([np.array(column, dtype=float) for column in table.values()])


@pytest.fixture(scope="session")
def eia() -> NDArray[np.float64]:
    """EIA, 4092 records, the ten revenue and sales attributes of the risk papers."""
    table = columns(reference_file("data", "EIA.csv"))
    return np.column_stack([np.array(column, dtype=float) for column in list(table.values())[-EIA_NUMERIC:]])


@pytest.fixture(scope="session")
def eia11() -> NDArray[np.float64]:
    """EIA as in the microaggregation benchmarks: UTILITYID and the ten."""
    table = columns(reference_file("data", "EIA.csv"))
    names = ["UTILITYID", *list(table)[-EIA_NUMERIC:]]
    return np.column_stack([np.array(table[name], dtype=float) for name in names])


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages go to a terminal, so that they name values of records."""
    monkeypatch.setattr("sdckit.errors.on_terminal", lambda: True)
