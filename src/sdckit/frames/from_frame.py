"""From a frame to a file: the meaning and the array of each column."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.errors import NoRecordsError, SchemaError, private, private_text
from sdckit.frames.columns import Column, Objects, arrow_column, family_of, pandas_column, polars_column
from sdckit.hierarchy import category_text
from sdckit.microdata import Attribute, Form, Kind, Microdata, Role
from sdckit.read_only import read_only
from sdckit.schema import Declared, Schema

EXACT_AS_FLOAT = 2**53  # a whole number beyond it would lose its last digits as a float
LARGEST = 1e60  # beyond it the fourth powers in the variances of variances overflow


def from_frame(frame: Any, schema: Schema) -> Microdata:
    """Read a frame under a schema; what is not declared is inferred from the columns' types."""
    native, backend, lazy = _eager(frame)
    if backend not in ("pandas", "polars", "pyarrow"):
        raise SchemaError(f"a {backend} frame is not supported; convert it to a pandas, polars or pyarrow one")
    names = [str(name) for name in (native.column_names if backend == "pyarrow" else native.columns)]
    schema.check_names(names)
    if len(native) == 0:
        raise NoRecordsError("the file has no records; give it at least one")
    a_role_is_declared = any(declared.role is not None for declared in schema.attributes.values())
    dtypes: dict[str, Any] = {}
    types: dict[str, Any] = {}
    attributes, arrays = [], {}
    for position, name in enumerate(names):  # one column at a time: a second copy of the file is never in memory
        column, dtypes[name] = _native_column(backend, native, position, name)
        declared = schema.attributes.get(name, Declared())
        attribute, values = read_column(name, column, declared)
        role = declared.role or (Role.OTHER if a_role_is_declared or attribute.coded else Role.KEY)
        attributes.append(replace(attribute, role=role, level=declared.level))
        arrays[name] = read_only(values, values.dtype)
        types[name] = logical_type(column)
    form = Form(
        backend,
        dtypes,
        index=native.index if backend == "pandas" else None,
        types=types,
        labels=native.columns if backend == "pandas" else None,
        lazy=lazy,
        undeclared=schema.undeclared(names),
    )
    return Microdata(tuple(attributes), arrays, schema.edits, form)


def _eager(frame: Any) -> tuple[Any, str, bool]:
    """The frame in memory, the library that it is of, and whether it was a lazy frame of polars."""
    if isinstance(frame, np.ndarray):
        raise SchemaError("an array has no column names; wrap it in a pandas or polars frame")
    if isinstance(frame, pl.DataFrame):  # as every file is read: narwhals need not be imported
        return frame, "polars", False
    import narwhals.stable.v2 as nw

    labels = getattr(frame, "column_names", None) if hasattr(frame, "column_names") else None
    if labels is None and not hasattr(frame, "collect"):  # asking a lazy frame for its columns may be costly
        labels = getattr(frame, "columns", ())
    repeated = [name for name, times in Counter(map(str, labels if labels is not None else ())).items() if times > 1]
    if repeated:
        raise SchemaError(f"the column name {repeated[0]!r} appears twice; give each column a name of its own")
    try:
        table = nw.from_native(frame)
    except TypeError:
        raise SchemaError(f"a {type(frame).__name__} is not a frame; give a pandas, polars or pyarrow one") from None
    lazy = isinstance(table, nw.LazyFrame)
    table = table.collect() if lazy else table
    return table.to_native(), table.implementation.name.lower(), lazy and isinstance(frame, pl.LazyFrame)


def _native_column(backend: str, native: Any, position: int, name: str) -> tuple[Column, Any]:
    """The column, and the dtype that it gets again when the file is returned as a frame."""
    if backend == "polars":
        series = native.to_series(position)
        return polars_column(name, series), series.dtype
    if backend == "pyarrow":
        return arrow_column(name, native.column(position)), native.schema.field(position).type
    series = native.iloc[:, position]
    column = pandas_column(name, series)
    if series.dtype != object:
        return column, series.dtype
    absent = series.isna().to_numpy()
    mark = series.iloc[int(np.argmax(absent))] if absent.any() else None
    present = [value for value, missing in zip(series.tolist(), absent, strict=True) if not missing]
    return column, Objects(family_of(name, present), mark)


