"""A set of points that only shrinks, searched for the members nearest to and farthest from a query.

The points lie in the leaves of a kd-order, coordinate by coordinate, so that a leaf is one short vectorised
loop; the box around a leaf shows when it can be skipped. Distances are squared Euclidean, added up in the order
of the coordinates. Rounding is monotone, so a bound computed from a box never exceeds the computed distance of a
point inside it: the results are those of a plain scan, to the last bit and the last tie.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import kd_order

LEAF = 64  # points per leaf: many are compared faster in one loop, few are excluded sooner by their box
NO_RECORD = -1


class ShrinkingSet(NamedTuple):
    """The members of the set in leaves, with the box of each leaf."""

    coordinates: NDArray[np.float64]  # (leaves, dimensions, LEAF)
    members: NDArray[np.int64]  # (leaves, LEAF): the record at each position
    filled: NDArray[np.int64]  # (leaves,): the number of members
    low: NDArray[np.float64]  # (dimensions, leaves): the boxes
    high: NDArray[np.float64]
    slot: NDArray[np.int64]  # (records,): leaf * LEAF + position of a member


@njit(cache=True, nogil=True)
def shrinking_set(points: NDArray[np.float64], records: NDArray[np.int64]) -> ShrinkingSet:
    """The set of the given records."""
    dimensions = points.shape[1]
    own = np.empty((len(records), dimensions))
    for index, record in enumerate(records):
        for axis in range(dimensions):
            own[index, axis] = points[record, axis]
    order = kd_order(own, LEAF)
    leaves = (len(order) + LEAF - 1) // LEAF
    coordinates = np.zeros((leaves, dimensions, LEAF))
    members = np.full((leaves, LEAF), NO_RECORD)
    filled = np.zeros(leaves, np.int64)
    low = np.full((dimensions, leaves), np.inf)
    high = np.full((dimensions, leaves), -np.inf)
    slot = np.full(len(points), NO_RECORD)
    for index in range(len(order)):
        record = records[order[index]]
        leaf, position = divmod(index, LEAF)
        members[leaf, position] = record
        filled[leaf] += 1
        slot[record] = index
        for axis in range(dimensions):
            value = points[record, axis]
            coordinates[leaf, axis, position] = value
            low[axis, leaf] = min(low[axis, leaf], value)
            high[axis, leaf] = max(high[axis, leaf], value)
    return ShrinkingSet(coordinates, members, filled, low, high, slot)


@njit(cache=True, nogil=True)
def remove(members: ShrinkingSet, record: int) -> None:
    """Take a record out of the set; the last of its leaf fills the gap."""
    leaf, position = divmod(members.slot[record], LEAF)
    last = members.filled[leaf] - 1
    moved = members.members[leaf, last]
    members.members[leaf, position] = moved
    for axis in range(members.coordinates.shape[1]):
        members.coordinates[leaf, axis, position] = members.coordinates[leaf, axis, last]
    members.slot[moved] = leaf * LEAF + position
    members.slot[record] = NO_RECORD
    members.filled[leaf] = last


@njit(cache=True, nogil=True)
def nearest(members: ShrinkingSet, query: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The `count` members nearest to the query, nearest first; ties to the lowest record."""
    found, _ = _search(members, query, count, False)
    return found


@njit(cache=True, nogil=True)
def nearest_and_farthest(
    members: ShrinkingSet, query: NDArray[np.float64], count: int
) -> tuple[NDArray[np.int64], int]:
    """The `count` nearest members, as `nearest` gives them, and the farthest one, in a single pass."""
    return _search(members, query, count, True)


@njit(cache=True, nogil=True)
def nearest_in_leaves(
    members: ShrinkingSet, query: NDArray[np.float64], count: int, leaves: NDArray[np.int64]
) -> NDArray[np.int64]:
    """As `nearest`, among the members of the given leaves; padded with NO_RECORD."""
    distances = np.empty(LEAF)
    found = np.full(count, NO_RECORD)
    found_at = np.full(count, np.inf)
    reach = np.inf
    for leaf in leaves:
        filled = members.filled[leaf]
        _distances(members.coordinates[leaf], query, filled, distances)
        if _extremes(distances, filled)[0] > reach:
            continue
        for position in range(filled):
            if distances[position] <= reach:
                reach = _insert(found, found_at, members.members[leaf, position], distances[position])
    return found


