"""One-to-one linkage: the assignment of known records to released rows with the least total squared distance.

Shortest augmenting paths (Jonker and Volgenant 1987) over a graph that is never stored: each record lists only its
cheapest rows under the current prices, and the cost of the first row left out bounds all the others. Prices only rise,
so a bound stays valid; a path is accepted once no row left out could shorten it, so the result is the optimum of the
complete graph. A class of equal released rows is one column, whose capacity is the size of the class.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.auction import warm_prices
from sdckit.kernels.compiled import njit
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.kd_tree import DEPTH, KdTree, build_tree
from sdckit.kernels.nearest import nearest_links
from sdckit.kernels.priced_rows import NONE, Prices, cheapest, list_cheapest, priced, set_price
from sdckit.kernels.row_blocks import over_row_blocks

NEIGHBOURS = 32


class Assignment(NamedTuple):
    """The released row linked to each known record."""

    link: NDArray[np.int64]  # each known record's released row, -1 if it is unlinked
    alike: NDArray[np.int64]  # released rows equal to the linked one: which of them is linked is arbitrary
    cost: float  # sum of the squared distances
    exact: bool  # whether the cost is proven minimal


def best_assignment(
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    *,
    neighbours: int = NEIGHBOURS,
    budget: int | None = None,
) -> Assignment:
    """Link records and rows one to one so that the sum of squared distances is minimal.

    `neighbours` is the initial length of a record's list. Once `budget` records have been visited along paths, each
    remaining record takes the nearest free row and the result is no longer exact. Missing values are treated as in
    `nearest_links`.
    """
    known, released = (np.ascontiguousarray(a, dtype=np.float64) for a in (known, released))
    exchanged = len(known) > len(released)  # the records of the smaller file choose among those of the larger
    choosing, chosen = (released, known) if exchanged else (known, released)
    limit = np.iinfo(np.int64).max if budget is None else budget
    records, rows, cost, exact = _match(choosing, chosen, neighbours, limit)
    if exchanged:
        records, rows = rows, records
    link, alike = np.full(len(known), NONE), np.zeros(len(known), dtype=np.int64)
    link[records] = rows
    classes = equal_rows(released)
    alike[records] = classes.sizes[classes.of[rows]]
    return Assignment(link, alike, cost, exact)


def _match(
    known: NDArray[np.float64], released: NDArray[np.float64], neighbours: int, budget: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], float, bool]:
    """The linked records, their rows, the total cost, and whether it is proven minimal."""
    if len(known) == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), 0.0, True
    tree = build_tree(released)
    m, columns = len(known), len(tree.rows)
    width = max(2, min(neighbours, columns))
    listed, cost, bound = np.full((m, width), NONE), np.empty((m, width)), np.empty(m)
    # With as many rows as records every row is assigned in the end, so any starting prices are valid.
    every_row_assigned = m == len(released) and columns > 1 and not (np.isnan(known).any() or np.isnan(released).any())
    # A row far from every record starts with a price lower by that distance.
    start_price = (
        -nearest_links(tree.rows, known, np.full(columns, NONE)).distance if every_row_assigned else np.zeros(columns)
    )
    prices = priced(tree, start_price)
    over_row_blocks(m, lambda start, stop: list_cheapest(tree, prices, known, start, stop, listed, cost, bound))
    if every_row_assigned:
        warm_prices(tree, known, prices, listed, cost, bound)
    column, paid, exact = _assign(tree, known, prices, listed, cost, bound, budget)
    # The members of a class of equal rows go, in file order, to the records assigned to the class.
    records = np.flatnonzero(column != NONE)
    records = records[np.argsort(column[records], kind="stable")]
    of_record = column[records]
    members = np.argsort(tree.position, kind="stable")
    first_member = np.cumsum(tree.multiplicity) - tree.multiplicity
    offset = np.arange(len(records)) - np.searchsorted(of_record, of_record, side="left")
    return records, members[first_member[of_record] + offset], float(paid[records].sum()), exact


class _Seats(NamedTuple):
    """The assignment so far; the records of a column are contiguous in `holder`, from `first` on."""

    column: NDArray[np.int64]
    paid: NDArray[np.float64]  # the distance to the record's column
    seat: NDArray[np.int64]  # the record's index in `holder`
    holder: NDArray[np.int64]
    first: NDArray[np.int64]
    taken: NDArray[np.int64]
    capacity: NDArray[np.int64]


class _Paths(NamedTuple):
    """The shortest paths known so far from an unassigned record."""

    distance: NDArray[np.float64]
    by: NDArray[np.int64]  # the record from which the path reaches the column
    by_cost: NDArray[np.float64]
    settled: NDArray[np.bool_]


@njit(cache=True, nogil=True)
def _assign(
    tree: KdTree,
    known: NDArray[np.float64],
    prices: Prices,
    listed: NDArray[np.int64],
    cost: NDArray[np.float64],
    bound: NDArray[np.float64],
    budget: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], bool]:
    m, columns = len(known), len(prices.row)
    price = prices.row
    first = np.zeros(columns, np.int64)
    first[1:] = np.cumsum(tree.multiplicity)[:-1]
    seats = _Seats(
        np.full(m, NONE),
        np.zeros(m),
        np.empty(m, np.int64),
        np.empty(tree.multiplicity.sum(), np.int64),
        first,
        np.zeros(columns, np.int64),
        tree.multiplicity,
    )
    paths = _Paths(
        np.full(columns, np.inf), np.empty(columns, np.int64), np.empty(columns), np.zeros(columns, np.bool_)
    )
    longer = [(listed[0], cost[0])]  # lists that outgrew their first width
    longer_index = np.zeros(m, np.int64)
    nodes = np.empty(DEPTH, np.int64)
    visited = 0
    for start in range(m):
        if visited > budget:
            _take_cheapest_free(tree, known, start, seats, nodes)
            return seats.column, seats.paid, False
        heap = [(bound[start], -1 - start)]
        touched = [NONE]
        best, end = _relax(
            start, 0.0, 0.0, listed[start], cost[start], price, seats, paths, heap, touched, np.inf, NONE
        )
        while len(heap) > 0 and heap[0][0] < best:
            key, item = heappop(heap)
            if item >= 0:
                if paths.settled[item]:
                    continue
                paths.settled[item] = True
                for at in range(seats.first[item], seats.first[item] + seats.taken[item]):
                    record = seats.holder[at]
                    visited += 1
                    offer = seats.paid[record] + price[item]
                    own, own_cost = (
                        longer[longer_index[record]] if longer_index[record] > 0 else (listed[record], cost[record])
                    )
                    best, end = _relax(record, key, offer, own, own_cost, price, seats, paths, heap, touched, best, end)
                    if key + bound[record] - offer < best:
                        heappush(heap, (key + bound[record] - offer, -1 - record))
                continue
            record = -1 - item
            visited += 1
            offer = 0.0 if record == start else seats.paid[record] + price[seats.column[record]]
            reached = 0.0 if record == start else paths.distance[seats.column[record]]
            own, own_cost = longer[longer_index[record]] if longer_index[record] > 0 else (listed[record], cost[record])
            bound[record] = cheapest(tree, prices, known, record, own, own_cost, nodes)
            while reached + bound[record] - offer <= key:  # the new list is still too short
                own = np.append(own, np.full(len(own), NONE))
                own_cost = np.append(own_cost, np.empty(len(own_cost)))
                bound[record] = cheapest(tree, prices, known, record, own, own_cost, nodes)
                if longer_index[record] == 0:
                    longer_index[record] = len(longer)
                    longer.append((own, own_cost))
                else:
                    longer[longer_index[record]] = (own, own_cost)
            best, end = _relax(record, reached, offer, own, own_cost, price, seats, paths, heap, touched, best, end)
            if reached + bound[record] - offer < best:
                heappush(heap, (reached + bound[record] - offer, -1 - record))
        if end != NONE:
            _augment(start, end, seats, paths)
        for to in touched[1:]:
            if paths.settled[to] and end != NONE:
                set_price(tree, prices, to, price[to] + max(0.0, best - paths.distance[to]))
            paths.distance[to], paths.settled[to] = np.inf, False
    return seats.column, seats.paid, True


@njit(cache=True, nogil=True)
def _relax(
    record: int,
    reached: float,
    offer: float,
    listed: NDArray[np.int64],
    cost: NDArray[np.float64],
    price: NDArray[np.float64],
    seats: _Seats,
    paths: _Paths,
    heap: list[tuple[float, int]],
    touched: list[int],
    best: float,
    end: int,
) -> tuple[float, int]:
    """Relax the edges from a record to its listed columns; returns the shortest path so far to a free seat."""
    for at in range(len(listed)):
        to = listed[at]
        if to == NONE:
            break
        through = max(reached, reached + cost[at] + price[to] - offer)
        if through >= best or through >= paths.distance[to]:
            continue
        if paths.distance[to] == np.inf:
            touched.append(to)
        paths.distance[to], paths.by[to], paths.by_cost[to] = through, record, cost[at]
        if seats.taken[to] < seats.capacity[to]:
            best, end = through, to
        else:
            heappush(heap, (through, to))
    return best, end


@njit(cache=True, nogil=True)
def _augment(start: int, end: int, seats: _Seats, paths: _Paths) -> None:
    """Move every record on the path to the next column of the path."""
    to, record = end, NONE
    while record != start:
        record = paths.by[to]
        left = seats.column[record]
        if left != NONE:
            seats.taken[left] -= 1
            last = seats.holder[seats.first[left] + seats.taken[left]]
            seats.holder[seats.seat[record]] = last
            seats.seat[last] = seats.seat[record]
        seats.column[record], seats.paid[record] = to, paths.by_cost[to]
        seats.seat[record] = seats.first[to] + seats.taken[to]
        seats.holder[seats.seat[record]] = record
        seats.taken[to] += 1
        to = left


@njit(cache=True, nogil=True)
def _take_cheapest_free(
    tree: KdTree,
    known: NDArray[np.float64],
    start: int,
    seats: _Seats,
    nodes: NDArray[np.int64],
) -> None:
    """The records from `start` on each take the nearest column with a free seat."""
    prices = priced(tree, np.where(seats.taken < seats.capacity, 0.0, np.inf))
    nearest_free, distance = np.empty(1, np.int64), np.empty(1)
    for record in range(start, len(known)):
        nearest_free[0] = NONE
        cheapest(tree, prices, known, record, nearest_free, distance, nodes)
        to = nearest_free[0]
        if to == NONE:
            continue
        seats.column[record], seats.paid[record] = to, distance[0]
        seats.taken[to] += 1
        if seats.taken[to] == seats.capacity[to]:
            set_price(tree, prices, to, np.inf)
