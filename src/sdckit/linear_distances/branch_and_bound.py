"""Branch and bound on the simplex of weights: an upper bound on the records that a weighted mean or an OWA links."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.linear_distances.line_search import EQUAL

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

SIGN = 1e-13  # a unit row below this at every corner is positive nowhere
UNDECIDED, ALWAYS, NEVER = 0, 1, 2
SMALLEST_EDGE = 1e-9
CELLS_AT_ONCE = 200  # cells between two checks of the time
STORE = 8_000_000  # rows stored for the open cells: bounds memory


@njit(cache=True, nogil=True)
def least_rows(rows: Array, starts: Indices) -> Indices:
    """The rows not dominated by a row of the same record that is lower in every parameter: they imply the others.

    Rows without a negative entry are satisfied by all positive weights and are left out too.
    """
    kept = np.zeros(len(rows), np.bool_)
    for i in range(len(starts) - 1):
        part = rows[starts[i] : starts[i + 1]]
        order = np.argsort(part.sum(axis=1))
        chosen = np.empty(len(part), np.int64)
        count = 0
        for r in order:
            if part[r].min() >= 0:
                continue
            dominated = False
            for c in chosen[:count]:
                below = True
                for k in range(part.shape[1]):
                    if part[c, k] > part[r, k]:
                        below = False
                        break
                if below:
                    dominated = True
                    break
            if not dominated:
                chosen[count] = r
                count += 1
                kept[starts[i] + r] = True
    return np.flatnonzero(kept)


class OpenCells(NamedTuple):
    """A stack of simplices still to be searched, with their rows that change sign inside."""

    corners: Array  # (cell, corner, parameter)
    states: NDArray[np.int8]  # (cell, record)
    bounds: Array
    offsets: Indices  # the rows of a cell in the store
    lengths: Indices
    row: Indices  # the store: which row, and its value at each corner
    value: Array


@njit(cache=True, nogil=True)
def _judge(
    owners: Indices,
    groups: Indices,
    weights: Array,
    row: Indices,
    value: Array,
    state: NDArray[np.int8],
    seen: Array,
    left: Indices,
) -> tuple[int, float, float]:
    """Decide records from the signs at the corners; returns rows left, upper bound and links at the centre."""
    size = value.shape[1]
    left[:] = 0
    for m in range(len(row)):
        owner = owners[row[m]]
        if state[owner] == UNDECIDED and value[m].max() <= SIGN:
            state[owner] = NEVER
    count = 0
    for m in range(len(row)):
        owner = owners[row[m]]
        if state[owner] == UNDECIDED and value[m].min() <= SIGN:
            row[count] = row[m]
            value[count] = value[m]
            left[owner] += 1
            count += 1
    seen[:] = 0
    bound, centre = 0.0, 0.0
    for i in range(len(state)):
        if state[i] == UNDECIDED and left[i] == 0:
            state[i] = ALWAYS
        if state[i] != NEVER:
            bound += max(0.0, weights[i] - seen[groups[i]])
            seen[groups[i]] = max(seen[groups[i]], weights[i])
            centre += weights[i]
    for m in range(count):
        owner = owners[row[m]]
        if left[owner] > 0 and value[m].sum() <= size * SIGN:
            left[owner] = 0
            centre -= weights[owner]
    return count, bound, centre


@njit(cache=True, nogil=True)
def _split(
    cells: tuple[Array, NDArray[np.int8], Array, Indices, Indices, Indices, Array],
    depth: int,
    owners: Indices,
    groups: Indices,
    weights: Array,
    best: float,
    max_cells: int,
    trust: bool,
) -> tuple[int, float, Array, float]:
    """Halve the top cell, repeatedly; returns the number of open cells, links and weights of a better centre if one was
    met, and the largest bound of the abandoned cells (too small to halve, or no memory to store them)."""
    corners, states, bounds, offsets, lengths, row, value = cells
    records, size = states.shape[1], corners.shape[1]
    seen, left = np.empty(records), np.empty(records, np.int64)
    abandoned = 0.0
    for _ in range(max_cells):
        if depth == 0:
            break
        depth -= 1
        if bounds[depth] <= best + EQUAL:
            continue
        start, length = offsets[depth], lengths[depth]
        parent = corners[depth].copy()
        parent_state = states[depth].copy()
        parent_row, parent_value = row[start : start + length].copy(), value[start : start + length].copy()
        one, other, longest = 0, 1, -1.0
        for a in range(size):
            for b in range(a + 1, size):
                edge = ((parent[a] - parent[b]) ** 2).sum()
                if edge > longest:
                    one, other, longest = a, b, edge
        if longest < SMALLEST_EDGE**2 or start + 2 * length > len(row) or depth + 2 > len(bounds):
            abandoned = max(abandoned, bounds[depth])
            continue
        better, centre_point = -1.0, parent[0]
        for replaced in (one, other):
            at = offsets[depth - 1] + lengths[depth - 1] if depth > 0 else 0
            corners[depth] = parent
            corners[depth, replaced] = (parent[one] + parent[other]) / 2
            states[depth] = parent_state
            row[at : at + length] = parent_row
            value[at : at + length] = parent_value
            for m in range(length):
                value[at + m, replaced] = (parent_value[m, one] + parent_value[m, other]) / 2
            count, bound, centre = _judge(
                owners, groups, weights, row[at : at + length], value[at : at + length], states[depth], seen, left
            )
            offsets[depth], lengths[depth], bounds[depth] = at, count, bound
            if trust and centre > max(best, better) + EQUAL:
                better, centre_point = centre, corners[depth].sum(axis=0) / size
            if bound > best + EQUAL:
                depth += 1
        if better > best:
            return depth, better, centre_point, abandoned
    return depth, -1.0, corners[0, 0], abandoned


def most_links(
    rows: Array,
    owners: Indices,
    impossible: NDArray[np.bool_],
    groups: Indices,
    record_weights: Array,
    found: float,
    offer: Callable[[Array], float],
    over: Callable[[], bool],
) -> float:
    """An upper bound on the weight of the records that any positive parameters link.

    `offer` verifies a better point met on the way. `rows` are grouped by owner; any subset of all rows gives a valid
    bound. Depth first on halved simplices.
    """
    records, size = len(groups), rows.shape[1]
    levels = 60 * size
    cells = OpenCells(
        np.empty((levels, size, size)), np.empty((levels, records), np.int8), np.empty(levels),
        np.empty(levels, np.int64), np.empty(levels, np.int64),
        np.empty(max(STORE // size, 4 * len(rows)), np.int64), np.empty((max(STORE // size, 4 * len(rows)), size)),
    )  # fmt: skip
    cells.corners[0] = np.eye(size)
    cells.states[0] = np.where(impossible, NEVER, UNDECIDED)
    cells.row[: len(rows)], cells.value[: len(rows)] = np.arange(len(rows)), rows
    cells.offsets[0], cells.lengths[0] = 0, len(rows)
    cells.bounds[0] = one_per_group(record_weights[~impossible], groups[~impossible])
    depth, unresolved, trust = 1, 0.0, True
    while depth > 0 and not over():
        depth, better, centre, abandoned = _split(
            cells, depth, owners, groups, record_weights, found, CELLS_AT_ONCE, trust
        )
        unresolved = max(unresolved, abandoned)
        if better > found:
            verified = offer(centre)
            trust = verified >= better - EQUAL
            found = max(found, verified)
    return max(found, unresolved, float(cells.bounds[:depth].max()) if depth else 0.0)


def one_per_group(weights: Array, groups: Indices) -> float:
    """The largest weight of each group, summed up."""
    largest = np.zeros(int(groups.max(initial=-1)) + 1)
    np.maximum.at(largest, groups, weights)
    return float(largest.sum())
