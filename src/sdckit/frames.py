"""The doors of Microdata: pandas, polars and pyarrow frames in, and the same kind of frame out."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.microdata import Attribute, Form, Kind, Microdata, Role
from sdckit.schema import Declared, Schema

EXACT_AS_FLOAT = 2**53  # a whole number beyond it would lose its last digits as a float
EPOCH = date(1970, 1, 1)


def from_frame(frame: Any, schema: Schema) -> Microdata:
    """Read a frame under a schema; what is not declared is inferred from the columns' types."""
    table = _eager(frame)
    names = [str(name) for name in table.columns]
    schema.check_names(names)
    if len(table) == 0:
        raise SchemaError("the file has no records; give it at least one")
    some_role_given = any(said.role is not None for said in schema.attributes.values())
    attributes, columns = [], {}
    for name in names:
        said = schema.attributes.get(name, Declared())
        attribute, columns[name] = _read_column(name, table[name], said)
        role = said.role or (Role.OTHER if some_role_given or attribute.coded else Role.KEY)
        attributes.append(replace(attribute, role=role))
    native = table.to_native()
    backend = str(table.implementation).split(".")[-1].lower()
    dtypes = {name: native[name].dtype for name in names} if backend == "pandas" else dict(table.schema)
    if backend == "pyarrow":
        dtypes = {field.name: field.type for field in native.schema}
    index = native.index if backend == "pandas" else None
    return Microdata(tuple(attributes), columns, schema.edits, Form(backend, dtypes, index))


def _eager(frame: Any) -> nw.DataFrame[Any]:
    repeated = _repeated([str(name) for name in getattr(frame, "columns", [])])
    if hasattr(frame, "column_names"):
        repeated = _repeated(frame.column_names)
    if repeated:
        raise SchemaError(f"the column name {repeated!r} stands twice; give each column a name of its own")
    if isinstance(frame, np.ndarray):
        raise SchemaError("an array has no column names; wrap it in a pandas or polars frame")
    try:
        table = nw.from_native(frame)
    except TypeError:
        raise SchemaError(f"a {type(frame).__name__} is not a frame; give a pandas, polars or pyarrow one") from None
    return table.collect() if isinstance(table, nw.LazyFrame) else table


def _repeated(names: Sequence[str]) -> str | None:
    return next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None


def _read_column(name: str, column: nw.Series[Any], said: Declared) -> tuple[Attribute, NDArray[Any]]:
    """The meaning and the array of one column."""
    values = _plain(name, column)
    if said.missing:
        values = _without_codes(values, said.missing)
    numbers = _numbers(name, values)
    labels = {"label": said.label or "", "value_labels": said.value_labels or {}}
    wants_categories = said.kind is not None and bool(said.kind & Kind.CATEGORICAL)
    if numbers is not None and not wants_categories and said.categories is None:
        integral = values.dtype.is_integer() or values.dtype.is_temporal()
        kind = said.kind or (Kind.DISCRETE if values.dtype.is_integer() else Kind.CONTINUOUS)
        return Attribute(name, kind, decimals=said.decimals, integral=integral, **labels), numbers  # type: ignore[arg-type]
    if said.kind is not None and said.kind & Kind.ORDERED and said.categories is None and not _has_order(values):
        raise SchemaError(
            f"column {name!r} is declared {said.kind.title} but holds text such as {_first_text(values)!r}; "
            "list its categories in order, or declare it unordered"
        )
    categories, codes = _coded(name, values, said.categories)
    kind = said.kind or (Kind.DISCRETE if _has_order(values) or said.categories else Kind.UNORDERED)
    tree = said.tree(categories)
    if tree is not None:
        strange = [value for value in categories if value not in tree]
        if strange:
            raise SchemaError(f"column {name!r}: the value {strange[0]!r} is not in its hierarchy; add it or recode it")
    return Attribute(name, kind, categories=categories, hierarchy=tree, **labels), codes  # type: ignore[arg-type]


def _plain(name: str, column: nw.Series[Any]) -> pl.Series:
    """The column as a polars series of one type, nulls where missing."""
    dtype = column.dtype
    if dtype.is_numeric():
        if column.implementation.is_polars():
            return pl.Series(name, column.to_native())
        absent = column.is_null().to_numpy()
        if dtype.is_integer():
            whole = column.fill_null(0).to_numpy()
            return pl.Series(name, np.asarray(whole)).set(pl.Series(absent), None)
        values = np.asarray(column.to_numpy(), dtype=float)
        return pl.Series(name, values).fill_nan(None)
    if isinstance(dtype, nw.Enum) or dtype == nw.Enum:
        ordered = [str(value) for value in column.cat.get_categories().to_list()]
        texts = [None if value is None else str(value) for value in _listed(column)]
        return pl.Series(name, texts, dtype=pl.Enum(ordered))
    if dtype == nw.Boolean and column.implementation.is_polars():
        return pl.Series(name, column.to_native())
    return _one_type(name, _listed(column))


