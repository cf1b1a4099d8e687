"""From a file to a frame: each column in its original type, or in the nearest one that can hold the masked values."""

import re
from contextlib import suppress
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.frames.columns import Objects
from sdckit.hierarchy import category_text
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.occurring_values import only_occurring

WHOLE_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})")


def to_frame(data: Microdata, backend: str | None = None) -> Any:
    """The file as a frame of the library it came from, or of the one named."""
    data = only_occurring(data) if data.form.released else data
    target = backend or data.form.backend
    if target == "polars":
        frame = pl.DataFrame([polars_series(data, each) for each in data.attributes])
        return frame.lazy() if data.form.lazy and backend is None else frame
    if target == "pyarrow":
        return _to_pyarrow(data)
    if target == "pandas":
        return _to_pandas(data)
    raise SchemaError(f"there is no frame library {target!r}; use pandas, polars or pyarrow")


def polars_series(data: Microdata, attribute: Attribute) -> pl.Series:
    """One column as a polars series."""
    column, target_type = data.columns[attribute.name], data.form.types.get(attribute.name)
    if attribute.bands is not None:
        texts = band_texts(attribute, column)
        return texts.cast(type_of_band_texts(texts))
    if attribute.categories is None:
        return number_series(attribute, column, target_type)
    codes = pl.Series(column).set(pl.Series(column < 0), None)
    return _lookup(attribute, target_type).gather(codes).alias(attribute.name)


def band_texts(attribute: Attribute, column: NDArray[Any]) -> pl.Series:
    """The texts of a column that was recoded to bands."""
    assert attribute.bands is not None
    values, index = np.unique(column, return_inverse=True)
    texts: list[str | None] = []
    for each in values.tolist():
        if each < 0 if attribute.coded else np.isnan(each):
            texts.append(None)
        else:
            plain = attribute.categories[int(each)] if attribute.categories is not None else each
            texts.append(attribute.bands.text(each) or category_text(plain))
    return pl.Series(attribute.name, texts, dtype=pl.String).gather(pl.Series(index.astype(np.uint32)))


def type_of_band_texts(texts: pl.Series) -> Any:
    """The type of a column with these texts: that of numbers where all are integers, as ages at a day are."""
    whole = all(WHOLE_NUMBER.fullmatch(text) for text in texts.drop_nulls().unique())
    return pl.Int64() if whole else pl.String()


def number_series(attribute: Attribute, column: NDArray[np.float64], target_type: Any) -> pl.Series:
    """Numbers as a polars series of the target type, or of the nearest one that can hold them."""
    series = pl.Series(attribute.name, column).fill_nan(None)
    if target_type is None:
        target_type = pl.Int64() if attribute.integral else pl.Float64()
    if target_type.is_temporal():
        ticks = series.round().cast(pl.Int64)
        if isinstance(target_type, pl.Datetime):
            return ticks.cast(pl.Datetime("us", target_type.time_zone)).dt.cast_time_unit(target_type.time_unit)
        if isinstance(target_type, pl.Duration):
            return ticks.cast(pl.Duration("us")).dt.cast_time_unit(target_type.time_unit)
        return ticks.cast(target_type, strict=False)
    if target_type.is_integer() and not bool((series.drop_nulls() % 1 == 0).all()):
        return series
    if not target_type.is_numeric() and target_type != pl.Null:
        return series
    for dtype in (target_type, pl.Int64()) if target_type.is_integer() else (target_type,):
        narrow = series.cast(dtype, strict=False)
        if narrow.null_count() == series.null_count():
            return narrow
    return series


def _lookup(attribute: Attribute, target_type: Any) -> pl.Series:
    """The categories as a series: of the target type where all fit it, else as text."""
    categories = list(attribute.categories or ())
    texts = pl.Series([category_text(category) for category in categories], dtype=pl.String)
    if isinstance(target_type, pl.Enum):
        return texts.cast(target_type if set(target_type.categories) == set(texts) else pl.Enum(texts))
    if isinstance(target_type, pl.Categorical):
        return texts.cast(target_type)
    if target_type == pl.String or any(isinstance(category, str) for category in categories):
        return texts
    try:
        series = pl.Series(categories)
        return series.cast(target_type) if target_type is not None else series
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return texts


def _to_pyarrow(data: Microdata) -> Any:
    import pyarrow as pa

    dtypes = data.form.dtypes if data.form.backend == "pyarrow" else {}
    columns = []
    for attribute in data.attributes:
        target_type = dtypes.get(attribute.name)
        if target_type is not None and pa.types.is_dictionary(target_type) and attribute.coded:
            columns.append(_dictionary_array(attribute, data.columns[attribute.name], target_type))
        else:
            columns.append(_arrow_array(polars_series(data, attribute), target_type))
    return pa.table(columns, names=[attribute.name for attribute in data.attributes])


def _arrow_array(series: pl.Series, target_type: Any) -> Any:
    import pyarrow as pa

    if target_type is None and series.dtype == pl.String:
        target_type = pa.string()
    array = series.to_arrow()
    if isinstance(series.dtype, pl.Enum) and pa.types.is_dictionary(array.type) and not array.type.ordered:
        array = pa.DictionaryArray.from_arrays(array.indices, array.dictionary, ordered=True)  # earlier polars omits it
    try:
        return array.cast(target_type) if target_type is not None and _same_nature(array.type, target_type) else array
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return array


