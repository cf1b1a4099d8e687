"""From the cells of a CSV column to numbers, dates or text, and back to the same cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.date_text import date_form
from sdckit.errors import SchemaError, private
from sdckit.microdata import Kind
from sdckit.schema import Declared

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", ".")
MOSTLY = 0.5  # a column with this share of numbers and some text is a mistake, not a column of text
MOST_DECIMALS = 15  # a float has no more digits
POINTED = r"^[+-]?[\d.,]*\.[\d.,]*$"  # points among digits; those of an abbreviation ("n.a.") are no decimal marks
# The marks that group thousands, each with the decimal marks that it may stand beside.
GROUPING = {r"\.": ",", ",": r"\.", "['’]": "[.,]", "[ \u00a0\u202f]": "[.,]"}


@dataclass(frozen=True)
class Written:
    """The form of a column: the largest and the smallest number of decimals, its date format, its decimal mark.

    `codes` has the text of each code that the schema declares missing.
    """

    decimals: int | None = None
    least: int = 0
    date_format: str | None = None
    comma: bool = False
    codes: Mapping[Any, str] = field(default_factory=dict)


def typed(
    texts: pl.Series, declared: Declared, missing: Sequence[str] = MISSING, comma: bool = False, mixtures: bool = False
) -> tuple[pl.Series, Written]:
    """The column as integers, numbers, dates or text, the first that all its cells allow, and its written form.

    A column of numbers with some text in it is refused, unless `mixtures` are to be read as text. A column with a
    leading zero ('01234') stays text. So do codes declared categorical unless they are integers.
    """
    stripped = texts.str.strip_chars()
    absent = (stripped.is_null() | stripped.is_in([*missing, *map(str, declared.missing)])).fill_null(True)
    stripped = stripped.set(absent, None)
    present = stripped.drop_nulls()
    text = texts.set(absent, None)
    if len(present) == 0:
        return stripped.cast(pl.Float64), Written()
    if declared.categories is not None or (declared.kind is not None and declared.kind & Kind.CATEGORICAL):
        codes = stripped.cast(pl.Int64, strict=False)
        canonical = codes.null_count() == stripped.null_count() and codes.cast(pl.String).equals(stripped)
        return (codes if canonical else text), Written()
    dated = date_form(present)
    if dated is not None:
        dtype = pl.Datetime("us") if "%H" in dated else pl.Date
        return stripped.str.strptime(dtype, dated), Written(date_format=dated)
    if present.str.contains(r"^[+-]?0\d").any():
        return text, Written()
    with_comma = comma and bool(present.str.contains(",", literal=True).any())
    numerals = stripped.str.replace(",", ".", literal=True) if with_comma else stripped
    if with_comma and present.str.contains(POINTED).any():
        numerals = stripped  # points and commas: thousands or lists, not plain numbers
    whole = numerals.cast(pl.Int64, strict=False)
    if whole.null_count() == stripped.null_count():
        return whole, Written()
    numbers = numerals.cast(pl.Float64, strict=False)
    if numbers.null_count() == stripped.null_count():
        if not numerals.drop_nulls().str.contains(r"[.eE]").any():
            return text, Written()  # integers of more than 64 bits are names
        return numbers, _decimals(numerals.drop_nulls(), with_comma)
    if not mixtures:
        _refuse_grouped(stripped)
        refuse_mixture(stripped, numbers)
    return text, Written()


def missing_codes_of(texts: pl.Series, declared: Declared, comma: bool = False) -> tuple[pl.Series, dict[Any, str]]:
    """The code of each cell that the schema declares missing, null elsewhere, and the text of each code.

    Codes are numbers where all that are declared are, however they are written: -9, -9.0 or -9,00.
    """
    stripped = texts.str.strip_chars()
    numeric = all(isinstance(code, int | float) for code in declared.missing)
    if numeric:
        numerals = stripped.str.replace(",", ".", literal=True) if comma else stripped
        values: pl.Series = numerals.cast(pl.Float64, strict=False)
        found = values.is_in([float(code) for code in declared.missing]).fill_null(False)
    else:
        values = stripped
        found = values.is_in([str(code) for code in declared.missing]).fill_null(False)
    codes = values.set(~found, None)
    pairs = zip(codes.filter(found).to_list(), stripped.filter(found).to_list(), strict=True)
    return codes, {int(code) if numeric and code.is_integer() else code: text for code, text in dict(pairs).items()}


def with_codes(texts: pl.Series, rows_of: Mapping[Any, NDArray[np.bool_]], written: Written) -> pl.Series:
    """The cells of a column with the codes of its missing values, as they were written."""
    for code, rows in rows_of.items():
        texts = texts.set(pl.Series(rows), written.codes.get(code, str(code)))
    return texts


def refuse_mixture(texts: pl.Series, numbers: pl.Series, line: int = 2) -> None:
    """Refuse a column of which half or more are numbers and the rest is text; `line` is that of the first record."""
    stray = texts.is_not_null() & numbers.is_null()
    present = len(texts) - texts.null_count()
    if 0 < int(stray.sum()) <= (1 - MOSTLY) * present:
        row = int(stray.arg_true()[0])
        raise SchemaError(
            f"column {texts.name!r} mixes numbers and text (line {row + line} has {private(texts[row])}); declare it "
            "unordered in a schema, or list this text under missing"
        )


def _refuse_grouped(texts: pl.Series) -> None:
    """Refuse a column most of whose cells are numbers with thousands separators: as text each would be a name."""
    present = len(texts) - texts.null_count()
    for mark, decimal in GROUPING.items():
        whole = rf"[+-]?\d{{1,3}}(?:{mark}\d{{3}})"
        numbers = texts.str.contains(rf"^{whole}*(?:{decimal}\d+)?$")
        grouped = texts.str.contains(rf"^{whole}+{decimal}\d+$")  # one group alone may be decimals
        if grouped.any() and int(numbers.sum()) >= MOSTLY * present:
            row = int(grouped.arg_true()[0])
            raise SchemaError(
                f"column {texts.name!r} has numbers with thousands separators (line {row + 2} has "
                f"{private(texts[row])}); write them without, or declare the column unordered in a schema"
            )


def _decimals(numerals: pl.Series, comma: bool) -> Written:
    """The largest and the smallest number of digits after the point; unknown in scientific notation."""
    if numerals.str.contains("[eE]").any():
        return Written(comma=comma)
    digits = numerals.str.extract(r"\.(\d*)$").str.len_chars().fill_null(0)
    most, least = max(counts := digits.unique().to_list()), min(counts)
    if most > MOST_DECIMALS:
        return Written(comma=comma)
    return Written(most, least, comma=comma)


def _date_format(values: pl.Series) -> str | None:
    """The shortest form of times: dates where all are at midnight, seconds where none has a fraction."""
    if not isinstance(values.dtype, pl.Datetime) or values.dtype.time_zone:
        return None
    present = values.drop_nulls()
    if bool((present.dt.time() == time(0)).all()):
        return "%Y-%m-%d"
    return "%Y-%m-%d %H:%M:%S" if bool((present.dt.microsecond() == 0).all()) else None


def as_text(values: pl.Series, written: Written) -> pl.Series:
    """The column as text in its written form."""
    if isinstance(values.dtype, pl.Duration):
        return (values.dt.total_microseconds() / 1e6).cast(pl.String)  # seconds
    if values.dtype.is_temporal():
        date_format = written.date_format or _date_format(values)
        return values.dt.strftime(date_format) if date_format else values.cast(pl.String)
    if not values.dtype.is_float() and not values.dtype.is_decimal():
        return values.cast(pl.String)
    if written.decimals is None or values.dtype.is_decimal():
        texts = values.cast(pl.String)
    else:
        values = values.cast(pl.Float64)
        texts = values.round(written.decimals).cast(pl.Decimal(38, written.decimals), strict=False).cast(pl.String)
        if written.least < written.decimals:
            texts = texts.str.replace(rf"(\.\d{{{written.least}}}\d*?)0+$", "$1").str.strip_chars_end(".")
        shortest = values.cast(pl.String)
        fits = shortest.str.contains(rf"^-?\d+\.\d{{1,{max(written.decimals, 1)}}}$")
        changed = fits & (texts.cast(pl.Float64, strict=False) != values)  # rounded in vain: floats are not decimal
        texts = texts.zip_with((texts.is_not_null() & ~changed) | values.is_null(), shortest)
    return texts.str.replace(".", ",", literal=True) if written.comma else texts
