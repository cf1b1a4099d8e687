"""Grid: a window of the original, the masked file or their differences, as text for a table that scrolls."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.files.infer_schema import is_temporal
from sdckit.formatting import printable
from sdckit.frames.to_frame import number_series
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.release import Release
from sdckit.web.changes import differs

VIEWS = ("original", "masked", "changes")
WIDEST = 60  # columns and
TALLEST = 400  # rows of one window
LONGEST = 80  # characters of a cell
MISSING = "·"
DEGREE = "degree"  # the column of a graph that shows its links


def size_of(data: Microdata, release: Release | None, view: str) -> tuple[int, list[str]]:
    """The number of rows and the columns of a view."""
    shown = data
    if view == "masked" and release is not None and not release.corresponds:
        shown = release.masked
    links = [DEGREE] if isinstance(data, Graph) else []
    return len(shown), [*links, *(each.name for each in shown.attributes)]


def window(
    data: Microdata, release: Release | None, view: str, rows: tuple[int, int], columns: tuple[int, int]
) -> dict[str, Any]:
    """The cells of a window by column, with marks where a value was changed; of a graph, the degrees come first."""
    total, names = size_of(data, release, view)
    low, high = max(rows[0], 0), min(rows[1], total, max(rows[0], 0) + TALLEST)
    shown = names[max(columns[0], 0) : min(columns[1], len(names), max(columns[0], 0) + WIDEST)]
    numbers = np.arange(low, max(high, low))
    cells, marks = [], []
    for name in shown:
        degrees = name == DEGREE and isinstance(data, Graph)
        text, mark = (_degrees if degrees else _column)(data, release, view, name, numbers)
        cells.append(text)
        marks.append(mark)
    return {
        "rows": total,
        "columns": len(names),
        "names": [printable(name) for name in shown],
        "cells": cells,
        "marks": marks,
        "numbers": [int(number) + 1 for number in numbers],  # from 1, as reports and commands count
    }


def _column(
    data: Microdata, release: Release | None, view: str, name: str, numbers: NDArray[np.int64]
) -> tuple[list[str], list[int]]:
    if view == "original" or release is None:
        return texts(data, name, numbers), [0] * len(numbers)
    if not release.corresponds:
        return texts(release.masked, name, numbers), [0] * len(numbers)
    rows = release.true_rows(numbers)
    there = rows >= 0
    if name not in release.masked:
        return ["" if view == "masked" else "dropped"] * len(numbers), [3] * len(numbers)
    changed = np.zeros(len(numbers), dtype=bool)
    changed[there] = differs(release, name, numbers[there], rows[there])
    lost = np.zeros(len(numbers), dtype=bool)
    lost[there] = release.masked.absent(name)[rows[there]] & changed[there]
    marks = [3 if not own else 2 if gone else int(other) for own, gone, other in zip(there, lost, changed, strict=True)]
    after = iter(texts(release.masked, name, rows[there]))
    now = [next(after) if own else "" for own in there]
    if view == "masked":
        return now, marks
    before = texts(data, name, numbers)
    both = [f"{old} → {new}" if mark in (1, 2) else old for old, new, mark in zip(before, now, marks, strict=True)]
    return both, marks


def _degrees(
    data: Microdata, release: Release | None, view: str, _: str, numbers: NDArray[np.int64]
) -> tuple[list[str], list[int]]:
    assert isinstance(data, Graph)
    before = data.degrees[numbers]
    if view == "original" or release is None or not isinstance(release.masked, Graph):
        return [str(degree) for degree in before], [0] * len(numbers)
    if not release.corresponds:
        return [str(degree) for degree in release.masked.degrees[numbers]], [0] * len(numbers)
    rows = release.true_rows(numbers)
    after = [int(release.masked.degrees[row]) if row >= 0 else None for row in rows]
    marks = [3 if new is None else int(new != old) for old, new in zip(before.tolist(), after, strict=True)]
    if view == "masked":
        return ["" if new is None else str(new) for new in after], marks
    return [
        f"{old} → {new}" if mark == 1 else str(old)
        for old, new, mark in zip(before.tolist(), after, marks, strict=True)
    ], marks


def texts(data: Microdata, name: str, rows: NDArray[np.int64]) -> list[str]:
    """Values as text, as the file has them; a missing one is a dot."""
    attribute, absent = data.attribute(name), data.absent(name)[rows]
    if attribute.coded:
        values = data.values(name)[rows] if len(rows) > len(attribute.categories or ()) else _coded(data, name, rows)
        written = [str(value) for value in values]
    elif is_temporal(data, name):
        written = [str(moment) for moment in number_series(attribute, data.columns[name][rows], data.form.types[name])]
    else:
        written = [number_text(float(value)) for value in data.columns[name][rows]]
    return [
        MISSING if gone else printable(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
        for text, gone in zip(written, absent, strict=True)
    ]


def number_text(value: float) -> str:
    """A number with at most twelve significant digits.

    >>> number_text(3.0), number_text(0.1 + 0.2), number_text(1234567.25)
    ('3', '0.3', '1234567.25')
    """
    if not np.isfinite(value):
        return str(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.12g}"


def _coded(data: Microdata, name: str, rows: NDArray[np.int64]) -> list[Any]:
    categories = data.attribute(name).categories or ()
    return [categories[code] if code >= 0 else None for code in data.columns[name][rows].tolist()]
