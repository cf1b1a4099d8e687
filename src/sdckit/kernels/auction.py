"""Auction: records bid for rows until prices reflect demand (Bertsekas 1988)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_tree import DEPTH, KdTree
from sdckit.kernels.priced_rows import NONE, Prices, cheapest, set_price

FIRST_STEP = 1.0  # in mean distances to the nearest row
ROUNDS = 4
REFINEMENT = 5.0  # how much finer the bids are from round to round


@njit(cache=True, nogil=True)
def warm_prices(
    tree: KdTree,
    known: NDArray[np.float64],
    prices: Prices,
    listed: NDArray[np.int64],
    cost: NDArray[np.float64],
    bound: NDArray[np.float64],
) -> None:
    """Raise the prices, in rounds of ever finer bids, to nearly those of the best assignment.

    There are as many seats as records and no missing values. The lists are those of `list_cheapest` and stay valid.
    """
    m = len(known)
    first = np.cumsum(tree.multiplicity) - tree.multiplicity
    seat_price = np.repeat(prices.row, tree.multiplicity)
    holder = np.empty(m, np.int64)
    queue = np.empty(m, np.int64)
    nodes = np.empty(DEPTH, np.int64)
    step = FIRST_STEP * cost[:, 0].mean()
    if step == 0:
        return  # every record equals some row; bids with a step of 0 would never end
    for _ in range(ROUNDS):
        holder[:] = NONE
        queue[:] = np.arange(m)
        waiting = m
        while waiting > 0:
            record = queue[waiting - 1]
            to, least, second = _two_cheapest(listed[record], cost[record], prices.row)
            if second > bound[record]:
                bound[record] = cheapest(tree, prices, known, record, listed[record], cost[record], nodes)
                to, least, second = _two_cheapest(listed[record], cost[record], prices.row)
            seat, lowest, next_lowest = _lowest_seats(seat_price, first[to], tree.multiplicity[to])
            seat_price[seat] = lowest + second - least + step
            set_price(tree, prices, to, min(seat_price[seat], next_lowest))
            if holder[seat] == NONE:
                waiting -= 1
            else:
                queue[waiting - 1] = holder[seat]
            holder[seat] = record
        step /= REFINEMENT


@njit(cache=True, nogil=True)
def _two_cheapest(
    listed: NDArray[np.int64], cost: NDArray[np.float64], price: NDArray[np.float64]
) -> tuple[int, float, float]:
    to, least, second = NONE, np.inf, np.inf
    for at in range(len(listed)):
        key = cost[at] + price[listed[at]]
        if key < least:
            to, least, second = listed[at], key, least
        elif key < second:
            second = key
    return to, least, second


@njit(cache=True, nogil=True)
def _lowest_seats(seat_price: NDArray[np.float64], first: int, capacity: int) -> tuple[int, float, float]:
    """The cheapest seat of a class of equal rows, its price, and the next lowest price."""
    seat, lowest, next_lowest = first, seat_price[first], np.inf
    for other in range(first + 1, first + capacity):
        if seat_price[other] < lowest:
            seat, lowest, next_lowest = other, seat_price[other], lowest
        elif seat_price[other] < next_lowest:
            next_lowest = seat_price[other]
    return seat, lowest, next_lowest
