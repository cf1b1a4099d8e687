"""Part columns: which part of a folder of Parquet parts has other columns or types than the first one."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

SHOWN = 3  # differences in a message
CURE = "write the parts again with the same columns and types"


def difference_of_parts(files: Sequence[Path]) -> str | None:
    """How the first part that differs from the first one differs, with the cure; None where all are alike."""
    if not files:
        return None
    first = pl.read_parquet_schema(files[0])
    for file in files[1:]:
        found = _differences(first, pl.read_parquet_schema(file), files[0].name, file.name)
        if found:
            more = f", and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
            return f"{', '.join(found[:SHOWN])}{more}; {CURE}"
    return None


def _differences(first: Mapping[str, Any], other: Mapping[str, Any], first_name: str, other_name: str) -> list[str]:
    """Each column that is missing, extra or of another type; one without any value (Null) has every type."""
    return [
        *(f"{other_name} has no column {name!r}, which {first_name} has" for name in first if name not in other),
        *(f"{other_name} has a column {name!r}, which {first_name} has not" for name in other if name not in first),
        *(
            f"column {name!r} is {first[name]} in {first_name} and {other[name]} in {other_name}"
            for name in first
            if name in other and first[name] != other[name] and pl.Null not in (first[name], other[name])
        ),
    ]
