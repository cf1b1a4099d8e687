"""Start the engine that was chosen."""

from pathlib import Path

from sdckit.engines.choose import Choice
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.engine import Engine
from sdckit.engines.engine_name import EngineName
from sdckit.engines.memory_limit import PROCESS
from sdckit.errors import SdcError

ENGINE_SHARE = 0.5  # of the memory, for sorts and groups; kernels and Python take the rest


def start(choice: Choice, folder: Path) -> Engine:
    """The engine that was chosen, with its share of the memory and a folder to spill to."""
    if choice.name is EngineName.DUCKDB:
        return DuckDBEngine(folder, int(ENGINE_SHARE * (choice.memory - PROCESS)))
    if choice.name is EngineName.SPARK:
        from sdckit.engines.spark_engine import SparkEngine

        return SparkEngine(folder, choice.memory)
    raise SdcError("the engine memory reads the whole file; it needs no plan")
