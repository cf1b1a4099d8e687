"""The engines that can be asked for."""

from enum import StrEnum


class EngineName(StrEnum):
    """Where the work is done; auto leaves the choice to an estimate of the memory."""

    AUTO = "auto"
    MEMORY = "memory"
    DUCKDB = "duckdb"
    SPARK = "spark"
