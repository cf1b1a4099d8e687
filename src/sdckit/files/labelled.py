"""What SPSS, Stata and SAS files have in common: labels of variables and values, display formats, missing values."""

import re
from dataclasses import dataclass, field, replace
from datetime import time
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.errors import NoRecordsError
from sdckit.frames.to_frame import polars_series
from sdckit.microdata import Kind, Microdata
from sdckit.missing_reasons import FIRST_CODE, NO_CODE, PRESENT, MissingReasons
from sdckit.schema import Declared, Schema

EXACT_AS_DOUBLE = 2**53
MOST_MISSING = 3  # codes that SPSS can declare missing
LONGEST_MISSING_TEXT = 8  # bytes of a text that SPSS can declare missing
FEW_DECIMALS = 4  # up to which the decimals of numbers are those of how they were recorded


@dataclass(frozen=True)
class Metadata:
    """The metadata of a labelled file: display format, measure and declared missing values of each variable, title."""

    formats: dict[str, str] = field(default_factory=dict)
    measures: dict[str, str] = field(default_factory=dict)
    missing_ranges: dict[str, list[Any]] = field(default_factory=dict)
    title: str = ""


def labelled_file(
    table: pl.DataFrame, metadata: Any, schema: Schema, missing_ranges: dict[str, Any], marked: dict[str, pl.Series]
) -> Microdata:
    """A file from a table and pyreadstat's metadata of it; the schema takes precedence over the metadata.

    `marked` has, for some variables, the code of each value that the file declares missing, and null elsewhere.
    """
    if table.width == 0 or len(table) == 0:
        raise NoRecordsError("the file has no records; give it at least one")
    attributes, columns = dict(schema.attributes), []
    formats = {name: text for name, text in (metadata.original_variable_types or {}).items() if text}
    for values in table:
        name = values.name
        plain, decimals = _plain(values, formats.get(name, ""))
        columns.append(plain)
        labels = (metadata.variable_value_labels or {}).get(name) or {}
        measure = (metadata.variable_measure or {}).get(name, "unknown")
        declared = attributes.get(name, Declared())
        attributes[name] = replace(
            declared,
            label=declared.label or (metadata.column_names_to_labels or {}).get(name),
            value_labels=declared.value_labels or _whole_keys(labels),
            kind=declared.kind
            or (Kind.UNORDERED if measure in ("nominal", "unknown") and _covers(labels, plain) else None),
            decimals=declared.decimals if declared.decimals is not None else decimals,
        )
        if declared.missing and name not in marked:  # the schema declares what the file does not
            marked = marked | {name: marked_by(declared, plain)}
            codes = [code for code in declared.missing if isinstance(code, int | float) == plain.dtype.is_numeric()]
            if 0 < len(codes) <= MOST_MISSING:
                missing_ranges = missing_ranges | {name: codes}
    data = Microdata.from_frame(pl.DataFrame(columns), schema=replace(schema, attributes=attributes))
    remembered = Metadata(formats, dict(metadata.variable_measure or {}), missing_ranges, metadata.file_label or "")
    reasons = {name: reasons_of(data, name, codes) for name, codes in marked.items() if codes.is_not_null().any()}
    return replace(data, form=replace(data.form, file=remembered, reasons=reasons))


def marked_by(declared: Declared, values: pl.Series) -> pl.Series:
    """The values that a schema declares missing, and null elsewhere."""
    numeric = values.dtype.is_numeric()
    codes = [code for code in declared.missing if isinstance(code, int | float) == numeric]
    chosen = values.cast(pl.Float64).is_in(list(map(float, codes))) if numeric else values.is_in(codes)
    return values.set(~chosen.fill_null(False), None)


def reasons_of(data: Microdata, name: str, codes: pl.Series) -> MissingReasons:
    """The codes of missing values by row; a code that the schema declares a value of its own is none."""
    absent = data.absent(name)
    found = codes.drop_nulls().unique().sort().to_list()
    of_row = np.where(absent, NO_CODE, PRESENT).astype(np.int16)
    for number, code in enumerate(found, start=FIRST_CODE):
        of_row[(codes == code).fill_null(False).to_numpy() & absent] = number
    return MissingReasons(tuple(whole_code(code) for code in found), of_row)


