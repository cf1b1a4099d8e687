"""Bands of dates: the days of a month, a quarter or a year, or the days of birth of an age."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby

import numpy as np

from sdckit.bands import Bands, bands_at
from sdckit.date_units import AGE, UNITS, age_at, day_from_text, first_birthday_of_age, unit_starts
from sdckit.errors import SchemaError
from sdckit.microdata import Microdata

EPOCH = date(1970, 1, 1)
MICROSECONDS = 86_400_000_000  # of a day


def ticks_per_day(data: Microdata, name: str) -> int | None:
    """How many units of the numbers of a column make a day; None where the column is no date."""
    import polars as pl

    dtype = data.form.types.get(name)
    if dtype == pl.Date:
        return 1
    return MICROSECONDS if isinstance(dtype, pl.Datetime) else None


def date_bands(
    data: Microdata, name: str, unit: str, at: str, breaks: Sequence[float], labels: Sequence[str], owner: str
) -> Bands:
    """The bands of a column of dates: its units, or years or ages between breaks."""
    ticks = ticks_per_day(data, name)
    assert ticks is not None
    if not unit:
        raise SchemaError(f"{owner}: {name!r} is a date; give the unit to recode it to, as unit=year or unit=quarter")
    column = data.columns[name]
    present = column[~np.isnan(column)]
    first, last = (EPOCH + timedelta(days=int(end // ticks)) for end in (present.min(), present.max()))
    spans = _ages(first, last, at, name, owner) if unit == AGE else _units(first, last, unit)
    if breaks or labels:
        spans = _merged(spans, breaks, labels, name, owner)
    starts = [(start - EPOCH).days * ticks for start, _, _ in spans]
    middles = [((start - EPOCH).days + (end - EPOCH).days) * ticks / 2 for start, end, _ in spans]
    edges = (-np.inf, *map(float, starts[1:]), np.inf)
    return Bands(edges, tuple(middles), tuple(text for _, _, text in spans))


def _units(first: date, last: date, unit: str) -> list[tuple[date, date, str]]:
    """The first day, the day after the last one, and the text of each unit."""
    starts = list(unit_starts(unit, first, last))
    ends = [*starts[1:], last + timedelta(days=1)]
    return [(start, end, UNITS[unit](start)) for start, end in zip(starts, ends, strict=True)]


def _ages(first: date, last: date, at: str, name: str, owner: str) -> list[tuple[date, date, str]]:
    """The days of birth of each age, from the oldest to the youngest."""
    day = day_from_text(at, f"{owner}: at")
    if last > day:
        raise SchemaError(f"{owner}: {name!r} has dates after {day.isoformat()}; give a later day as at")
    ages = range(age_at(first, day), age_at(last, day) - 1, -1)
    return [(first_birthday_of_age(age, day), first_birthday_of_age(age - 1, day), str(age)) for age in ages]


def _merged(
    spans: list[tuple[date, date, str]], breaks: Sequence[float], labels: Sequence[str], name: str, owner: str
) -> list[tuple[date, date, str]]:
    """The spans of years or ages that are in one band, joined; without breaks, labels rename nothing."""
    if not breaks:
        raise SchemaError(
            f"{owner}: labels name the bands between breaks; give breaks for {name!r} or leave out labels"
        )
    bands = bands_at(breaks, whole=True, labels=labels)

    def text(span: tuple[date, date, str]) -> str:
        label = bands.text(bands.recoded(np.array([float(span[2])]))[0])
        assert label is not None
        return label

    joined = []
    for label, group in groupby(spans, key=text):
        members = list(group)
        joined.append((members[0][0], members[-1][1], label))
    return joined