def logical_type(column: Column) -> Any:
    """The polars type of the column, for frames of another kind."""
    if column.categories is None:
        return column.values.dtype
    if all(isinstance(category, str) for category in column.categories):
        return pl.Enum(column.categories) if column.ordered else pl.Categorical()
    return pl.Series(column.categories, strict=False).dtype


def read_column(name: str, column: Column, declared: Declared) -> tuple[Attribute, NDArray[Any]]:
    """The meaning and the array of one column."""
    column = without_missing_codes(column, declared.missing)
    label = declared.label or ""
    kind = declared.kind or (Kind.PARTIALLY_ORDERED if declared.hierarchy is not None else Kind.CONTINUOUS)
    if column.categories is None and declared.categories is None and not kind & Kind.CATEGORICAL:
        numbers = _numbers(name, column.values)
        if numbers is not None:
            dtype = column.values.dtype
            kind = declared.kind or (Kind.DISCRETE if dtype.is_integer() else Kind.CONTINUOUS)
            decimals = dtype.scale if declared.decimals is None and isinstance(dtype, pl.Decimal) else declared.decimals
            integral = dtype.is_integer() or dtype.is_temporal()
            return (
                Attribute(
                    name,
                    kind,
                    hierarchy=declared.tree(_distinct(numbers)) if declared.hierarchy is not None else None,
                    decimals=decimals,
                    integral=integral,
                    label=label,
                    value_labels=_typed_labels(declared.value_labels, _as_number),
                ),
                numbers,
            )
    categories, codes, ordered = _coded(name, column, declared)
    kind = declared.kind or (
        Kind.DISCRETE if ordered else Kind.PARTIALLY_ORDERED if declared.hierarchy else Kind.UNORDERED
    )
    try:
        tree = declared.tree(categories)
    except SchemaError as problem:
        raise SchemaError(f"column {name!r}: {problem.args[0]}") from None
    unknown = [value for value in categories if tree is not None and category_text(value) not in tree]
    if unknown:
        raise SchemaError(
            f"column {name!r}: the value {private(unknown[0])} is not in its hierarchy; add it or recode it"
        )
    known = {category_text(category): category for category in categories}
    numeric = all(isinstance(category, int | float) for category in categories)

    def typed(key: Any) -> Any:
        """The category that a label is of; a label of another value has a key of the same type."""
        return known.get(category_text(key), _as_number(key) if numeric else key)

    labels = _typed_labels(declared.value_labels, typed)
    meaning = Attribute(
        name,
        kind,
        categories=categories,
        hierarchy=tree,
        label=label,
        value_labels=labels,
        categories_declared=declared.categories is not None,
    )
    return meaning, codes


def read_part(name: str, column: Column, declared: Declared, attribute: Attribute) -> NDArray[Any]:
    """The array of a part of a column, by the meaning that `read_column` found for the whole column."""
    column = without_missing_codes(column, declared.missing)
    if attribute.categories is None:
        numbers = _numbers(name, column.values)
        assert numbers is not None
        return numbers
    categories, codes, _ = _coded(name, column, declared)
    code_of = {category_text(category): code for code, category in enumerate(attribute.categories)}
    lookup = np.array([*(code_of[category_text(category)] for category in categories), -1], dtype=np.int32)
    return lookup[codes]


def _distinct(numbers: NDArray[np.float64]) -> list[Any]:
    return [_as_number(number) for number in np.unique(numbers[~np.isnan(numbers)])]


def without_missing_codes(column: Column, missing: tuple[Any, ...]) -> Column:
    """The column with null for the values that are declared missing."""
    if not missing:
        return column
    texts = {category_text(code) for code in missing}
    values = column.values
    if column.categories is not None:
        present = [code for code, category in enumerate(column.categories) if category_text(category) not in texts]
        codes = values.replace_strict(present, range(len(present)), default=None, return_dtype=pl.Int32)
        return replace(column, values=codes, categories=tuple(column.categories[code] for code in present))
    if values.dtype.is_numeric():
        numbers = [float(text) for text in texts if _as_number(text) is not text]
        absent = values.cast(pl.Float64).is_in(numbers)
    else:
        absent = values.cast(pl.String).is_in(list(texts))
    return replace(column, values=values.set(absent.fill_null(False), None))