@njit(cache=True, nogil=True)
def squared_distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Squared Euclidean distance, added up in the order of the coordinates."""
    total = 0.0
    for axis in range(len(a)):
        gap = a[axis] - b[axis]
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def _search(
    members: ShrinkingSet, query: NDArray[np.float64], count: int, seek_farthest: bool
) -> tuple[NDArray[np.int64], int]:
    leaves = len(members.filled)
    nearest_possible, farthest_possible = _bounds(members, query, seek_farthest)
    distances = np.empty(LEAF)
    found = np.full(count, NO_RECORD)
    found_at = np.full(count, np.inf)
    reach = np.inf if count > 0 else -np.inf
    farthest, farthest_at = NO_RECORD, -np.inf
    nearest_leaf, farthest_leaf = 0, 0
    for leaf in range(1, leaves):
        if nearest_possible[leaf] < nearest_possible[nearest_leaf]:
            nearest_leaf = leaf
        if seek_farthest and farthest_possible[leaf] > farthest_possible[farthest_leaf]:
            farthest_leaf = leaf
    first = farthest_leaf if seek_farthest else nearest_leaf
    for step in range(-1, leaves):
        leaf = first if step < 0 else (nearest_leaf + step) % leaves
        if (step >= 0 and leaf == first) or members.filled[leaf] == 0:
            continue
        if nearest_possible[leaf] > reach and (not seek_farthest or farthest_possible[leaf] < farthest_at):
            continue
        filled = members.filled[leaf]
        _distances(members.coordinates[leaf], query, filled, distances)
        smallest, largest = _extremes(distances, filled)
        if seek_farthest and largest >= farthest_at:
            for position in range(filled):
                record = members.members[leaf, position]
                if distances[position] == largest and (largest > farthest_at or record < farthest):
                    farthest, farthest_at = record, largest
        if smallest <= reach:
            for position in range(filled):
                if distances[position] <= reach:
                    reach = _insert(found, found_at, members.members[leaf, position], distances[position])
    return found, farthest


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _bounds(
    members: ShrinkingSet, query: NDArray[np.float64], seek_farthest: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least and, if sought, the greatest distance from the query that the box of each leaf allows."""
    dimensions, leaves = members.low.shape
    least = np.zeros(leaves)
    greatest = np.zeros(leaves if seek_farthest else 0)
    for axis in range(dimensions):
        here = query[axis]
        low = members.low[axis]
        high = members.high[axis]
        for leaf in range(leaves):
            gap = max(max(low[leaf] - here, here - high[leaf]), 0.0)
            least[leaf] += gap * gap
        if seek_farthest:
            for leaf in range(leaves):
                span = max(here - low[leaf], high[leaf] - here)
                greatest[leaf] += span * span
    return least, greatest


@njit(cache=True, nogil=True)
def _distances(
    coordinates: NDArray[np.float64], query: NDArray[np.float64], filled: int, distances: NDArray[np.float64]
) -> None:
    """Squared distances to the points of a leaf; two coordinates at a time halve the memory traffic of the sums."""
    dimensions = len(query)
    distances[:filled] = 0.0
    for axis in range(0, dimensions - 1, 2):
        a, b = query[axis], query[axis + 1]
        one, two = coordinates[axis], coordinates[axis + 1]
        for position in range(filled):
            p, q = one[position] - a, two[position] - b
            distances[position] = (distances[position] + p * p) + q * q
    if dimensions % 2:
        a = query[dimensions - 1]
        one = coordinates[dimensions - 1]
        for position in range(filled):
            p = one[position] - a
            distances[position] += p * p


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _extremes(distances: NDArray[np.float64], filled: int) -> tuple[float, float]:
    smallest, largest = np.inf, -np.inf
    for position in range(filled):
        smallest = min(smallest, distances[position])
        largest = max(largest, distances[position])
    return smallest, largest


@njit(cache=True, nogil=True)
def _insert(found: NDArray[np.int64], found_at: NDArray[np.float64], record: int, distance: float) -> float:
    """Insert into the list sorted by distance, then record; returns the distance that the next one must not exceed."""
    slot = len(found) - 1
    if distance == found_at[slot] and found[slot] != NO_RECORD and record > found[slot]:
        return float(found_at[-1])
    while slot > 0 and (distance < found_at[slot - 1] or (distance == found_at[slot - 1] and record < found[slot - 1])):
        found[slot], found_at[slot] = found[slot - 1], found_at[slot - 1]
        slot -= 1
    found[slot], found_at[slot] = record, distance
    return float(found_at[-1])
