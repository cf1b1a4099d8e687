"""One column of a frame as polars values, or as categories and codes, whatever library it came from."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl

from sdckit.errors import SchemaError, private

WORDS = {float: "numbers", str: "text", bool: "truth values", datetime: "times", date: "dates", time: "times of day"}


@dataclass(frozen=True)
class Column:
    """Values with null where missing; where there are categories, the values are codes into them."""

    values: pl.Series
    categories: tuple[Any, ...] | None = None
    ordered: bool = False


@dataclass(frozen=True)
class Objects:
    """The dtype of a pandas column of Python objects: of which family they are, and how a missing one is marked."""

    family: type
    missing: Any


def polars_column(name: str, values: pl.Series) -> Column:
    """A polars series."""
    dtype = values.dtype
    if isinstance(dtype, pl.Enum):
        return Column(values.to_physical().cast(pl.Int32), tuple(dtype.categories), ordered=True)
    if isinstance(dtype, pl.Categorical):
        present = values.drop_nulls().cast(pl.String).unique().sort()
        codes = values.cast(pl.String).replace_strict(present, range(len(present)), default=None, return_dtype=pl.Int32)
        return Column(codes, tuple(present))
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
        raise SchemaError(f"column {name!r} holds {str(dtype).lower()} values; make them numbers, text or dates")
    return Column(values.fill_nan(None) if dtype.is_float() else values)


def arrow_column(name: str, values: Any) -> Column:
    """A pyarrow (chunked) array; a dictionary array keeps its categories."""
    import pyarrow as pa

    if pa.types.is_dictionary(values.type):
        whole = values.unify_dictionaries().combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole  # the type depends on the version
        codes = pl.Series(name, whole.indices.to_pylist(), dtype=pl.Int32)
        return Column(codes, tuple(map(_plain_category, whole.dictionary.to_pylist())), values.type.ordered)
    try:
        return polars_column(name, pl.Series(name, values))
    except (pl.exceptions.PolarsError, pa.ArrowException, TypeError, ValueError, NotImplementedError):
        raise SchemaError(f"column {name!r} holds {values.type} values; make them numbers, text or dates") from None


def pandas_column(name: str, column: Any) -> Column:
    """A pandas series of any dtype."""
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = pl.Series(name, column.cat.codes.to_numpy().astype(np.int32))
        categories = tuple(map(_plain_category, dtype.categories.to_list()))
        return Column(codes.set(codes < 0, None), categories, bool(dtype.ordered))
    if isinstance(dtype, pd.ArrowDtype):
        return arrow_column(name, column.array.__arrow_array__())
    absent = column.isna().to_numpy()
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        if hasattr(dtype, "numpy_dtype"):  # a nullable dtype
            plain = column.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(0))
        else:
            plain = column.to_numpy()
        if plain.dtype.kind == "f" and plain.dtype.itemsize not in (4, 8):
            plain = plain.astype(np.float64)
        if plain.dtype.kind in "buif":
            return Column(pl.Series(name, plain).set(pl.Series(absent), None))
    if dtype.kind == "M":
        zone = getattr(dtype, "tz", None)
        if zone is None:
            return Column(pl.Series(name, column.to_numpy().astype("datetime64[us]")))
        utc = column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy().astype("datetime64[us]")
        return Column(_in_zone(pl.Series(name, utc).dt.replace_time_zone("UTC"), str(zone)))
    if dtype.kind == "m":
        return Column(pl.Series(name, column.to_numpy().astype("timedelta64[us]")))
    return Column(python_values(name, [None if gap else v for v, gap in zip(column.tolist(), absent, strict=True)]))


def python_values(name: str, values: list[Any]) -> pl.Series:
    """Python values as a series; a mix of types is refused with the first value that differs."""
    family = family_of(name, values)
    if family is Decimal:
        scale = max((-int(v.as_tuple().exponent) for v in values if isinstance(v, Decimal)), default=0)
        return pl.Series(name, [None if v is None else Decimal(v) for v in values], dtype=pl.Decimal(38, max(scale, 0)))
    if family is float:
        return pl.Series(name, [None if v is None else float(v) for v in values], dtype=pl.Float64)
    types: dict[type, Any] = {
        str: pl.String,
        bool: pl.Boolean,
        date: pl.Date,
        time: pl.Time,
        timedelta: pl.Duration("us"),
    }
    try:
        if family is int:
            return pl.Series(name, [None if v is None else int(v) for v in values], dtype=pl.Int64)
        if family is datetime:
            return pl.Series(name, values).cast(pl.Datetime("us", _zone(values)))
        return pl.Series(name, values, dtype=types[family])
    except (OverflowError, TypeError, pl.exceptions.PolarsError):
        raise SchemaError(f"column {name!r} holds values too wide for 64 bits; write them as text") from None


def family_of(name: str, values: Iterable[Any]) -> type:
    """The Python type of all values that are not missing; numbers of several types have the widest."""
    seen: dict[type, tuple[int, Any]] = {}
    for row, value in enumerate(values):
        if value is not None:
            seen.setdefault(_family(value), (row, value))
    if object in seen:
        raise SchemaError(
            f"column {name!r} holds {type(seen[object][1]).__name__} values; make them numbers, text or dates"
        )
    if seen and set(seen) <= {int, float, Decimal}:
        return float if float in seen else Decimal if Decimal in seen else int
    if len(seen) > 1:
        named = {float if family in (int, Decimal) else family: first for family, first in seen.items()}
        (one, _), (other, (row, value)) = list(named.items())[:2]
        raise SchemaError(
            f"column {name!r} mixes {WORDS.get(one, one.__name__)} and {WORDS.get(other, other.__name__)} "
            f"(record {row + 1} has {private(value)}); make it one type"
        )
    return next(iter(seen), float)


def _family(value: Any) -> type:
    if isinstance(value, np.generic):
        value = value.item()
    for family in (bool, str, datetime, date, time, timedelta, int, float, Decimal):
        if isinstance(value, family):
            return family
    return object


def _zone(values: list[Any]) -> str | None:
    return "UTC" if any(value is not None and value.tzinfo is not None for value in values) else None


def _in_zone(times: pl.Series, zone: str) -> pl.Series:
    """The same instants in that zone, or still in UTC where polars does not know it (a fixed offset)."""
    try:
        return times.dt.convert_time_zone(zone)
    except pl.exceptions.PolarsError:
        return times


def _plain_category(category: Any) -> Any:
    """A category as a plain Python value, or as text where it is an object such as an interval."""
    plain = category.item() if isinstance(category, np.generic) else category
    return plain if isinstance(plain, str | bool | int | float) else str(plain)
