"""A hierarchy of dates: `{ date = ["month", "year", "decade"] }`, for dates as 2026-11-16, with or without a time.

Dates of birth can be recoded to the age at a day, and the ages to bands: `{ date = ["age"], at = "2026-01-01", breaks =
[0, 15, 25, 65] }`.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl

from sdckit.date_text import date_form, may_be_dates
from sdckit.date_units import AGE, UNITS, age_at, check_unit, day_from_text
from sdckit.errors import ParameterError, SchemaError, private
from sdckit.hierarchies.breaks import PROPERTIES as BREAKS
from sdckit.hierarchies.breaks import band_levels
from sdckit.hierarchy import ROOT, Hierarchy

KEYWORD = "date"
PROPERTIES = {
    "date": {
        "description": "The unit of each level, each longer than the one before; age by itself.",
        "type": "array",
        "items": {"type": "string", "enum": [*UNITS, AGE]},
        "minItems": 1,
    },
    "at": {"description": "The day at which age is counted, such as 2026-01-01.", "type": "string"},
    "format": {
        "description": "How dates are written, such as %d.%m.%Y; recognised where it is not given.",
        "type": "string",
    },
    **BREAKS,
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these dates."""
    units = list(declaration["date"])
    texts = list(dict.fromkeys(map(str, values)))
    form = declaration.get("format") or _form(texts)
    days = {text: _day(text, form) for text in texts}
    if units == [AGE]:
        tree = Hierarchy.by_levels(_ages(days, declaration))
        return Hierarchy(tree.parent, dict(declaration), tree.levels)
    for option in ("at", "breaks", "labels"):
        if option in declaration:
            raise SchemaError(f'{option} belongs to ages: write date = ["age"], or leave {option} out')
    for unit in units:
        check_unit(unit)
    if units != sorted(set(units), key=list(UNITS).index):
        raise SchemaError(f"the units of dates {units} do not nest; use an order such as {', '.join(UNITS)}")
    tree = Hierarchy.by_levels([[text, *(UNITS[unit](days[text]) for unit in units), ROOT] for text in texts])
    return Hierarchy(tree.parent, dict(declaration), tree.levels)


def _ages(days: Mapping[str, date], declaration: Mapping[str, Any]) -> list[list[str]]:
    """The path of each date of birth: the age, then its bands."""
    if "at" not in declaration:
        raise SchemaError('a hierarchy of ages needs the day at which they are counted, as at = "2026-01-01"')
    try:
        at = day_from_text(declaration["at"], "at")
    except ParameterError as problem:
        raise SchemaError(str(problem)) from None
    levels = (
        band_levels(declaration["breaks"], declaration.get("labels", []), whole=True) if "breaks" in declaration else []
    )
    rows = []
    for text, day in days.items():
        age = age_at(day, at)
        if age < 0:
            raise SchemaError(f"the date {private(text)} is after {at.isoformat()}; give a later day as at")
        bands = [str(each.text(each.recoded(np.array([float(age)]))[0])) for each in levels]
        rows.append([text, f"age {age}", *bands, ROOT])
    return rows


def _form(texts: list[str]) -> str | None:
    """The form of the dates, unless it is that of 2026-11-16."""
    written = pl.Series(texts, dtype=pl.String)
    form = date_form(written)
    if form is None and len(texts) and may_be_dates(written) and "." not in texts[0]:
        raise SchemaError(
            'the dates may begin with the day or with the month; say which, as format = "%d/%m/%Y" or "%m/%d/%Y"'
        )
    return None if form is None or form.startswith("%Y-") else form.replace("%-", "%")


def _day(text: str, form: str | None) -> date:
    try:
        return date.fromisoformat(text[:10]) if form is None else datetime.strptime(text, form).date()
    except ValueError:
        expected = "dates such as 2026-11-16" if form is None else f"dates written as {form}"
        raise SchemaError(
            f"a hierarchy of dates needs {expected}, but {private(text)} is not one; give another format, or use "
            "levels or file"
        ) from None
