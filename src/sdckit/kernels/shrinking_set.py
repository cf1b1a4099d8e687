"""A set of points that only shrinks, searched for the members nearest to and farthest from a query.

The points lie in the leaves of a kd-order, and the box around a leaf shows when it can be skipped. Boxes and
coordinates are kept rounded to single precision, coordinate by coordinate, so that a leaf is one short vectorised loop;
what the rounded distances, with the bound of their error, do not exclude is measured exactly. Distances are squared
Euclidean, added up in the order of the coordinates: the results are those of a plain scan, to the last bit and the last
tie.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import quick_kd_order

LEAF = 64  # points per leaf: many are compared faster in one loop, few are excluded sooner by their box
NO_RECORD = -1
ROUNDING = 2.0**-24  # of a number near 1 to single precision
LEAST = 1e-100  # coordinates that are all smaller than this are not scaled: their squares are nearly zero
GREATEST = np.finfo(np.float64).max
WIDEST = np.float64(np.finfo(np.float32).max)


class ShrinkingSet(NamedTuple):
    """The members of the set in leaves, with the box of each leaf."""

    points: NDArray[np.float64]  # (records, dimensions)
    scale: float  # brings all coordinates into -1 to 1
    rounded: NDArray[np.float32]  # (leaves, dimensions, LEAF): scaled coordinates
    members: NDArray[np.int64]  # (leaves, LEAF): the record at each position
    filled: NDArray[np.int64]  # (leaves,): the number of members
    low: NDArray[np.float32]  # (dimensions, leaves): the boxes, scaled
    high: NDArray[np.float32]
    centre: NDArray[np.float32]  # (dimensions, leaves): of the ball around a leaf
    radius: NDArray[np.float32]  # (leaves,)
    middle: NDArray[np.float32]  # (dimensions,): of all leaves
    excess: NDArray[
        np.float32
    ]  # (leaves,): the greatest squared distance of a point from the middle, less the centre's
    slot: NDArray[np.int64]  # (records,): leaf * LEAF + position of a member


class Query(NamedTuple):
    """What is looked for, and by how much its rounded distances may be wrong."""

    point: NDArray[np.float64]
    rounded: NDArray[np.float32]
    scale: float
    error: float  # of the square root of a rounded distance, scaled
    share: float  # the same, of the distance


@njit(cache=True, nogil=True)
def shrinking_set(points: NDArray[np.float64], records: NDArray[np.int64]) -> ShrinkingSet:
    """The set of the given records."""
    dimensions = points.shape[1]
    own = np.empty((len(records), dimensions))
    widest = 0.0
    for index, record in enumerate(records):
        for axis in range(dimensions):
            own[index, axis] = points[record, axis]
            widest = max(widest, abs(own[index, axis]))
    scale = 1 / widest if widest > LEAST else 1.0
    order = quick_kd_order(own, LEAF)
    leaves = (len(order) + LEAF - 1) // LEAF
    rounded = np.zeros((leaves, dimensions, LEAF), np.float32)
    members = np.full((leaves, LEAF), NO_RECORD)
    filled = np.zeros(leaves, np.int64)
    slot = np.full(len(points), NO_RECORD)
    for index in range(len(order)):
        record = records[order[index]]
        leaf, position = divmod(index, LEAF)
        members[leaf, position] = record
        filled[leaf] += 1
        slot[record] = index
        for axis in range(dimensions):
            rounded[leaf, axis, position] = points[record, axis] * scale
    low, high = np.zeros((dimensions, leaves), np.float32), np.zeros((dimensions, leaves), np.float32)
    centre, middle = np.zeros((dimensions, leaves), np.float32), np.zeros(dimensions, np.float32)
    radius, excess = np.zeros(leaves, np.float32), np.zeros(leaves, np.float32)
    result = ShrinkingSet(points, scale, rounded, members, filled, low, high, centre, radius, middle, excess, slot)
    tighten(result)
    return result


@njit(cache=True, nogil=True)
def tighten(members: ShrinkingSet) -> None:
    """Fit the box and the ball of each leaf to the members that are left, so that more leaves are skipped.

    The ball is around the mean: in many dimensions no point is in the far corners of its box. An empty leaf keeps both.
    """
    leaves, dimensions, _ = members.rounded.shape
    for axis in range(dimensions):
        total = 0.0
        for leaf in range(leaves):
            filled = members.filled[leaf]
            if filled > 0:
                values = members.rounded[leaf, axis]
                members.low[axis, leaf], members.high[axis, leaf] = _extremes(values, filled)
                members.centre[axis, leaf] = _mean(values, filled)
            total += members.centre[axis, leaf]
        members.middle[axis] = total / leaves
    distances, centre = np.empty(LEAF, np.float32), np.empty(dimensions, np.float32)
    error = 2 * ROUNDING * (dimensions + 4)
    for leaf in range(leaves):
        filled = members.filled[leaf]
        if filled > 0:
            from_middle = 0.0
            for axis in range(dimensions):
                centre[axis] = members.centre[axis, leaf]
                from_middle += (centre[axis] - members.middle[axis]) ** 2
            _distances(members.rounded[leaf], centre, distances)
            members.radius[leaf] = np.sqrt(_extremes(distances, filled)[1])
            _distances(members.rounded[leaf], members.middle, distances)
            farthest = _extremes(distances, filled)[1]
            members.excess[leaf] = max(farthest * (1 + error) - from_middle * (1 - error), 0.0)


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz", "reassoc"})
def _mean(values: NDArray[np.float32], filled: int) -> float:
    total = np.float32(0.0)
    for position in range(filled):
        total += values[position]
    return float(total / filled)


@njit(cache=True, nogil=True)
def remove(members: ShrinkingSet, record: int) -> None:
    """Take a record out of the set; the last of its leaf fills the gap."""
    leaf, position = divmod(members.slot[record], LEAF)
    last = members.filled[leaf] - 1
    moved = members.members[leaf, last]
    members.members[leaf, position] = moved
    for axis in range(members.rounded.shape[1]):
        members.rounded[leaf, axis, position] = members.rounded[leaf, axis, last]
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
    sought = _query(members, query)
    distances = np.empty(LEAF, np.float32)
    found = np.full(count, NO_RECORD)
    found_at = np.full(count, np.inf)
    reach = _no_nearer(sought, np.inf)
    for leaf in leaves:
        filled = members.filled[leaf]
        _distances(members.rounded[leaf], sought.rounded, distances)
        if _extremes(distances, filled)[0] <= reach:
            reach = _take_nearer(members, sought, leaf, distances, reach, found, found_at)
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
    sought = _query(members, query)
    nearest_possible, farthest_possible = _bounds(members, sought.rounded, seek_farthest)
    distances = np.empty(LEAF, np.float32)
    found = np.full(count, NO_RECORD)
    found_at = np.full(count, np.inf)
    reach = np.float32(np.inf if count > 0 else -np.inf)
    farthest, farthest_at, beyond = NO_RECORD, -np.inf, np.float32(-np.inf)
    nearest_leaf, farthest_leaf = 0, 0
    for leaf in range(1, leaves):
        if nearest_possible[leaf] < nearest_possible[nearest_leaf]:
            nearest_leaf = leaf
        if seek_farthest and farthest_possible[leaf] > farthest_possible[farthest_leaf]:
            farthest_leaf = leaf
    first = farthest_leaf if seek_farthest else nearest_leaf
    leaf, after = first, nearest_leaf
    for step in range(leaves + 1):
        if step > 0:
            leaf = after
            after = leaf + 1 if leaf + 1 < leaves else 0
            if leaf == first:
                continue
        if nearest_possible[leaf] > reach and (not seek_farthest or farthest_possible[leaf] < beyond):
            continue
        filled = members.filled[leaf]
        _distances(members.rounded[leaf], sought.rounded, distances)
        smallest, largest = _extremes(distances, filled)
        if seek_farthest and largest >= beyond:
            for position in range(filled):
                if distances[position] >= beyond:
                    record = members.members[leaf, position]
                    distance = squared_distance(members.points[record], query)
                    if distance > farthest_at or (distance == farthest_at and record < farthest):
                        farthest, farthest_at = record, distance
                        beyond = _no_farther(sought, distance)
        if smallest <= reach:
            reach = _take_nearer(members, sought, leaf, distances, reach, found, found_at)
    return found, farthest


@njit(cache=True, nogil=True)
def _query(members: ShrinkingSet, point: NDArray[np.float64]) -> Query:
    rounded = np.empty(len(point), np.float32)
    widest = 1.0
    for axis in range(len(point)):
        rounded[axis] = point[axis] * members.scale
        widest = max(widest, abs(point[axis] * members.scale))
    error = 2 * ROUNDING * (1 + widest) * np.sqrt(len(point))
    return Query(point, rounded, members.scale, error, 2 * ROUNDING * (len(point) + 4))


@njit(cache=True, nogil=True)
def _no_nearer(query: Query, distance: float) -> np.float32:
    """A rounded distance above this is of a point that is farther than the distance."""
    limit = (np.sqrt(distance) * query.scale + query.error) / (1 - query.share)
    return np.float32(limit * limit * (1 + query.share))


@njit(cache=True, nogil=True)
def _no_farther(query: Query, distance: float) -> np.float32:
    """A rounded distance below this is of a point that is nearer than the distance."""
    limit = (np.sqrt(min(distance, GREATEST)) * query.scale - query.error) / (1 + query.share)
    return np.float32(limit * limit * (1 - query.share)) if limit > 0 else np.float32(0.0)


@njit(cache=True, nogil=True)
def _take_nearer(
    members: ShrinkingSet,
    query: Query,
    leaf: int,
    distances: NDArray[np.float32],
    reach: np.float32,
    found: NDArray[np.int64],
    found_at: NDArray[np.float64],
) -> np.float32:
    """Insert the members of a leaf that are among the nearest so far; returns the rounded distance not to exceed."""
    for position in range(members.filled[leaf]):
        if distances[position] <= reach:
            record = members.members[leaf, position]
            distance = squared_distance(members.points[record], query.point)
            if distance <= found_at[-1]:
                reach = _no_nearer(query, _insert(found, found_at, record, distance))
    return reach


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _bounds(
    members: ShrinkingSet, query: NDArray[np.float32], seek_farthest: bool
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and, if sought, the greatest rounded distance from the query that each leaf allows.

    The least is that of its box. For the greatest, let c and r be the centre and the radius of the ball around the leaf
    and m the middle of all leaves. A point p of the ball is no farther from the query q than |q - c| + r, and
    |p - q|² = |p - m|² + |q - m|² - 2 (p - m)(q - m) ≤ |q - c|² + excess + 2 r |q - m|, as (p - c)(q - m) ≥ -r |q - m|.
    The second is smaller where the query is far outside and all members are about as far from the middle.
    """
    dimensions, leaves = members.low.shape
    least = np.zeros(leaves, np.float32)
    greatest = np.zeros(leaves if seek_farthest else 0, np.float32)
    for axis in range(dimensions):
        here = query[axis]
        low = members.low[axis]
        high = members.high[axis]
        for leaf in range(leaves):
            gap = max(max(low[leaf] - here, here - high[leaf]), np.float32(0.0))
            least[leaf] += gap * gap
        if seek_farthest:
            centre = members.centre[axis]
            for leaf in range(leaves):
                gap = centre[leaf] - here
                greatest[leaf] += gap * gap
    if seek_farthest:
        slack = np.float32(1 + 8 * ROUNDING * (dimensions + 4))
        outside = 0.0
        for axis in range(dimensions):
            outside += (np.float64(query[axis]) - members.middle[axis]) ** 2
        across = np.float32(min(2 * np.sqrt(outside), WIDEST))
        for leaf in range(leaves):
            reach = np.sqrt(greatest[leaf]) + members.radius[leaf]
            through_middle = greatest[leaf] + members.radius[leaf] * across + members.excess[leaf]
            greatest[leaf] = min(reach * reach, through_middle) * slack
    return least, greatest


@njit(cache=True, nogil=True)
def _distances(coordinates: NDArray[np.float32], query: NDArray[np.float32], distances: NDArray[np.float32]) -> None:
    """Rounded distances to the points of a leaf, in its first positions, and to what fills it up to its full length.

    Loops of a fixed length are vectorised without a rest, and two coordinates at a time halve the memory traffic.
    """
    dimensions = len(query)
    for position in range(LEAF):
        distances[position] = np.float32(0.0)
    for axis in range(0, dimensions - 1, 2):
        a, b = query[axis], query[axis + 1]
        one, two = coordinates[axis], coordinates[axis + 1]
        for position in range(LEAF):
            p, q = one[position] - a, two[position] - b
            distances[position] = (distances[position] + p * p) + q * q
    if dimensions % 2:
        a = query[dimensions - 1]
        one = coordinates[dimensions - 1]
        for position in range(LEAF):
            p = one[position] - a
            distances[position] += p * p


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _extremes(distances: NDArray[np.float32], filled: int) -> tuple[np.float32, np.float32]:
    smallest, largest = np.float32(np.inf), np.float32(-np.inf)
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