def in_ranges(values: pl.Series, ranges: list[Any]) -> pl.Series:
    """Which values lie in ranges that declare missing ones."""
    chosen = pl.Series(np.zeros(len(values), dtype=bool))
    for each in ranges:
        low, high = (each["lo"], each["hi"]) if isinstance(each, dict) else (each, each)
        if isinstance(low, str) == (values.dtype == pl.String):
            chosen = chosen | values.is_between(low, high).fill_null(False)
    return chosen


def _plain(values: pl.Series, shown: str) -> tuple[pl.Series, int | None]:
    """Integers where all doubles are whole, the decimals where the display format shows all of them, blanks missing."""
    if isinstance(values.dtype, pl.Datetime) and bool((values.drop_nulls().dt.time() == time(0)).all()):
        return values.cast(pl.Date), None
    if values.dtype == pl.String:
        return values.set(values.str.strip_chars().eq("").fill_null(True), None), None
    if not values.dtype.is_float():
        return values, None
    present = values.drop_nulls().drop_nans()
    if len(present) and bool((present % 1 == 0).all()) and bool((present.abs() < EXACT_AS_DOUBLE).all()):
        return values.fill_nan(None).cast(pl.Int64), None  # whatever is shown: SPSS shows two decimals by default
    shows = re.fullmatch(r"[A-Z]+\d+\.(\d+)", shown)
    decimals = int(shows.group(1)) if shows else 0
    if shows and bool((present.round(decimals) == present).all()):
        return values, decimals
    return values, few_decimals(present)


def as_written(values: pl.Series) -> pl.Series:
    """Numbers of single precision as the shortest decimals that they stand for: 46.67, not 46.66999816894531."""
    return values.cast(pl.Float32).cast(pl.String).cast(pl.Float64)


def few_decimals(present: pl.Series) -> int | None:
    """The number of decimals of values that have few of them; None where some value has more."""
    for decimals in range(FEW_DECIMALS + 1):
        if bool((present.round(decimals) == present).all()):
            return decimals
    return None


def _whole_keys(labels: dict[Any, str]) -> dict[Any, str] | None:
    return {whole_code(key): text for key, text in labels.items()} or None


def whole_code(code: Any) -> Any:
    """A code as a whole number where it is one."""
    return int(code) if isinstance(code, float) and code.is_integer() else code


def _covers(labels: dict[Any, str], values: pl.Series) -> bool:
    """Whether every value present has a label: then the numbers are codes."""
    present = values.drop_nulls().unique().to_list()
    return bool(labels) and bool(present) and all(value in labels for value in present)


def table_of(data: Microdata) -> pl.DataFrame:
    """The file as a table of doubles, integers, text and times, the only types of these formats."""
    return pl.DataFrame([_storable(polars_series(data, each)) for each in data.attributes])


def _storable(column: pl.Series) -> pl.Series:
    dtype = column.dtype
    if isinstance(dtype, pl.Enum | pl.Categorical):
        return column.cast(pl.String)
    if dtype == pl.Boolean:
        return column.cast(pl.Int8)
    if isinstance(dtype, pl.Decimal) or dtype == pl.Null:
        return column.cast(pl.Float64)
    if isinstance(dtype, pl.Duration):
        return column.dt.total_microseconds() / 1e6
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return column.dt.replace_time_zone(None)
    if dtype.is_integer() and bool((column.cast(pl.Float64).abs() > EXACT_AS_DOUBLE).any()):
        return column.cast(pl.String)
    return column


def labels_of(data: Microdata) -> dict[str, str | None]:
    """The label of each variable that has one."""
    return {each.name: each.label for each in data.attributes if each.label}


def value_labels_of(data: Microdata, table: pl.DataFrame, texts: bool = False) -> dict[str, dict[Any, str]]:
    """The labels of values of the type of their column; those of text only where a format allows them."""
    found = {
        each.name: {value: text for value, text in each.value_labels.items() if _fits(value, table[each.name], texts)}
        for each in data.attributes
    }
    return {name: labels for name, labels in found.items() if labels}


def _fits(value: Any, column: pl.Series, texts: bool) -> bool:
    if column.dtype.is_numeric():
        return isinstance(value, int | float)
    return texts and column.dtype == pl.String and isinstance(value, str)


