"""The engines that can be asked for: memory, and one for each module `…_engine.py` of this folder."""

from enum import StrEnum
from pathlib import Path


class EngineName(StrEnum):
    """Where the work is done; auto leaves the choice to an estimate of the memory."""

    _ignore_ = "each"

    AUTO = "auto"
    MEMORY = "memory"
    DUCKDB = "duckdb"
    SPARK = "spark"
    for each in sorted(path.stem.removesuffix("_engine") for path in Path(__file__).parent.glob("*_engine.py")):
        if each.upper() not in vars():
            vars()[each.upper()] = each
