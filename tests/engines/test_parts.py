"""Columns of a file in parts are read into memory once."""

from pathlib import Path

import numpy as np
import pytest

from sdckit.engines.from_memory import in_parts
from sdckit.engines.parts import WorkingFile
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
