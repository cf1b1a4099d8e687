"""Declare: the header of a file that is read batch by batch, the same as if it was read whole."""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import polars as pl

from sdckit.attribute import Attribute, Kind, Role
from sdckit.engines.header import Header
from sdckit.engines.source import Source
from sdckit.errors import NoRecordsError
from sdckit.files.whole_numbers import decimals_of_means, is_rounded
from sdckit.frames.columns import polars_column
from sdckit.frames.from_frame import logical_type, read_column, refuse_too_large, without_missing_codes
from sdckit.microdata import Form
from sdckit.schema import Declared

BATCH = 200_000  # records examined at a time


@dataclass
class Seen:
    """What was seen of a column so far: its range, or its distinct values where it has categories.

    Of whole numbers, `present`, `mean` and `squares` (of deviations from it) give the standard deviation.
    """

    declared: Declared
    dtype: Any
    values: pl.Series
    missing: int = 0
    all_values: bool = False
    present: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, name: str, dtype: Any, declared: Declared) -> "Seen":
        """A column of which nothing was seen yet."""
        return cls(declared, dtype, pl.Series(name, [], dtype=dtype))

    @property
    def by_range(self) -> bool:
        """Whether the range suffices to declare the column; integers that a float cannot hold become categories."""
        if self.all_values:
            return False
        plain = self.declared.categories is None and self.declared.hierarchy is None
        ordered = self.declared.kind is None or not self.declared.kind & Kind.CATEGORICAL
        return plain and ordered and (self.dtype.is_numeric() or self.dtype.is_temporal())

    def add(self, batch: pl.Series, before: int = 0) -> None:
        """See a further batch, with so many records before it."""
        column = without_missing_codes(polars_column(batch.name, batch), self.declared.missing)
        self.missing += column.values.null_count()
        if self.by_range:
            if column.values.dtype.is_float():
                refuse_too_large(batch.name, column.values.to_numpy(), before)
            present = column.values.drop_nulls()
            if present.dtype.is_integer() and len(present):
                self._add_moments(present.cast(pl.Float64))
            ends = pl.concat([self.values, pl.Series(batch.name, [present.min(), present.max()], dtype=self.dtype)])
            self.values = ends.drop_nulls().unique().sort()
            self.values = pl.concat([self.values.head(1), self.values.tail(1)]).unique()
        else:
            self.values = pl.concat([self.values, batch.unique()]).unique()

    def _add_moments(self, values: pl.Series) -> None:
        """Join the moments of a batch to those seen before (Chan, Golub and LeVeque)."""
        records, mean = len(values), float(values.mean() or 0.0)  # type: ignore[arg-type]  # of whole numbers, a mean is a number
        total, apart = self.present + records, mean - self.mean
        self.squares += float(((values - mean) ** 2).sum()) + apart**2 * self.present * records / total
        self.mean += apart * records / total
        self.present = total

    @property
    def deviation(self) -> float:
        """The standard deviation of whole numbers."""
        return sqrt(self.squares / self.present) if self.present else 0.0


def declare(source: Source) -> Header:
    """The header of a file, in one pass; only distinct categories and ranges are kept of it."""
    names = source.columns()
    source.schema.check_names(names)
    seen: dict[str, Seen] = {}
    dropped = {name for name, each in source.schema.attributes.items() if each.role is Role.IDENTIFIER}
    records = 0
    types: dict[str, Any] = {}
    for batch in source.batches(BATCH):
        for series in batch:
            types.setdefault(series.name, series.dtype)
            if series.name not in dropped:
                declared = source.schema.attributes.get(series.name, Declared())
                seen.setdefault(series.name, Seen.of(series.name, series.dtype, declared)).add(series, records)
        records += len(batch)
    if not records:
        raise NoRecordsError(f"{source.path} has no records; give it at least one")
    _see_all_values(source, seen)
    a_role_is_declared = any(each.role is not None for each in source.schema.attributes.values())
    attributes, logical = [], {}
    for name in names:
        if name in dropped:
            attributes.append(Attribute(name, Kind.UNORDERED, Role.IDENTIFIER, categories=()))
            logical[name] = types[name]
            continue
        declared, column = seen[name].declared, polars_column(name, seen[name].values)
        attribute, _ = read_column(name, column, declared)
        role = declared.role or (Role.OTHER if a_role_is_declared or attribute.coded else Role.KEY)
        attribute = replace(attribute, role=role, level=declared.level)
        if is_rounded(attribute, source.schema.edits) and not types[name].is_temporal():
            attribute = replace(attribute, mean_decimals=decimals_of_means(seen[name].deviation))
        attributes.append(attribute)
        logical[name] = logical_type(column)
    form = Form("polars", types, types=logical, file=source.form, undeclared=source.declared.undeclared(names))
    missing = {name: each.missing for name, each in seen.items()}
    return Header.of(tuple(attributes), records, missing, source.schema.edits, form)


def _see_all_values(source: Source, seen: dict[str, Seen]) -> None:
    """Look once more at columns whose range shows that they have categories after all."""
    again = [
        name
        for name, each in seen.items()
        if each.by_range and read_column(name, polars_column(name, each.values), each.declared)[0].coded
    ]
    for name in again:
        seen[name] = replace(Seen.of(name, seen[name].dtype, seen[name].declared), all_values=True)
    for batch in source.batches(BATCH) if again else ():
        for name in again:
            seen[name].add(batch[name])