def _listed(column: nw.Series[Any]) -> list[Any]:
    absent = column.is_null().to_list()
    return [None if gone else value for value, gone in zip(column.to_list(), absent, strict=True)]


def _one_type(name: str, values: list[Any]) -> pl.Series:
    """A list of Python values as a series; a mix of types is refused, naming the first odd one out."""
    kinds: dict[type, int] = {}
    for row, value in enumerate(values):
        if value is not None:
            kinds.setdefault(_family(value), row)
    if len(kinds) > 1:
        (first, _), (second, row) = list(kinds.items())[:2]
        raise SchemaError(
            f"column {name!r} mixes {_word(first)} and {_word(second)} (record {row + 1} holds {values[row]!r}); "
            "make it one type"
        )
    family = next(iter(kinds), float)
    if family is object:
        odd = next(value for value in values if value is not None)
        raise SchemaError(f"column {name!r} holds {type(odd).__name__} values; make them numbers, text or dates")
    if family is float:
        if all(value is None or isinstance(value, int | np.integer) for value in values) and kinds:
            return pl.Series(name, values, dtype=pl.Int64)
        return pl.Series(name, [None if value is None else float(value) for value in values], dtype=pl.Float64)
    types = {str: pl.String, bool: pl.Boolean, datetime: pl.Datetime("us"), date: pl.Date, timedelta: pl.Duration("us")}
    return pl.Series(name, values, dtype=types[family])  # type: ignore[arg-type]


def _family(value: Any) -> type:
    for family in (bool, str, datetime, date, timedelta):
        if isinstance(value, family):
            return family
    return float if isinstance(value, int | float | Decimal | np.number) else object


def _word(family: type) -> str:
    return {float: "numbers", str: "text", bool: "truth values", datetime: "times", date: "dates"}.get(
        family, family.__name__
    )


def _without_codes(values: pl.Series, codes: tuple[Any, ...]) -> pl.Series:
    texts = {str(code) for code in codes}
    gone = values.cast(pl.String).is_in(list(texts)) | values.is_in([c for c in codes if _fits(c, values)])
    return values.set(gone.fill_null(False), None)


def _fits(code: Any, values: pl.Series) -> bool:
    return values.dtype.is_numeric() and isinstance(code, int | float)


def _numbers(name: str, values: pl.Series) -> NDArray[np.float64] | None:
    """The column as floats, or None where it is not one of numbers or would lose digits."""
    if values.dtype.is_temporal():
        values = values.to_physical()
    if not values.dtype.is_numeric():
        return None
    if values.dtype.is_integer() and values.len() and bool((values.cast(pl.Int128).abs() > EXACT_AS_FLOAT).any()):
        return None
    numbers = values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise SchemaError(
            f"column {name!r} holds an infinite value (record {infinite[0] + 1}); make it missing or a number"
        )
    return numbers


def _has_order(values: pl.Series) -> bool:
    return isinstance(values.dtype, pl.Enum)


def _first_text(values: pl.Series) -> Any:
    return next((value for value in values if value is not None), "")


def _coded(name: str, values: pl.Series, declared: tuple[Any, ...] | None) -> tuple[tuple[Any, ...], NDArray[np.int32]]:
    """Categories, sorted unless an order is declared, and the codes into them."""
    if declared is not None:
        categories: tuple[Any, ...] = declared
    elif isinstance(values.dtype, pl.Enum):
        categories = tuple(values.dtype.categories)
    else:
        categories = tuple(values.drop_nulls().unique().sort().to_list())
    position = {str(category): code for code, category in enumerate(categories)}
    found = values.drop_nulls().unique(maintain_order=True)
    strange = [value for value in found if str(value) not in position]
    if strange:
        raise SchemaError(
            f"column {name!r}: the value {strange[0]!r} is not among its declared categories; add it or recode it"
        )
    new = pl.Series([position[str(value)] for value in found], dtype=pl.Int32)
    codes = values.replace_strict(found, new, default=-1, return_dtype=pl.Int32).fill_null(-1).to_numpy()
    return categories, codes


def to_frame(data: Microdata, backend: str | None = None) -> Any:
    """The file as a frame of the kind it came in as, or of the one named."""
    target = backend or data.form.backend
    same = target == data.form.backend
    series = {
        each.name: _series(data, each, data.form.dtypes.get(each.name) if same else None) for each in data.attributes
    }
    if target == "polars":
        return pl.DataFrame(list(series.values()))
    if target == "pyarrow":
        return _to_pyarrow(data, series)
    if target == "pandas":
        return _to_pandas(data, series)
    raise SchemaError(f"there is no frame kind {target!r}; take pandas, polars or pyarrow")


