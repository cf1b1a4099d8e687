"""Rivals: the nearest wrong targets of each query under a distance, exactly, by a k-d tree or in candidate lists."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

SIGNED = 0  # Σ w_k x_k, the weights of any sign
ORDERED = 1  # Σ w_k x_(k), x_(1) the largest
CHOQUET = 2  # Choquet integral of x, w_(S) the measure of the set S

LEAF = 8  # records in a leaf of the tree
ROUNDING = 1e-12  # distances that differ by less than this share are a tie
SAME = 1e-11  # squared differences that differ by less than this share are the same

COMPONENTWISE = 0  # two vectors of differences have the same features if all squares are equal
SORTED = 1  # if all squares are equal after sorting
UP_TO_SIGN = 2  # if they are equal or opposite


class Tree(NamedTuple):
    """A k-d tree: records in leaf order, each node's children or record range, and its bounding box."""

    order: Indices
    left: Indices
    first: Indices
    last: Indices
    low: Array
    high: Array


@njit(cache=True, nogil=True)
def _build_kd_tree(points: Array, leaf: int) -> tuple[Indices, Indices, Indices, Indices, Array, Array]:
    records, attributes = points.shape
    max_nodes = 4 * max(1, records // leaf) + 8
    order = np.arange(records)
    left, first, last = np.full(max_nodes, -1), np.zeros(max_nodes, np.int64), np.zeros(max_nodes, np.int64)
    low, high = np.empty((max_nodes, attributes)), np.empty((max_nodes, attributes))
    first[0], last[0] = 0, records
    used, node = 1, 0
    while node < used:
        members = order[first[node] : last[node]]
        widest, width = 0, -1.0
        for k in range(attributes):
            low[node, k], high[node, k] = np.inf, -np.inf
            for r in members:
                low[node, k] = min(low[node, k], points[r, k])
                high[node, k] = max(high[node, k], points[r, k])
            if high[node, k] - low[node, k] > width:
                widest, width = k, high[node, k] - low[node, k]
        if len(members) > leaf and width > 0 and used + 2 <= max_nodes:
            order[first[node] : last[node]] = members[np.argsort(points[members, widest])]
            middle = (first[node] + last[node]) // 2
            left[node] = used
            first[used], last[used] = first[node], middle
            first[used + 1], last[used + 1] = middle, last[node]
            used += 2
        node += 1
    return order, left[:used], first[:used], last[:used], low[:used], high[:used]


def build_kd_tree(points: Array) -> Tree:
    """The k-d tree of the points."""
    return Tree(*_build_kd_tree(np.ascontiguousarray(points), LEAF))


@njit(cache=True, nogil=True)
def combine(form: int, weights: Array, squared: Array, ranking: Indices) -> float:
    """The distance of one vector of squared differences; `ranking` is scratch space."""
    attributes = len(squared)
    total = 0.0
    if form == SIGNED:
        for k in range(attributes):
            total += weights[k] * squared[k]
        return total
    for k in range(attributes):
        position = k
        while position > 0 and squared[ranking[position - 1]] < squared[k]:
            ranking[position] = ranking[position - 1]
            position -= 1
        ranking[position] = k
    if form == ORDERED:
        for k in range(attributes):
            total += weights[k] * squared[ranking[k]]
        return total
    members = 0
    for k in range(attributes):
        members |= 1 << ranking[k]
        following = squared[ranking[k + 1]] if k + 1 < attributes else 0.0
        total += (squared[ranking[k]] - following) * weights[members - 1]
    return total


@njit(cache=True, nogil=True)
def _least_in_box(
    form: int, weights: Array, query: Array, low: Array, high: Array, squared: Array, ranking: Indices
) -> float:
    for k in range(len(query)):
        if form == SIGNED and weights[k] < 0:
            gap = max(high[k] - query[k], query[k] - low[k])
        else:
            gap = max(0.0, low[k] - query[k], query[k] - high[k])
        squared[k] = gap * gap
    return combine(form, weights, squared, ranking)


@njit(cache=True, nogil=True)
def _distance(form: int, weights: Array, query: Array, target: Array, squared: Array, ranking: Indices) -> float:
    for k in range(len(query)):
        squared[k] = (query[k] - target[k]) ** 2
    return combine(form, weights, squared, ranking)


@njit(cache=True, nogil=True)
def same_features(one: Array, other: Array, sameness: int, scratch: Array) -> bool:
    """Whether two vectors of differences are at the same distance under all parameters, up to rounding."""
    attributes = len(one)
    if sameness == UP_TO_SIGN:
        size = 0.0
        for k in range(attributes):
            size += one[k] ** 2
        limit = ROUNDING * np.sqrt(size)
        equal, opposite = True, True
        for k in range(attributes):
            equal = equal and abs(one[k] - other[k]) <= limit
            opposite = opposite and abs(one[k] + other[k]) <= limit
        return equal or opposite
    for k in range(attributes):
        scratch[0, k], scratch[1, k] = one[k] ** 2, other[k] ** 2
    if sameness == SORTED:
        if abs(scratch[0].max() - scratch[1].max()) > SAME * scratch[0].max():
            return False
        scratch[0].sort()
        scratch[1].sort()
    for k in range(attributes):
        if abs(scratch[0, k] - scratch[1, k]) > SAME * scratch[0, k]:
            return False
    return True


@njit(cache=True, nogil=True)
def tied_targets(
    queries: Array, targets: Array, truth: Indices, offsets: Indices, members: Indices, sameness: int
) -> tuple[Indices, Indices]:
    """How many targets have the same features as the true one, itself included, and the first of them."""
    records, attributes = queries.shape
    counts, firsts = np.zeros(records, np.int64), truth.copy()
    own, other, scratch = np.empty(attributes), np.empty(attributes), np.empty((2, attributes))
    for i in range(records):
        if truth[i] < 0:
            continue
        for k in range(attributes):
            own[k] = queries[i, k] - targets[truth[i], k]
        start, stop = (offsets[i], offsets[i + 1]) if len(offsets) > 0 else (0, len(targets))
        for m in range(start, stop):
            j = members[m] if len(offsets) > 0 else m
            for k in range(attributes):
                other[k] = queries[i, k] - targets[j, k]
            if j == truth[i] or same_features(own, other, sameness, scratch):
                counts[i] += 1
                firsts[i] = min(firsts[i], j)
    return counts, firsts


@njit(cache=True, nogil=True)
def insert(found: Indices, distance: Array, rival: int, value: float) -> None:
    position = len(found) - 1
    while position > 0 and distance[position - 1] > value:
        found[position], distance[position] = found[position - 1], distance[position - 1]
        position -= 1
    found[position], distance[position] = rival, value


@njit(cache=True, nogil=True)
def nearest_rivals(
    form: int,
    weights: Array,
    queries: Array,
    targets: Array,
    truth: Indices,
    order: Indices,
    left: Indices,
    first: Indices,
    last: Indices,
    low: Array,
    high: Array,
    offsets: Indices,
    members: Indices,
    count: int,
    tolerance: float,
    only_winning: bool,
    sameness: int,
    skip_same: bool,
) -> tuple[Indices, Array]:
    """The `count` nearest targets other than the true one, and how far beyond the true one they lie.

    With `only_winning`, those not farther than the true target (to within the tolerance, relative to the
    terms of the two distances). Unfilled positions are −1. Where `offsets` is not empty, record i has the candidates
    members[offsets[i]:offsets[i+1]] and no tree is used. With `skip_same`, targets that no parameters
    distinguish from the true one are left out.
    """
    records, attributes = queries.shape
    found = np.full((records, count), -1)
    beyond = np.full((records, count), np.inf)
    squared, ranking = np.empty(attributes), np.empty(attributes, np.int64)
    magnitude = np.abs(weights)
    true_difference, difference, scratch = np.empty(attributes), np.empty(attributes), np.empty((2, attributes))
    stack, bounds = np.empty(256, np.int64), np.empty(256)
    for i in range(records):
        if truth[i] < 0:
            continue
        query = queries[i]
        own = _distance(form, weights, query, targets[truth[i]], squared, ranking)
        own_terms = _distance(form, magnitude, query, targets[truth[i]], squared, ranking)
        for k in range(attributes):
            true_difference[k] = query[k] - targets[truth[i], k]
        if len(offsets) > 0:
            for m in range(offsets[i], offsets[i + 1]):
                j = members[m]
                value = _distance(form, weights, query, targets[j], squared, ranking)
                if j != truth[i] and value < beyond[i, count - 1]:
                    slack = tolerance * (own_terms + combine(form, magnitude, squared, ranking))
                    if only_winning and value > own + slack:
                        continue
                    if skip_same and abs(value - own) <= slack:
                        for k in range(attributes):
                            difference[k] = query[k] - targets[j, k]
                        if same_features(true_difference, difference, sameness, scratch):
                            continue
                    insert(found[i], beyond[i], j, value)
        else:
            depth = 1
            stack[0], bounds[0] = 0, -np.inf
            while depth > 0:
                depth -= 1
                node = stack[depth]
                if bounds[depth] >= beyond[i, count - 1]:
                    continue
                if only_winning and bounds[depth] > own + 1e-9 * own_terms:
                    continue
                if left[node] < 0:
                    for m in range(first[node], last[node]):
                        j = order[m]
                        value = _distance(form, weights, query, targets[j], squared, ranking)
                        if j != truth[i] and value < beyond[i, count - 1]:
                            slack = tolerance * (own_terms + combine(form, magnitude, squared, ranking))
                            if only_winning and value > own + slack:
                                continue
                            if skip_same and abs(value - own) <= slack:
                                for k in range(attributes):
                                    difference[k] = query[k] - targets[j, k]
                                if same_features(true_difference, difference, sameness, scratch):
                                    continue
                            insert(found[i], beyond[i], j, value)
                    continue
                one, other = left[node], left[node] + 1
                bound_one = _least_in_box(form, weights, query, low[one], high[one], squared, ranking)
                bound_other = _least_in_box(form, weights, query, low[other], high[other], squared, ranking)
                if bound_one < bound_other:
                    one, other = other, one
                    bound_one, bound_other = bound_other, bound_one
                stack[depth], bounds[depth] = one, bound_one
                stack[depth + 1], bounds[depth + 1] = other, bound_other
                depth += 2
        for m in range(count):
            beyond[i, m] -= own
    return found, beyond
