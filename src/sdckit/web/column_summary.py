"""Summary of a column: its frequency table or histogram, with the number of values that occur once."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.charts.bins import round_edges
from sdckit.files.infer_schema import is_temporal
from sdckit.microdata import Microdata
from sdckit.web.grid import number_text, texts

SHOWN = 200  # rows of a frequency table


@dataclass(frozen=True)
class Bar:
    """A value or an interval with its number of records."""

    label: str
    count: int
    share: float
    height: float
    meaning: str = ""  # the label that the file has for a code


@dataclass(frozen=True)
class ColumnSummary:
    """The bars of a picture, the rows of a table, and how many values occur once."""

    name: str
    numeric: bool
    bars: tuple[Bar, ...]
    table: tuple[Bar, ...]
    more: int
    distinct: int
    once: int
    missing: int
    records: int
    quantiles: tuple[tuple[str, str], ...] = ()


def summary_of(data: Microdata, name: str) -> ColumnSummary:
    """The summary of a column."""
    attribute, absent = data.attribute(name), data.absent(name)
    column = data.columns[name][~absent]
    values, first, counts = np.unique(column, return_index=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    rows = np.flatnonzero(~absent)[first]
    shown = order[:SHOWN]
    labels = texts(data, name, rows[shown])
    meanings = {_code(code): text for code, text in attribute.value_labels.items()}
    table = _bars(labels, counts[shown], len(data), meanings)
    numeric = not attribute.coded and not is_temporal(data, name) and len(values) > 12
    bars = table[:24]
    quantiles: tuple[tuple[str, str], ...] = ()
    if numeric:
        edges = round_edges(column)
        clipped = np.clip(column, edges[0], np.nextafter(edges[-1], edges[0]))
        heights = np.histogram(clipped, edges)[0]
        ends = [f"{number_text(float(low))} to {number_text(float(high))}" for low, high in pairwise(edges)]
        bars = _bars(ends, heights, len(data))
        cut = np.quantile(column, [0, 0.25, 0.5, 0.75, 1])
        names = ("minimum", "first quartile", "median", "third quartile", "maximum")
        quantiles = tuple((label, f"{value:,.6g}") for label, value in zip(names, cut, strict=True))
        quantiles += (("mean", f"{column.mean():,.6g}"), ("standard deviation", f"{column.std():,.6g}"))
    return ColumnSummary(
        name,
        numeric,
        bars,
        table,
        max(len(values) - SHOWN, 0),
        len(values),
        int((counts == 1).sum()),
        int(absent.sum()),
        len(data),
        quantiles,
    )


def _code(code: Any) -> str:
    return number_text(float(code)) if isinstance(code, int | float) else str(code)


def _bars(
    labels: list[str], counts: NDArray[np.int64], records: int, meanings: Mapping[str, str] = MappingProxyType({})
) -> tuple[Bar, ...]:
    highest = max(int(counts.max(initial=0)), 1)
    return tuple(
        Bar(label, int(count), int(count) / max(records, 1), 100 * int(count) / highest, meanings.get(label, ""))
        for label, count in zip(labels, counts, strict=True)
    )
