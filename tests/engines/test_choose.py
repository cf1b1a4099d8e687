"""The engine that is asked for reads what it is given, or the error names one that does."""

from pathlib import Path

import pytest

from sdckit.engines.choose import EngineName, choose
from sdckit.errors import FileError


def test_memory_refuses_a_folder_and_names_the_engines_that_read_it(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="--engine duckdb or --engine spark for a folder of Parquet parts"):
        choose(EngineName.MEMORY, None, tmp_path)


def test_an_engine_that_reads_folders_is_taken_as_asked_for(tmp_path: Path) -> None:
    assert choose(EngineName.SPARK, "1GB", tmp_path).name is EngineName.SPARK
