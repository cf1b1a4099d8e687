"""Pairs of a query and a target: their attribute differences, and the targets nearest to each query.

Numbers are compared by their difference, which is a vector between two points. Categories and missing values have no
such points: their differences are listed in tables and compared pair by pair.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.mixed_rivals import (
    ABSOLUTE,
    NUMBER,
    TABLE,
    Columns,
    nearest_mixed_rivals,
    pair_differences,
    tied_mixed_targets,
)
from sdckit.linear_distances.rivals import build_kd_tree, nearest_rivals, tied_targets

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """How an attribute is compared; NaN is a missing value.

    `table`     the difference of each query code (row) and target code (column); None for numbers
    `absolute`  the squared difference of two numbers is their absolute difference, as in Gower's distance
    `missing`   the difference where exactly one of the two values is missing; None for the expected difference, which
                is the root of the mean squared difference of the query's value from the target's values
    """

    table: Array | None = None
    absolute: bool = False
    missing: float | None = None


class Question(NamedTuple):
    """Which targets to look for: near under a distance, among candidates, with the rule for ties.

    `sameness` is how two targets that no parameters distinguish are recognised; `skip_same` leaves them out.
    """

    form: int
    weights: Array
    rotation: Array
    truth: Indices
    offsets: Indices
    members: Indices
    sameness: int
    skip_same: bool


class Pairs(ABC):
    """Queries and targets that can be compared attribute by attribute, on axes that suit a family of distances."""

    records: int
    targets: int
    attributes: int

    @abstractmethod
    def take(self, records: Indices) -> Pairs:
        """The same targets with some of the queries."""

    @abstractmethod
    def on_axes(self, axes: Array) -> Pairs:
        """The same pairs, their differences multiplied by the axes."""

    @abstractmethod
    def differences(self, queries: Indices, targets: Indices) -> Array:
        """The differences of these queries and these targets, one pair per row."""

    @abstractmethod
    def typical_differences(self) -> Array:
        """The scale of each attribute: the size of the differences between arbitrary records."""

    @abstractmethod
    def query_values(self) -> Array:
        """The queries as rows that are equal where no target distinguishes them."""

    @abstractmethod
    def nearest(self, question: Question, count: int, tolerance: float, only_winning: bool) -> Indices:
        """The nearest targets of each query except the true one; with `only_winning`, those that prevent its link."""

    @abstractmethod
    def tied(self, question: Question) -> tuple[Indices, Indices]:
        """How many targets no parameters distinguish from the true one, itself included, and the first of them."""


class Points(Pairs):
    """Records of numbers without missing values; nearest targets are searched in a k-d tree."""

    def __init__(self, queries: Array, targets: Array) -> None:
        self._queries, self._targets = np.ascontiguousarray(queries), np.ascontiguousarray(targets)
        self.records, self.attributes = queries.shape
        self.targets = len(targets)
        self._tree = build_kd_tree(self._targets)

    def take(self, records: Indices) -> Points:
        return Points(self._queries[records], self._targets)

    def on_axes(self, axes: Array) -> Points:
        return Points(self._queries @ axes.T, self._targets @ axes.T)

    def differences(self, queries: Indices, targets: Indices) -> Array:
        return np.asarray(self._queries[queries] - self._targets[targets])

    def typical_differences(self) -> Array:
        return self._targets.std(axis=0) if self.targets else np.zeros(self.attributes)

    def query_values(self) -> Array:
        return self._queries + 0.0  # −0 equals 0

    def nearest(self, question: Question, count: int, tolerance: float, only_winning: bool) -> Indices:
        queries, targets, tree = self._queries, self._targets, self._tree
        if question.form == 0 and not np.array_equal(question.rotation, np.eye(self.attributes)):
            queries = np.ascontiguousarray(queries @ question.rotation)
            targets = np.ascontiguousarray(targets @ question.rotation)
            tree = build_kd_tree(targets)
        found, _ = nearest_rivals(
            question.form, question.weights, queries, targets, question.truth, *tree, question.offsets,
            question.members, count, tolerance, only_winning, question.sameness, question.skip_same,
        )  # fmt: skip
        return np.asarray(found)

    def tied(self, question: Question) -> tuple[Indices, Indices]:
        return tied_targets(
            self._queries, self._targets, question.truth, question.offsets, question.members, question.sameness
        )


class MixedPairs(Pairs):
    """Records of numbers, codes and missing values; all pairs are compared."""

    def __init__(self, queries: Array, targets: Array, columns: Sequence[Column], axes: Array | None = None) -> None:
        self._queries, self._targets = np.ascontiguousarray(queries), np.ascontiguousarray(targets)
        self._declared = tuple(columns)
        self.records, self.attributes = queries.shape
        self.targets = len(targets)
        self._axes = np.eye(self.attributes) if axes is None else np.ascontiguousarray(axes)
        self._expected, self._overall = expected_differences(self._queries, self._targets, columns)
        self._columns = compared_columns(columns, self._overall)
        self._by_attribute = np.ascontiguousarray(self._targets.T)

    def take(self, records: Indices) -> MixedPairs:
        taken = object.__new__(MixedPairs)
        taken.__dict__.update(self.__dict__)
        taken._queries, taken._expected = self._queries[records], self._expected[records]
        taken.records = len(records)
        return taken

    def on_axes(self, axes: Array) -> MixedPairs:
        changed = object.__new__(MixedPairs)
        changed.__dict__.update(self.__dict__)
        changed._axes = np.ascontiguousarray(axes @ self._axes)
        return changed

    def differences(self, queries: Indices, targets: Indices) -> Array:
        plain = pair_differences(self._columns, self._queries[queries], self._expected[queries], self._targets[targets])
        return np.asarray(plain @ self._axes.T)

    def typical_differences(self) -> Array:
        return self._overall

    def query_values(self) -> Array:
        lowest = np.nanmin(self._queries, axis=0, initial=0.0) - 1 if self.records else np.zeros(self.attributes)
        return np.where(np.isnan(self._queries), lowest, self._queries) + 0.0

    def nearest(self, question: Question, count: int, tolerance: float, only_winning: bool) -> Indices:
        transform = np.ascontiguousarray(question.rotation.T @ self._axes)
        found = nearest_mixed_rivals(
            question.form, question.weights, transform, self._columns, self._queries, self._expected,
            self._by_attribute, question.truth, question.offsets, question.members, count, tolerance, only_winning,
            question.sameness, question.skip_same,
        )  # fmt: skip
        return np.asarray(found)

    def tied(self, question: Question) -> tuple[Indices, Indices]:
        return tied_mixed_targets(
            self._columns, self._queries, self._expected, self._by_attribute, question.truth, question.offsets,
            question.members, question.sameness,
        )  # fmt: skip


def compare(queries: Array, targets: Array, columns: Sequence[Column] | None) -> Pairs:
    """The pairs of two files: points where all attributes are plain numbers without missing values."""
    plain = columns is None or all(column.table is None and not column.absolute for column in columns)
    if plain and not np.isnan(queries).any() and not np.isnan(targets).any():
        return Points(queries, targets)
    return MixedPairs(queries, targets, columns or [Column()] * queries.shape[1])


def compared_columns(columns: Sequence[Column], overall: Array) -> Columns:
    """The columns as arrays; `overall` is the difference where the value of the query is missing."""
    kinds = [TABLE if each.table is not None else ABSOLUTE if each.absolute else NUMBER for each in columns]
    tables = [np.empty((0, 0)) if each.table is None else np.asarray(each.table, dtype=float) for each in columns]
    sizes = [table.size for table in tables]
    at_missing = [
        each if column.missing is None else column.missing for column, each in zip(columns, overall, strict=True)
    ]
    return Columns(
        np.array(kinds, dtype=np.int64),
        np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64) if sizes else np.empty(0, np.int64),
        np.array([table.shape[1] for table in tables], dtype=np.int64),
        np.concatenate([table.ravel() for table in tables]) if tables else np.empty(0),
        np.array(at_missing, dtype=float),
    )


def expected_differences(queries: Array, targets: Array, columns: Sequence[Column]) -> tuple[Array, Array]:
    """The root of the mean squared difference from all targets, for each query's value and over all queries.

    Where a column states its own difference for missing values, that one stands for each query.
    """
    by_query = np.zeros(queries.shape)
    for k, column in enumerate(columns):
        value, others = queries[:, k], targets[~np.isnan(targets[:, k]), k]
        known = ~np.isnan(value)
        if not len(others) or not known.any():
            continue
        by_query[known, k] = np.maximum(_mean_squared(value[known], others, column), 0.0)  # above 0 but for rounding
    overall = np.sqrt(
        np.array([
            by_query[~np.isnan(queries[:, k]), k].mean() if (~np.isnan(queries[:, k])).any() else 0.0
            for k in range(len(columns))
        ])
    )  # fmt: skip
    expected = np.sqrt(by_query)
    for k, column in enumerate(columns):
        if column.missing is not None:
            expected[:, k] = column.missing
    return np.ascontiguousarray(expected), overall


def _mean_squared(values: Array, others: Array, column: Column) -> Array:
    if column.table is not None:
        share = np.bincount(others.astype(np.int64), minlength=column.table.shape[1]) / len(others)
        return np.asarray((column.table**2 @ share)[values.astype(np.int64)])
    if not column.absolute:
        return np.asarray((values - others.mean()) ** 2 + others.var())
    ascending = np.sort(others)
    below = np.searchsorted(ascending, values)
    sums = np.concatenate([[0.0], np.cumsum(ascending)])
    return np.asarray(
        (values * below - sums[below] + sums[-1] - sums[below] - values * (len(others) - below)) / len(others)
    )
