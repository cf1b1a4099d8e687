"""How a column of text writes its dates: 2026-11-16, 16.11.2026, 11/16/2026, with or without zeros or a time of day.

Whether day or month comes first is decided by the values: 11/16/2026 can only be the 16th of November. Where every
date may be read both ways, the form is unknown.
"""

import re

import polars as pl

START = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
TIMES = (
    ("%Y-%m-%d %H:%M:%S", r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$"),
    ("%Y-%m-%dT%H:%M:%S", r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$"),
    ("%Y-%m-%d %H:%M:%S%.3f", r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$"),
    ("%Y-%m-%d %H:%M:%S%.6f", r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$"),
    ("%Y-%m-%dT%H:%M:%S%.3f", r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$"),
    ("%Y-%m-%dT%H:%M:%S%.6f", r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$"),
)
YEAR_FIRST = r"^\d{4}([-/.])\d{2}[-/.]\d{2}$"
YEAR_LAST = r"^(\d{1,2})([-/.])(\d{1,2})[-/.]\d{4}$"


def date_form(texts: pl.Series) -> str | None:
    """The format by which every text is a date or time; None where there is none, or more than one."""
    if not len(texts) or not START.match(texts[0]):
        return None
    texts = texts.unique()
    for form, pattern in TIMES:
        if _all_parsed(texts, pl.Datetime("us"), form, pattern):
            return form
    forms = [form for form in _candidates(texts) if _all_parsed(texts, pl.Date, form)]
    same = len(forms) == 2 and texts.str.strptime(pl.Date, forms[0]).equals(texts.str.strptime(pl.Date, forms[1]))
    return forms[0] if len(forms) == 1 or same else None


def may_be_dates(texts: pl.Series) -> bool:
    """Whether the texts have the form of dates, even where day and month cannot be distinguished."""
    return bool(texts.str.contains(YEAR_LAST).all())


def _candidates(texts: pl.Series) -> list[str]:
    """The formats that the marks between the numbers allow."""
    if bool(texts.str.contains(YEAR_FIRST).all()):
        marks = texts.str.extract(YEAR_FIRST, 1).unique()
        return [f"%Y{marks[0]}%m{marks[0]}%d"] if len(marks) == 1 else []
    if not may_be_dates(texts):
        return []
    marks = texts.str.extract(YEAR_LAST, 2).unique()
    if len(marks) > 1:
        return []
    unpadded = bool((texts.str.extract(YEAR_LAST, 1).str.len_chars() == 1).any())
    unpadded |= bool((texts.str.extract(YEAR_LAST, 3).str.len_chars() == 1).any())
    day, month = ("%-d", "%-m") if unpadded else ("%d", "%m")
    forms = [f"{day}{marks[0]}{month}{marks[0]}%Y"]
    return forms if marks[0] == "." else [*forms, f"{month}{marks[0]}{day}{marks[0]}%Y"]  # points: the day comes first


def _all_parsed(texts: pl.Series, dtype: pl.Datetime | type[pl.Date], form: str, pattern: str = "") -> bool:
    """Whether every text is a date of this form and written as this form writes it."""
    if pattern and not bool(texts.str.contains(pattern).all()):
        return False
    dates = texts.str.strptime(dtype, form, strict=False)
    return dates.null_count() == 0 and bool((dates.dt.strftime(form) == texts).all())
