"""One-to-one linkage: the assignment of known records to released rows with the least total squared distance.

Shortest augmenting paths (Jonker and Volgenant 1987) over a graph that is never written down: each record lists only
its cheapest rows under the current prices, and the price of the first row left out bounds all the others. Prices only
rise, so a bound stays true; a path is accepted once no row left out could shorten it, hence the optimum of the complete
graph. Equal released rows are one column that takes as many records.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.auction import warm_prices
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.kd_tree import DEPTH, KdTree, build_tree
from sdckit.kernels.nearest import nearest_links
from sdckit.kernels.priced_rows import NOBODY, Prices, cheapest, list_cheapest, priced, set_price
from sdckit.kernels.row_blocks import over_row_blocks

NEIGHBOURS = 32


class Assignment(NamedTuple):
    """Who is linked to whom."""

    link: NDArray[np.int64]  # each known record's released row, -1 if it has none
    alike: NDArray[np.int64]  # released rows equal to the linked one: which of them is linked is arbitrary
    cost: float  # sum of the squared distances
    exact: bool  # whether the cost is proven the least


def best_assignment(
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    *,
    neighbours: int = NEIGHBOURS,
    budget: int | None = None,
) -> Assignment:
    """Link records and rows one to one so that the sum of squared distances is the least.

    `neighbours` is how many rows a record lists at first. Once `budget` records have been looked at along paths, the
    records left take the cheapest free row and the result is no longer exact. Missing values as in `nearest_links`; a
    record that shares no attribute with a free row stays unlinked.
    """
    known, released = (np.ascontiguousarray(a, dtype=np.float64) for a in (known, released))
    turned = len(known) > len(released)  # the records of the smaller file choose among those of the larger
    choosing, chosen = (released, known) if turned else (known, released)
    limit = np.iinfo(np.int64).max if budget is None else budget
    records, rows, cost, exact = _match(choosing, chosen, neighbours, limit)
    if turned:
        records, rows = rows, records
    link, alike = np.full(len(known), NOBODY), np.zeros(len(known), dtype=np.int64)
    link[records] = rows
    classes = equal_rows(released)
    alike[records] = classes.sizes[classes.of[rows]]
    return Assignment(link, alike, cost, exact)


def _match(
    known: NDArray[np.float64], released: NDArray[np.float64], neighbours: int, budget: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], float, bool]:
    """The records that are linked, their rows, the total cost, and whether it is proven the least."""
    if len(known) == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), 0.0, True
    tree = build_tree(released)
    m, columns = len(known), len(tree.rows)
    width = max(2, min(neighbours, columns))
    listed, cost, bound = np.full((m, width), NOBODY), np.empty((m, width)), np.empty(m)
    # With as many rows as records every row is taken in the end, so that any prices may be started from.
    every_row_goes = m == len(released) and columns > 1 and not (np.isnan(known).any() or np.isnan(released).any())
    # A row that is far from everybody starts cheap by as much.
    start_price = (
        -nearest_links(tree.rows, known, np.full(columns, NOBODY)).distance if every_row_goes else np.zeros(columns)
    )
    prices = priced(tree, start_price)
    over_row_blocks(m, lambda start, stop: list_cheapest(tree, prices, known, start, stop, listed, cost, bound))
    if every_row_goes:
        warm_prices(tree, known, prices, listed, cost, bound)
    column, paid, exact = _assign(tree, known, prices, listed, cost, bound, budget)
    # The members of a class of equal rows go, in file order, to the records that were given the class.
    records = np.flatnonzero(column != NOBODY)
    records = records[np.argsort(column[records], kind="stable")]
    of_record = column[records]
    members = np.argsort(tree.place, kind="stable")
    first_member = np.cumsum(tree.multiplicity) - tree.multiplicity
    turn = np.arange(len(records)) - np.searchsorted(of_record, of_record, side="left")
    return records, members[first_member[of_record] + turn], float(paid[records].sum()), exact


class _Seats(NamedTuple):
    """Which records hold which columns; a column's holders sit together in `holder` from `seat` on."""

    column: NDArray[np.int64]
    paid: NDArray[np.float64]  # the distance to the column held
    chair: NDArray[np.int64]  # where a record sits
    holder: NDArray[np.int64]
    seat: NDArray[np.int64]
    held: NDArray[np.int64]
    capacity: NDArray[np.int64]


