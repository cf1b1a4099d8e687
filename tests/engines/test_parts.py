"""Columns of a file in parts are read once, across parts, and a part that cannot be read is said by name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.engine import Relation
from sdckit.engines.from_memory import in_parts
from sdckit.engines.pair import Pair
from sdckit.engines.parts import Cut, WorkingFile
from sdckit.errors import FileError
from sdckit.microdata import Attribute, Kind, Microdata


def test_columns_in_memory_are_those_of_the_file_and_no_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attributes = (Attribute("x", Kind.CONTINUOUS), Attribute("code", Kind.UNORDERED, categories=("a", "b")))
    data = Microdata(attributes, {"x": np.arange(10.0), "code": (np.arange(10) % 2).astype(np.int32)})
    file, column, read = in_parts(data, tmp_path, 3), WorkingFile.column, {}
    monkeypatch.setattr(WorkingFile, "column", lambda self, name: read.setdefault(name, column(self, name)))
    found = file.in_memory(["code", "x"])
    for name in ("x", "code"):
        assert np.array_equal(found.columns[name], data.columns[name])
        assert found.columns[name] is read[name] and not read[name].flags.writeable


@pytest.mark.parametrize("records", [1, 3, 4, 8, 20])
def test_the_first_records_of_a_release_are_taken_from_as_many_parts_as_they_are_in(
    tmp_path: Path, records: int
) -> None:
    data = Microdata((Attribute("x", Kind.CONTINUOUS),), {"x": np.arange(10.0)})
    file = in_parts(data, tmp_path, 3)
    found = Pair(file, file).slim(records)
    for each in (found.original, found.masked):
        assert each.columns["x"].tolist() == list(range(min(records, 10)))


def test_a_part_that_cannot_be_read_is_the_error_of_the_query(duckdb_engine: DuckDBEngine) -> None:
    def read(part: int) -> Mapping[str, Any]:
        if part == 2:
            raise FileError("part 2 is damaged; restore it")
        return {"c0": np.arange(5.0)}

    table = Relation(Cut(20, 5), read, {"c0": pa.float64()})
    with pytest.raises(FileError, match=r"^part 2 is damaged; restore it$"):
        list(duckdb_engine.query("SELECT c0 FROM t ORDER BY c0", {"t": table}))
    rest = Relation(Cut(10, 5), read, {"c0": pa.float64()})
    assert sum(map(len, duckdb_engine.query("SELECT c0 FROM t", {"t": rest}))) == 10  # the engine goes on