def _series(data: Microdata, attribute: Attribute, dtype: Any) -> pl.Series:
    """One column as a polars series of the original's type where the values allow it."""
    column = data.columns[attribute.name]
    if attribute.categories is not None:
        values = data.values(attribute.name).tolist()
        if dtype is not None and (isinstance(dtype, nw.Enum) or dtype == nw.Enum):
            return pl.Series(attribute.name, values, dtype=pl.Enum([str(each) for each in attribute.categories]))
        mixed = len({type(each) for each in attribute.categories}) > 1
        series = pl.Series(attribute.name, [None if v is None else str(v) for v in values] if mixed else values)
        if len(attribute.categories) == 0:
            series = series.cast(pl.String)
        if dtype is not None and isinstance(dtype, nw.dtypes.DType) and dtype == nw.Categorical:
            return series.cast(pl.Categorical)
        if dtype is not None and isinstance(dtype, nw.dtypes.DType) and dtype.is_integer() and not mixed:
            return series.cast(_polars_type(dtype), strict=False)
        return series
    absent = np.isnan(column)
    whole = bool(np.all(np.rint(column[~absent]) == column[~absent]))
    series = pl.Series(attribute.name, column)
    series = series.set(pl.Series(absent), None)
    if dtype is not None and isinstance(dtype, nw.dtypes.DType):
        if dtype.is_temporal():
            return series.round().cast(pl.Int64).cast(_polars_type(dtype))
        if dtype.is_integer():
            return _whole_numbers(series, _polars_type(dtype)) if whole else series
        return series.cast(_polars_type(dtype), strict=False)
    return series.cast(pl.Int64) if attribute.integral and whole else series


def _whole_numbers(series: pl.Series, dtype: Any) -> pl.Series:
    """In the original's integer type where the values fit, else in the widest one."""
    narrow = series.cast(dtype, strict=False)
    return narrow if narrow.null_count() == series.null_count() else series.cast(pl.Int64)


def _polars_type(dtype: Any) -> Any:
    return nw.new_series("type", [], dtype, backend="polars").to_native().dtype


def _to_pandas(data: Microdata, series: dict[str, pl.Series]) -> Any:
    import pandas as pd

    columns = {}
    index = data.form.index if data.form.backend == "pandas" else None
    for attribute in data.attributes:
        name = attribute.name
        wanted = data.form.dtypes.get(name) if data.form.backend == "pandas" else None
        if attribute.categories is not None:
            column = pd.Series(data.values(name), index=index, dtype=object)
        elif wanted is not None and getattr(wanted, "kind", "") in "mM":
            stamps = np.where(np.isnan(data.columns[name]), np.iinfo(np.int64).min, np.nan_to_num(data.columns[name]))
            column = pd.Series(np.rint(stamps).astype("int64").view("datetime64[us]"), index=index)
        else:
            column = pd.Series(data.columns[name].copy(), index=index)
        columns[name] = _as_pandas_type(column, attribute, wanted)
    return pd.DataFrame(columns, index=index)


def _as_pandas_type(column: Any, attribute: Attribute, wanted: Any) -> Any:
    import pandas as pd

    if wanted is None:
        if attribute.categories is None and attribute.integral and column.notna().all() and (column % 1 == 0).all():
            return column.astype("int64")
        return column.infer_objects() if attribute.categories is not None else column
    if isinstance(wanted, pd.CategoricalDtype):
        return column.astype(pd.CategoricalDtype(list(attribute.categories or ()), ordered=wanted.ordered))
    if attribute.categories is None and pd.api.types.is_integer_dtype(wanted):
        observed = column.dropna()
        nullable = pd.api.types.is_extension_array_dtype(wanted)
        if not (observed % 1 == 0).all() or (len(observed) < len(column) and not nullable):
            return column
    try:
        return column.astype(wanted)
    except (TypeError, ValueError, OverflowError):
        return column


def _to_pyarrow(data: Microdata, series: dict[str, pl.Series]) -> Any:
    import pyarrow as pa

    columns = []
    for name, values in series.items():
        attribute, wanted = data.attribute(name), data.form.dtypes.get(name) if data.form.backend == "pyarrow" else None
        if attribute.categories is not None:
            column = pa.array(data.values(name).tolist())
        elif wanted is not None and pa.types.is_temporal(wanted):
            ticks = pa.array(np.rint(np.nan_to_num(data.columns[name])).astype("int64"), mask=data.absent(name))
            column = (
                ticks.cast(pa.int32()).cast(pa.date32()) if pa.types.is_date(wanted) else ticks.cast(pa.timestamp("us"))
            )
        else:
            column = pa.array(data.columns[name], mask=data.absent(name))
            whole = bool((values.drop_nulls() % 1 == 0).all())
            if not whole and wanted is not None and pa.types.is_integer(wanted):
                wanted = None
            if wanted is None and attribute.integral and whole:
                wanted = pa.int64()
        try:
            columns.append(column.cast(wanted) if wanted is not None else column)
        except pa.ArrowInvalid:
            columns.append(column)
    return pa.table(columns, names=list(series))
