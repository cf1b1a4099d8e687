"""Frequency tables: how many records have each value of an attribute, and each pair of values of two keys."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sdckit.frames.to_frame import polars_series
from sdckit.microdata import Microdata

MANY = 1_000  # distinct values beyond which a table is not a summary
MANY_CELLS = 10_000  # of a cross-table
MISSING = "missing"


@dataclass(frozen=True)
class FrequencyTable:
    """The values of one attribute in their order, each with its number of records; missing ones last."""

    name: str
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class CrossTable:
    """The records of each pair of values of two attributes: one row for each value of the first."""

    names: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Tables:
    """All tables of a file; `left_out` are the attributes and pairs with too many values, by how many they have."""

    frequencies: tuple[FrequencyTable, ...]
    crossed: tuple[CrossTable, ...]
    left_out: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


def tables_of(data: Microdata, names: Sequence[str], keys: Sequence[str]) -> Tables:
    """The frequency tables of these attributes, and the cross-tables of every two keys.

    >>> import polars
    >>> file = Microdata.from_frame(polars.DataFrame({"sex": ["f", "m", "f"], "old": ["y", "y", None]}))
    >>> tables = tables_of(file, ["sex"], ["sex", "old"])
    >>> tables.frequencies[0].counts, tables.crossed[0].counts
    ((('f', 2), ('m', 1)), ((1, 1), (1, 0)))
    """
    values = {name: _values(data, name) for name in dict.fromkeys([*names, *keys])}
    left_out = {name: len(texts) for name, (texts, _) in values.items() if name in names and len(texts) > MANY}
    frequencies = []
    for name in names:
        texts, index = values[name]
        if name not in left_out:
            counts = np.bincount(index, minlength=len(texts)).tolist()
            frequencies.append(FrequencyTable(name, tuple(zip(texts, counts, strict=True))))
    crossed = []
    for one, other in combinations(keys, 2):
        (rows, of_row), (columns, of_column) = values[one], values[other]
        cells = len(rows) * len(columns)
        if cells > MANY_CELLS:
            left_out[f"{one} × {other}"] = cells
            continue
        table = np.bincount(of_row * len(columns) + of_column, minlength=cells).reshape(len(rows), len(columns))
        crossed.append(CrossTable((one, other), rows, columns, tuple(map(tuple, table.tolist()))))
    return Tables(tuple(frequencies), tuple(crossed), left_out)


def _values(data: Microdata, name: str) -> tuple[tuple[str, ...], np.ndarray[Any, np.dtype[np.int64]]]:
    """The distinct values of a column as text, missing last, and the position of each record's value."""
    column, absent = data.columns[name], data.absent(name)
    numbers, index = np.unique(np.where(absent, 0, column), return_inverse=True)
    attribute = data.attribute(name)
    first = np.full(len(numbers), -1)
    seen = np.flatnonzero(~absent)
    first[index[seen][::-1]] = seen[::-1]
    kept = np.flatnonzero(first >= 0)
    position = np.full(len(numbers) + 1, len(kept))
    position[kept] = np.arange(len(kept))
    texts = [str(each) for each in polars_series(data.take(first[kept]), attribute).to_list()] if len(kept) else []
    of_record = np.where(absent, len(kept), position[index])
    return (*texts, *([MISSING] if absent.any() else [])), of_record.astype(np.int64)
