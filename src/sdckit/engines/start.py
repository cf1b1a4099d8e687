"""Start the engine that was chosen."""

from importlib import import_module
from pathlib import Path

from sdckit.engines.choose import Choice
from sdckit.engines.engine import Engine
from sdckit.errors import SdcError


def start(choice: Choice, folder: Path) -> Engine:
    """The engine that was chosen, with the memory of the run and a folder to spill to."""
    if choice.in_memory:
        raise SdcError("the engine memory reads the whole file; it needs no plan")
    engine: Engine = import_module(f"sdckit.engines.{choice.name}_engine").start(folder, choice.memory)
    return engine
