"""The permutation distance that a subject can compute from her own values and the published file alone.

In each attribute, the subject finds the rank of her value among the released ones. The distance of a released row is
the largest number of ranks, over the attributes, between its value and hers; her verifiable permutation distance is
the smallest one over all rows. Whatever the masking did, no row of the file is nearer to her than that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT
from sdckit.kernels.rank_displacement import gap_between_runs, rank_runs, run_of_nearest
from sdckit.microdata import Kind, Microdata, same_value


@dataclass(frozen=True)
class OwnValue:
    """One value of a subject, with what is needed to compare it with a released column.

    `value`    a number, or a category as text; None where it is missing, and then not compared
    `text`     the value as a person reads it
    `order`    the categories in their order, where they have one
    `wider`    nominal categories that contain this one: a row that has one of them agrees with it
    `missing`  released values that mean a missing one
    """

    name: str
    value: float | str | None
    text: str
    order: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def categorical(self) -> bool:
        """Whether the attribute has categories."""
        return isinstance(self.value, str) or bool(self.order)


@dataclass(frozen=True)
class AttributeDistance:
    """What a subject finds in one attribute; ranks are numbered from 1 and among the released values.

    `nearest_ranks`        first and last rank of the released value that is nearest to hers; None for nominal ones
    `low`, `high`          the released values whose ranks are within the distance of these lie between the two
    `standard_deviation`   that of these values; None for categories
    `rows`                 the rows whose value is within the distance
    `exact_rows`           the rows whose value is exactly hers
    """

    name: str
    nearest_ranks: tuple[int, int] | None
    low: str | None
    high: str | None
    standard_deviation: float | None
    rows: int
    exact_rows: int


@dataclass(frozen=True)
class SubjectDistance:
    """The permutation distance of a subject in ranks, and how many released rows are that near to her values."""

    distance: int
    rows: int
    records: int
    attributes: tuple[AttributeDistance, ...]

    @property
    def share(self) -> float:
        """The distance as a share of the released records."""
        return self.distance / self.records

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def own_values(
    original: Microdata, record: int, names: Iterable[str], missing: dict[str, tuple[str, ...]] | None = None
) -> tuple[OwnValue, ...]:
    """The values of one record of the original."""
    one = original.take(np.array([record]))
    shown = one.to_frame("polars")
    return tuple(_own_value(one, name, str(shown[name][0]), (missing or {}).get(name, ())) for name in names)


def _own_value(one: Microdata, name: str, text: str, missing: tuple[str, ...]) -> OwnValue:
    attribute = one.attribute(name)
    ordered = attribute.categories is not None and bool(attribute.kind & Kind.ORDERED)
    order = tuple(same_value(each) for each in attribute.categories or ()) if ordered else ()
    if one.missing(name):
        return OwnValue(name, None, "missing", order, missing=missing)
    value = one.values(name)[0]
    if attribute.categories is None:
        return OwnValue(name, float(value), text, missing=missing)
    above = attribute.hierarchy.ancestors(value) if attribute.hierarchy and value in attribute.hierarchy else ()
    wider = tuple(same_value(each) for each in above if each not in (ROOT, str(value)))
    return OwnValue(name, same_value(value), text, order, wider, missing)


def subject_distance(own: Sequence[OwnValue], released: Microdata) -> SubjectDistance:
    """The permutation distance between a subject's values and the nearest row of the published file.

    Tied values take the order that gives the smallest distance. A nominal category has no rank: a row agrees, or it
    is as far as possible (the number of records); so is a row whose value is missing. Values that the subject does not
    have are not compared.

    >>> import polars
    >>> file = Microdata.from_frame(polars.DataFrame({"age": [30, 41, 52, 64]}))
    >>> subject_distance([OwnValue("age", 41.0, "41")], file).distance
    0
    """
    compared = [each for each in own if each.value is not None]
    if not compared:
        raise SchemaError("the subject has no value to compare; name attributes that are not missing")
    columns = [_ranked(each, released) for each in compared]
    farthest = np.max([column.gaps for column in columns], axis=0)
    distance = int(farthest.min())
    attributes = tuple(
        _within(each, column, distance, released) for each, column in zip(compared, columns, strict=True)
    )
    return SubjectDistance(distance, int((farthest == distance).sum()), len(released), attributes)


@dataclass(frozen=True, eq=False)
class _Ranked:
    """A released column: ranks from the subject's value to each row, the sorted numbers, and the run next to hers."""

    gaps: NDArray[np.int64]
    exact_rows: int
    ordered: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    run: tuple[int, int] | None = None


def _ranked(own: OwnValue, released: Microdata) -> _Ranked:
    far = len(released)
    if not own.categorical:
        if released.attribute(own.name).coded:
            raise SchemaError(f"the column {own.name!r} of the published file contains text, and the value is a number")
        assert isinstance(own.value, float)
        return _gaps_of_numbers(released.columns[own.name], own.value, far)
    categories, codes = _categories(released, own.name)
    agrees = np.array([*(text == own.value or text in own.wider for text in categories), False])[codes]
    exact = int(np.array([*(text == own.value for text in categories), False])[codes].sum())
    if not own.order:
        return _Ranked(np.where(agrees, 0, far), exact)
    position = {category: float(number) for number, category in enumerate(own.order)}
    numbers = np.array([*(position.get(text, np.nan) for text in categories), np.nan])[codes]
    ranked = _gaps_of_numbers(numbers, position[str(own.value)], far)
    return replace(ranked, gaps=np.where(agrees, 0, ranked.gaps), exact_rows=exact)


def _categories(released: Microdata, name: str) -> tuple[list[str], NDArray[np.int64]]:
    """The categories of a column, and the code of each row, −1 where it is missing; numbers are categories too."""
    column, categories = released.columns[name], released.attribute(name).categories
    if categories is not None:
        return [same_value(each) for each in categories], column
    absent = released.absent(name)
    values = np.unique(column[~absent])
    return [same_value(each) for each in values.tolist()], np.where(absent, -1, np.searchsorted(values, column))


def _gaps_of_numbers(column: NDArray[np.float64], value: float, far: int) -> _Ranked:
    present = ~np.isnan(column)
    gaps = np.full(len(column), far, dtype=np.int64)
    if not present.any():
        return _Ranked(gaps, 0)
    run = run_of_nearest(column[present], value)
    gaps[present] = gap_between_runs(*rank_runs(column[present]), *run)
    return _Ranked(gaps, int((column == value).sum()), np.sort(column[present]), run)


def _within(own: OwnValue, column: _Ranked, distance: int, released: Microdata) -> AttributeDistance:
    rows = int((column.gaps <= distance).sum())
    if column.run is None:
        return AttributeDistance(own.name, None, None, None, None, rows, column.exact_rows)
    first, last = column.run
    near = column.ordered[max(first - distance, 0) : last + distance + 1]
    low, high = (own.order[int(end)] if own.order else _text(released, own.name, end) for end in (near[0], near[-1]))
    deviation = None if own.order else float(near.std())
    return AttributeDistance(own.name, (first + 1, last + 1), low, high, deviation, rows, column.exact_rows)


def _text(released: Microdata, name: str, number: float) -> str:
    """A released number as a person reads it: a date as a date."""
    row = np.flatnonzero(released.columns[name] == number)[:1]
    shown = released.only([name]).take(row).to_frame("polars")[name]
    return str(shown[0]) if shown.dtype.is_temporal() else f"{number:.15g}"