def codes_to_write(data: Microdata) -> dict[str, dict[Any, Any]]:
    """For each column, the codes of missing values and the rows that are written with them."""
    found = {
        name: reasons.codes_to_write(data.absent(name)) for name, reasons in data.form.reasons.items() if name in data
    }
    return {name: codes for name, codes in found.items() if codes}


def codes_of_a_plain_file(data: Microdata) -> dict[str, dict[Any, Any]]:
    """The codes that a schema declares for a file without labels; those of a labelled one are values elsewhere."""
    labelled = isinstance(data.form.file, Metadata) and data.form.file != Metadata()
    return {} if labelled else codes_to_write(data)


def with_codes(column: pl.Series, codes: dict[Any, NDArray[np.bool_]]) -> pl.Series:
    """The column with the codes of its missing values, as texts in a column of text."""
    for each, rows in codes.items():
        code = str(each) if column.dtype == pl.String else each
        if isinstance(code, str) == (column.dtype == pl.String):
            wide = column.cast(pl.Float64) if isinstance(code, float) or column.dtype.is_float() else column
            wide = wide.cast(pl.Int64) if wide.dtype.is_integer() else wide
            column = wide.set(pl.Series(rows), code)
    return column


def metadata_of(data: Microdata, table: pl.DataFrame, stata: bool = False) -> Metadata:
    """The metadata that the file was read with, for the variables that are still of their type.

    Display formats are those of Stata, which begin with %, or of SPSS.

    A declaration of missing values is left out where a masked value would fall under it. Numbers that became text, as
    ages that became bands, have theirs as text.
    """
    known = data.form.file if isinstance(data.form.file, Metadata) else Metadata()
    numeric = {column.name for column in table if column.dtype.is_numeric()}
    shown = {name: text for name, text in known.formats.items() if name in table.columns and stata == (text[0] == "%")}
    formats = {name: text for name, text in shown.items() if _same(data, table[name])}
    for each in () if stata else data.attributes:
        decimals = 0 if each.integral or each.coded else each.decimals
        if decimals is not None and each.name in numeric:
            formats.setdefault(each.name, f"F{max(8, decimals + 7)}.{decimals}")
    ranges = {}
    for column in table:
        declared = known.missing_ranges.get(column.name) or _codes(data, column.name)
        declared = _as_text(declared, data, column.name) if column.dtype == pl.String else declared
        free = column.dtype.is_numeric() or column.dtype == pl.String
        if declared and free and not bool(in_ranges(column, declared).any()):
            ranges[column.name] = declared
    measures = {name: known.measures[name] for name in table.columns if name in known.measures}
    measures |= {
        name: "nominal" for name, measure in measures.items() if measure == "scale" and table[name].dtype == pl.String
    }
    return Metadata(formats, measures, ranges, known.title)


def _codes(data: Microdata, name: str) -> list[Any]:
    """The codes of missing values of a file that is not labelled, if SPSS can declare so many."""
    codes = list(data.missing_codes(name))
    return codes if len(codes) <= MOST_MISSING else []


def _same(data: Microdata, column: pl.Series) -> bool:
    """Whether a column is still a number or still a date, as it was when the file was read."""
    before = data.form.types.get(column.name)
    was_date = isinstance(before, pl.DataType) and before.is_temporal()
    return column.dtype.is_temporal() if was_date else column.dtype.is_numeric()


def _as_text(ranges: list[Any], data: Microdata, name: str) -> list[Any]:
    """What a column of text declares missing: texts as they are, and of numbers those that occur, as texts."""
    if all(isinstance(each["lo"] if isinstance(each, dict) else each, str) for each in ranges):
        return ranges
    codes = [str(code) for code in data.missing_codes(name)]
    short = len(codes) <= MOST_MISSING and all(len(code) <= LONGEST_MISSING_TEXT for code in codes)
    return codes if short else []


def library_errors() -> tuple[type[Exception], ...]:
    """What pyreadstat raises where it cannot read or write a file; its earlier versions do not name them all."""
    from pyreadstat import _readstat_parser as parser

    return parser.ReadstatError, parser.PyreadstatError, UnicodeDecodeError


def first_line(problem: Exception) -> str:
    """An error of pyreadstat in one line."""
    return (str(problem).splitlines() or [type(problem).__name__])[0]