def _same_nature(found: Any, target_type: Any) -> bool:
    """Whether a cast changes the width only: it cuts off no fraction and writes no number as text."""
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    natures = (pa.types.is_integer, pa.types.is_floating, pa.types.is_temporal, pa.types.is_decimal)
    if any(of(found) for of in texts):
        return any(of(target_type) for of in texts)
    return any(of(found) and of(target_type) for of in natures) or found == target_type


def _dictionary_array(attribute: Attribute, codes: NDArray[np.int32], target_type: Any) -> Any:
    import pyarrow as pa

    try:
        categories = pa.array(attribute.categories, target_type.value_type)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        categories = pa.array([category_text(category) for category in attribute.categories or ()])
    indices = pa.array(codes, mask=codes < 0)
    with suppress(pa.ArrowInvalid):  # more categories than the original's index type can number
        indices = indices.cast(target_type.index_type)
    return pa.DictionaryArray.from_arrays(indices, categories, ordered=target_type.ordered)


def _to_pandas(data: Microdata) -> Any:
    import pandas as pd

    form = data.form
    same = form.backend == "pandas"
    index = form.index if same and form.index is not None and len(form.index) == len(data) else None
    columns = {}
    for attribute in data.attributes:
        target_type = form.dtypes.get(attribute.name) if same else None
        if attribute.coded and (
            isinstance(target_type, pd.CategoricalDtype) or (target_type is None and _is_category(data, attribute))
        ):
            values = _categorical(attribute, data.columns[attribute.name], target_type)
        else:
            values = _pandas_values(polars_series(data, attribute), target_type)
        columns[attribute.name] = pd.Series(values)
    frame = pd.DataFrame(columns)
    if index is not None:
        frame.index = index
    if same and form.labels is not None:
        position = {str(label): index for index, label in enumerate(form.labels)}
        if all(name in position for name in columns):
            frame.columns = form.labels[[position[name] for name in columns]]
    return frame


def _is_category(data: Microdata, attribute: Attribute) -> bool:
    return isinstance(data.form.types.get(attribute.name), pl.Enum | pl.Categorical)


def _categorical(attribute: Attribute, codes: NDArray[np.int32], target_type: Any) -> Any:
    """A pandas categorical; its categories are those of the original dtype that the attribute still has."""
    import pandas as pd

    categories = list(attribute.categories or ())
    if target_type is None:
        return pd.Categorical.from_codes(codes, pd.Index(categories), ordered=bool(attribute.kind & Kind.ORDERED))
    code_of = {category_text(category): code for code, category in enumerate(target_type.categories)}
    new_codes = [code_of.get(category_text(category), -1) for category in categories]
    if -1 in new_codes:
        return pd.Categorical.from_codes(codes, pd.Index(categories), ordered=target_type.ordered)
    whole = pd.Categorical.from_codes(np.array([*new_codes, -1])[codes], dtype=target_type)
    return whole.remove_categories(whole.categories.delete(new_codes))


def _pandas_values(series: pl.Series, target_type: Any) -> Any:
    """A pandas array or series of the target dtype where the values fit it, else of their own dtype."""
    import pandas as pd

    if isinstance(target_type, Objects):
        values = [target_type.missing if value is None else value for value in series.to_list()]
        return pd.Series(values, dtype=object)
    if isinstance(target_type, pd.ArrowDtype):
        return pd.Series(pd.arrays.ArrowExtensionArray(_arrow_array(series, target_type.pyarrow_dtype)))
    if isinstance(series.dtype, pl.Date):
        series = series.cast(pl.Datetime("us"))
    if isinstance(series.dtype, pl.Datetime):
        zone = series.dtype.time_zone
        times = pd.Series(series.dt.cast_time_unit("us").to_physical().cast(pl.Datetime("us")).to_numpy())
        times = times.dt.tz_localize("UTC").dt.tz_convert(zone) if zone else times
        return times.astype(target_type) if getattr(target_type, "kind", "") == "M" else times
    if isinstance(series.dtype, pl.Duration):
        spans = pd.Series(series.to_numpy())
        return spans.astype(target_type) if getattr(target_type, "kind", "") == "m" else spans
    if series.dtype.is_integer() or series.dtype.is_float() or series.dtype == pl.Boolean:
        return _pandas_numbers(series, target_type)
    if isinstance(series.dtype, pl.Decimal):
        return pd.Series(series.cast(pl.Float64).to_numpy())
    if isinstance(target_type, pd.StringDtype) and series.dtype == pl.String:
        return pd.Series(series.to_list(), dtype=target_type)
    return pd.Series(series.to_list(), dtype=None if series.dtype == pl.String else object)


def _pandas_numbers(series: pl.Series, target_type: Any) -> Any:
    import pandas as pd

    absent = series.is_null().to_numpy()
    nullable = hasattr(target_type, "numpy_dtype") or (target_type is None and not series.dtype.is_float())
    if series.dtype.is_float():
        numbers = pd.Series(series.fill_null(float("nan")).to_numpy())
        if nullable:
            return numbers.astype("Float32" if series.dtype == pl.Float32 else "Float64")
        return numbers.astype(target_type) if getattr(target_type, "kind", "") == "f" else numbers
    plain = series.fill_null(False if series.dtype == pl.Boolean else 0).to_numpy()
    if not absent.any() and not hasattr(target_type, "numpy_dtype"):
        return pd.Series(plain)
    if series.dtype == pl.Boolean:
        return pd.Series(pd.arrays.BooleanArray(plain.copy(), absent))
    if nullable:
        return pd.Series(pd.arrays.IntegerArray(plain.copy(), absent))
    return pd.Series(np.where(absent, np.nan, plain))
