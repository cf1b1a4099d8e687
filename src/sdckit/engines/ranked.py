"""Ranked values of one column: an external sort by the engine, then work on the sorted values, back in record order."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.parts import WorkingFile
from sdckit.errors import SdcError

PIECE = 1 << 20  # ranks handled at a time


def rank_and_put_back(
    file: WorkingFile,
    engine: Engine,
    name: str,
    folder: Path,
    work: Callable[[NDArray[np.float64], NDArray[np.float64]], None],
) -> NDArray[np.float64]:
    """The column after work on its sorted observed values; equal values are in the order of their records.

    `work` gets the sorted values, and an array to fill with what the record of each rank gets. All arrays lie in files,
    which the system keeps in memory as far as there is room.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    count = file.cut.records - file.header.missing(name)
    values = scratch(folder / "sorted.bin", count, np.float64)
    owners = scratch(folder / "owners.bin", count, np.int64)
    observed = "c0 >= 0" if file.header.attribute(name).coded else "NOT isnan(c0)"
    sql = f"SELECT CAST(c0 AS DOUBLE) AS value, record FROM t WHERE {observed} ORDER BY value, record"
    filled = 0
    last = -np.inf
    for batch in engine.query(sql, {"t": relation_of(file, [name], numbered=True)}):
        if not len(batch):
            continue
        sorted_values = batch.column(0).to_numpy()
        if sorted_values[0] < last or (np.diff(sorted_values) < 0).any():
            raise SdcError(f"the engine {engine.name} did not sort {name!r}; use another version of it")
        last = sorted_values[-1]
        values[filled : filled + len(batch)] = sorted_values
        owners[filled : filled + len(batch)] = batch.column(1).to_numpy()
        filled += len(batch)
    if filled != count:
        raise SdcError(f"the engine {engine.name} sorted {filled:,} values of {name!r} and there are {count:,}")
    if not file.header.attribute(name).coded:
        _restore_negative_zeros(file, name, values, owners)
    after = scratch(folder / "after.bin", count, np.float64)
    work(values, after)
    out = scratch(folder / "column.bin", file.cut.records, np.float64)
    out[:] = np.nan
    for start in range(0, count, PIECE):
        out[owners[start : start + PIECE]] = after[start : start + PIECE]
    return out


def _restore_negative_zeros(
    file: WorkingFile, name: str, values: NDArray[np.float64], owners: NDArray[np.int64]
) -> None:
    """Give each zero among sorted values the sign that it has in the file: an engine sorts them with one zero."""
    first, end = np.searchsorted(values, 0.0, "left"), np.searchsorted(values, 0.0, "right")
    if first == end:
        return
    for part in range(len(file.cut)):
        column = file.columns(part, [name])[name]
        records = file.cut.span(part)[0] + np.flatnonzero((column == 0.0) & np.signbit(column))
        values[first + np.searchsorted(owners[first:end], records)] = -0.0


def scratch(path: Path, count: int, dtype: Any, *, kept: bool = False) -> NDArray[Any]:
    """An array in a file of its own, with what an earlier run kept in it where that is asked for.

    Its space on the disk is taken at once: where there is none, that is an error here and not the end of the process
    when a page is written.
    """
    if not count:
        return np.empty(0, dtype)
    if kept:
        return np.memmap(path, dtype, "r+", shape=(count,))
    with open(path, "wb") as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, count * np.dtype(dtype).itemsize)
        else:
            file.truncate(count * np.dtype(dtype).itemsize)
    return np.memmap(path, dtype, "r+", shape=(count,))
