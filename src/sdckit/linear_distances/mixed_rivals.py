"""Rivals among records of numbers, codes and missing values: the nearest wrong targets of each query, exactly.

The differences of one query and all its candidates are computed attribute by attribute, in tight loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.linear_distances.rivals import SIGNED, combine, insert, same_features

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

NUMBER, ABSOLUTE, TABLE = 0, 1, 2
NEAR = 1e-9  # sums of squares that differ by more than this share are not those of the same features


class Columns(NamedTuple):
    """How each attribute is compared: its kind, its table within `table`, and the difference if the query lacks it."""

    kinds: Indices
    starts: Indices
    widths: Indices
    table: Array
    query_missing: Array


@njit(cache=True, nogil=True)
def _differences(columns: Columns, query: Array, expected: Array, targets: Array, out: Array) -> None:
    """The differences of a query and some targets, one attribute per row of `targets` and `out`.

    `expected` is the difference where only the target lacks the value.
    """
    for k in range(len(query)):
        value = query[k]
        if np.isnan(value):
            without = columns.query_missing[k]
            for j in range(targets.shape[1]):
                out[k, j] = 0.0 if np.isnan(targets[k, j]) else without
        elif columns.kinds[k] == TABLE:
            row = columns.table[columns.starts[k] + int(value) * columns.widths[k] :]
            without = expected[k]
            for j in range(targets.shape[1]):
                out[k, j] = without if np.isnan(targets[k, j]) else row[int(targets[k, j])]
        else:
            without = expected[k]
            for j in range(targets.shape[1]):
                difference = value - targets[k, j]
                out[k, j] = without if np.isnan(difference) else difference
            if columns.kinds[k] == ABSOLUTE:
                for j in range(targets.shape[1]):
                    if not np.isnan(targets[k, j]):
                        root = np.sqrt(abs(out[k, j]))
                        out[k, j] = root if out[k, j] >= 0 else -root


@njit(cache=True, nogil=True)
def pair_differences(columns: Columns, queries: Array, expected: Array, targets: Array) -> Array:
    """The differences of each query and the target beside it."""
    out = np.empty(queries.shape)
    target, difference = np.empty((queries.shape[1], 1)), np.empty((queries.shape[1], 1))
    for i in range(len(queries)):
        target[:, 0] = targets[i]
        _differences(columns, queries[i], expected[i], target, difference)
        out[i] = difference[:, 0]
    return out


@njit(cache=True, nogil=True)
def _distances(
    form: int, weights: Array, transform: Array, differences: Array, on_axes: Array, values: Array, terms: Array
) -> None:
    """The distance of each column of differences, and the sum of its terms without their signs."""
    attributes, count = differences.shape
    for r in range(attributes):
        on_axes[r] = 0.0
        for k in range(attributes):
            if transform[r, k] != 0:
                for j in range(count):
                    on_axes[r, j] += transform[r, k] * differences[k, j]
    if form == SIGNED:
        values[:], terms[:] = 0.0, 0.0
        for r in range(attributes):
            for j in range(count):
                term = weights[r] * on_axes[r, j] ** 2
                values[j] += term
                terms[j] += abs(term)
        return
    squared, ranking = np.empty(attributes), np.empty(attributes, np.int64)
    for j in range(count):
        for k in range(attributes):
            squared[k] = on_axes[k, j] ** 2
        values[j] = combine(form, weights, squared, ranking)
        terms[j] = values[j]  # the weights of these forms are not negative


@njit(cache=True, nogil=True)
def _chosen(targets: Array, members: Indices) -> Array:
    """Some columns of a matrix."""
    taken = np.empty((len(targets), len(members)))
    for k in range(len(targets)):
        for m in range(len(members)):
            taken[k, m] = targets[k, members[m]]
    return taken


@njit(cache=True, nogil=True)
def nearest_mixed_rivals(
    form: int,
    weights: Array,
    transform: Array,
    columns: Columns,
    queries: Array,
    expected: Array,
    targets: Array,
    truth: Indices,
    offsets: Indices,
    members: Indices,
    count: int,
    tolerance: float,
    only_winning: bool,
    sameness: int,
    skip_same: bool,
) -> Indices:
    """The `count` nearest targets other than the true one, as `nearest_rivals`; `targets` has one attribute per row."""
    records, attributes = queries.shape
    found = np.full((records, count), -1)
    beyond = np.full((records, count), np.inf)
    everyone = np.arange(targets.shape[1])
    differences, on_axes = np.empty(targets.shape), np.empty(targets.shape)
    values, terms = np.empty(targets.shape[1]), np.empty(targets.shape[1])
    own, other, scratch = np.empty(attributes), np.empty(attributes), np.empty((2, attributes))
    for i in range(records):
        if truth[i] < 0:
            continue
        listed = members[offsets[i] : offsets[i + 1]] if len(offsets) > 0 else everyone
        size = len(listed)
        compared = _chosen(targets, listed) if len(offsets) > 0 else targets
        _differences(columns, queries[i], expected[i], compared, differences[:, :size])
        _distances(form, weights, transform, differences[:, :size], on_axes[:, :size], values[:size], terms[:size])
        at = np.searchsorted(listed, truth[i])
        for k in range(attributes):
            own[k] = on_axes[k, at]
        for m in range(size):
            value = values[m]
            if m == at or value >= beyond[i, count - 1]:
                continue
            slack = tolerance * (terms[at] + terms[m])
            if only_winning and value > values[at] + slack:
                continue
            if skip_same and abs(value - values[at]) <= slack:
                for k in range(attributes):
                    other[k] = on_axes[k, m]
                if same_features(own, other, sameness, scratch):
                    continue
            insert(found[i], beyond[i], listed[m], value)
    return found


@njit(cache=True, nogil=True)
def tied_mixed_targets(
    columns: Columns,
    queries: Array,
    expected: Array,
    targets: Array,
    truth: Indices,
    offsets: Indices,
    members: Indices,
    sameness: int,
) -> tuple[Indices, Indices]:
    """How many targets have the same features as the true one, itself included, and the first of them."""
    records, attributes = queries.shape
    counts, firsts = np.zeros(records, np.int64), truth.copy()
    everyone = np.arange(targets.shape[1])
    differences, sums = np.empty(targets.shape), np.empty(targets.shape[1])
    own, other, scratch = np.empty(attributes), np.empty(attributes), np.empty((2, attributes))
    for i in range(records):
        if truth[i] < 0:
            continue
        listed = members[offsets[i] : offsets[i + 1]] if len(offsets) > 0 else everyone
        size = len(listed)
        compared = _chosen(targets, listed) if len(offsets) > 0 else targets
        _differences(columns, queries[i], expected[i], compared, differences[:, :size])
        sums[:size] = 0.0
        for k in range(attributes):
            for m in range(size):
                sums[m] += differences[k, m] ** 2
        at = np.searchsorted(listed, truth[i])
        for k in range(attributes):
            own[k] = differences[k, at]
        for m in range(size):
            if abs(sums[m] - sums[at]) > NEAR * sums[at]:
                continue
            for k in range(attributes):
                other[k] = differences[k, m]
            if m == at or same_features(own, other, sameness, scratch):
                counts[i] += 1
                firsts[i] = min(firsts[i], listed[m])
    return counts, firsts