def _numbers(name: str, values: pl.Series) -> NDArray[np.float64] | None:
    """The column as floats, or None where its values are not numbers or would lose digits."""
    if isinstance(values.dtype, pl.Datetime | pl.Duration):
        values = values.dt.cast_time_unit("us")
    if values.dtype.is_temporal():
        values = values.to_physical()
    if values.dtype == pl.Null:
        values = values.cast(pl.Float64)
    if not values.dtype.is_numeric() or _loses_digits(values):
        return None
    numbers = values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    refuse_too_large(name, numbers)
    return numbers


def refuse_too_large(name: str, numbers: NDArray[np.floating[Any]], before: int = 0) -> None:
    """Refuse infinite and huge values, by the number of their record, where so many records are before these."""
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise SchemaError(
            f"column {name!r} has an infinite value (record {before + infinite[0] + 1}); make it missing or a number"
        )
    huge = np.flatnonzero(np.abs(numbers) > LARGEST)
    if len(huge):
        raise SchemaError(
            f"column {name!r} has the value {private_text(f'{numbers[huge[0]]:g}')} (record {before + huge[0] + 1}), "
            "too large to compute with; if it marks a missing value, declare it as missing in the schema"
        )


def _loses_digits(values: pl.Series) -> bool:
    dtype = values.dtype
    low, high = values.min(), values.max()
    if dtype.is_float() or low is None or high is None:
        return False
    scale = 10**dtype.scale if isinstance(dtype, pl.Decimal) else 1
    return max(abs(Decimal(str(low))), abs(Decimal(str(high)))) * scale > EXACT_AS_FLOAT


def _coded(name: str, column: Column, declared: Declared) -> tuple[tuple[Any, ...], NDArray[np.int32], bool]:
    """The categories, the codes into them, and whether the categories are ordered."""
    values = column.values
    if column.categories is None:
        if values.dtype.is_float() and bool((values.drop_nulls() % 1 == 0).all()):
            values = values.cast(pl.Int64)  # codes that became floats beside a missing value
        found = values.drop_nulls().unique().sort()
        present = tuple(found.to_list())
        codes = values.replace_strict(found, range(len(found)), default=None, return_dtype=pl.Int32)
    else:
        present, codes = column.categories, values
    if declared.categories is not None:
        categories, ordered = declared.categories, declared.kind is None or bool(declared.kind & Kind.ORDERED)
    else:
        categories, ordered = present, column.ordered
        if declared.kind is not None and declared.kind & Kind.ORDERED and not ordered:
            if not all(isinstance(value, int | float) for value in present):
                raise SchemaError(_no_order(name, declared.kind, present))
            categories, ordered = tuple(sorted(present)), True
    code_of = {category_text(category): code for code, category in enumerate(categories)}
    new_codes = [code_of.get(category_text(category)) for category in present]
    used = set(codes.drop_nulls().unique().to_list())
    unknown = [category for code, category in enumerate(present) if new_codes[code] is None and code in used]
    if unknown:
        raise SchemaError(
            f"column {name!r}: the value {private(unknown[0])} is not among its declared categories; add it or recode "
            "it"
        )
    lookup = np.array([-1 if code is None else code for code in new_codes] + [-1], dtype=np.int32)
    return tuple(categories), lookup[codes.fill_null(-1).to_numpy()], ordered


def _no_order(name: str, kind: Kind, present: tuple[Any, ...]) -> str:
    return (
        f"column {name!r} is declared {kind.title} but has text such as {private(str(next(iter(present), '')))}; "
        "list its categories in order, or declare it unordered"
    )


def _typed_labels(labels: Mapping[Any, str] | None, typed: Callable[[Any], Any]) -> dict[Any, str]:
    """Value labels by the values themselves; a schema writes the values as text."""
    return {typed(value): text for value, text in (labels or {}).items()}


def _as_number(key: Any) -> Any:
    try:
        number = float(key)
    except (TypeError, ValueError):
        return key
    return int(number) if number.is_integer() else number