class _Paths(NamedTuple):
    """The shortest paths from a record without a column, as far as they are known."""

    distance: NDArray[np.float64]
    by: NDArray[np.int64]  # the record that a path reaches the column from
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
        np.full(m, NOBODY),
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
    where = np.zeros(m, np.int64)
    nodes = np.empty(DEPTH, np.int64)
    looked = 0
    for start in range(m):
        if looked > budget:
            _take_cheapest_free(tree, known, start, seats, nodes)
            return seats.column, seats.paid, False
        heap = [(bound[start], -1 - start)]
        touched = [NOBODY]
        best, end = _relax(
            start, 0.0, 0.0, listed[start], cost[start], price, seats, paths, heap, touched, np.inf, NOBODY
        )
        while len(heap) > 0 and heap[0][0] < best:
            key, item = heappop(heap)
            if item >= 0:
                if paths.settled[item]:
                    continue
                paths.settled[item] = True
                for at in range(seats.seat[item], seats.seat[item] + seats.held[item]):
                    record = seats.holder[at]
                    looked += 1
                    offer = seats.paid[record] + price[item]
                    own, own_cost = longer[where[record]] if where[record] > 0 else (listed[record], cost[record])
                    best, end = _relax(record, key, offer, own, own_cost, price, seats, paths, heap, touched, best, end)
                    if key + bound[record] - offer < best:
                        heappush(heap, (key + bound[record] - offer, -1 - record))
                continue
            record = -1 - item
            looked += 1
            offer = 0.0 if record == start else seats.paid[record] + price[seats.column[record]]
            reached = 0.0 if record == start else paths.distance[seats.column[record]]
            own, own_cost = longer[where[record]] if where[record] > 0 else (listed[record], cost[record])
            bound[record] = cheapest(tree, prices, known, record, own, own_cost, nodes)
            while reached + bound[record] - offer <= key:  # listing anew did not do: list more
                own = np.append(own, np.full(len(own), NOBODY))
                own_cost = np.append(own_cost, np.empty(len(own_cost)))
                bound[record] = cheapest(tree, prices, known, record, own, own_cost, nodes)
                if where[record] == 0:
                    where[record] = len(longer)
                    longer.append((own, own_cost))
                else:
                    longer[where[record]] = (own, own_cost)
            best, end = _relax(record, reached, offer, own, own_cost, price, seats, paths, heap, touched, best, end)
            if reached + bound[record] - offer < best:
                heappush(heap, (reached + bound[record] - offer, -1 - record))
        if end != NOBODY:
            _augment(start, end, seats, paths)
        for to in touched[1:]:
            if paths.settled[to] and end != NOBODY:
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
    """Go on from a record to the columns it lists; return the nearest column with a free seat so far."""
    for at in range(len(listed)):
        to = listed[at]
        if to == NOBODY:
            break
        through = max(reached, reached + cost[at] + price[to] - offer)
        if through >= best or through >= paths.distance[to]:
            continue
        if paths.distance[to] == np.inf:
            touched.append(to)
        paths.distance[to], paths.by[to], paths.by_cost[to] = through, record, cost[at]
        if seats.held[to] < seats.capacity[to]:
            best, end = through, to
        else:
            heappush(heap, (through, to))
    return best, end


@njit(cache=True, nogil=True)
def _augment(start: int, end: int, seats: _Seats, paths: _Paths) -> None:
    """Every record on the path moves to the column that it led to."""
    to, record = end, NOBODY
    while record != start:
        record = paths.by[to]
        left = seats.column[record]
        if left != NOBODY:
            seats.held[left] -= 1
            last = seats.holder[seats.seat[left] + seats.held[left]]
            seats.holder[seats.chair[record]] = last
            seats.chair[last] = seats.chair[record]
        seats.column[record], seats.paid[record] = to, paths.by_cost[to]
        seats.chair[record] = seats.seat[to] + seats.held[to]
        seats.holder[seats.chair[record]] = record
        seats.held[to] += 1
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
    prices = priced(tree, np.where(seats.held < seats.capacity, 0.0, np.inf))
    found, distance = np.empty(1, np.int64), np.empty(1)
    for record in range(start, len(known)):
        found[0] = NOBODY
        cheapest(tree, prices, known, record, found, distance, nodes)
        to = found[0]
        if to == NOBODY:
            continue
        seats.column[record], seats.paid[record] = to, distance[0]
        seats.held[to] += 1
        if seats.held[to] == seats.capacity[to]:
            set_price(tree, prices, to, np.inf)
