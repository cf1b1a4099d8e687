"""The cheapest rows of a file for a record, where a row costs its distance plus a price."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_tree import DEPTH, KdTree, missing_cost, squared_distance, squared_distance_to_node

NONE = -1


class Prices(NamedTuple):
    """The price of each distinct row, and the least price under each node."""

    row: NDArray[np.float64]
    node: NDArray[np.float64]
    parent: NDArray[np.int64]  # -1 for a root
    leaf: NDArray[np.int64]  # the leaf that contains each row


@njit(cache=True, nogil=True)
def priced(tree: KdTree, row: NDArray[np.float64]) -> Prices:
    """Put a price on every row."""
    count = len(tree.start)
    prices = Prices(row.copy(), np.empty(count), np.full(count, NONE), np.empty(len(row), np.int64))
    for node in range(count - 1, -1, -1):  # children before parents
        right = tree.right[node]
        if right < 0:
            prices.leaf[tree.start[node] : tree.stop[node]] = node
            prices.node[node] = row[tree.start[node] : tree.stop[node]].min()
        else:
            prices.parent[node + 1], prices.parent[right] = node, node
            prices.node[node] = min(prices.node[node + 1], prices.node[right])
    return prices


@njit(cache=True, nogil=True)
def set_price(tree: KdTree, prices: Prices, row: int, price: float) -> None:
    """Change a row's price, and the least prices of the nodes above it."""
    prices.row[row] = price
    node = prices.leaf[row]
    least = np.inf
    for other in range(tree.start[node], tree.stop[node]):
        least = min(least, prices.row[other])
    while prices.node[node] != least:
        prices.node[node] = least
        node = prices.parent[node]
        if node == NONE:
            return
        least = min(prices.node[node + 1], prices.node[tree.right[node]])


@njit(cache=True, nogil=True)
def list_cheapest(
    tree: KdTree,
    prices: Prices,
    known: NDArray[np.float64],
    start: int,
    stop: int,
    listed: NDArray[np.int64],
    cost: NDArray[np.float64],
    bound: NDArray[np.float64],
) -> None:
    """Fill the lists of a block of records."""
    nodes = np.empty(DEPTH, np.int64)
    for record in range(start, stop):
        bound[record] = cheapest(tree, prices, known, record, listed[record], cost[record], nodes)


@njit(cache=True, nogil=True)
def cheapest(
    tree: KdTree,
    prices: Prices,
    known: NDArray[np.float64],
    record: int,
    listed: NDArray[np.int64],
    cost: NDArray[np.float64],
    nodes: NDArray[np.int64],
) -> float:
    """List the rows with the least distance plus price; every row left out costs at least the returned value.

    The search starts from the rows already listed, which are padded with NONE.
    """
    width = len(listed)
    keys = np.full(width, np.inf)
    for at in range(width):
        if listed[at] != NONE:
            _insert(listed[at], cost[at], cost[at] + prices.row[listed[at]], at, listed, cost, keys)
    for root in tree.roots:
        added = missing_cost(tree, root, known, record)
        nodes[0] = root
        waiting = 1
        while waiting > 0:
            waiting -= 1
            node = nodes[waiting]
            to_node = squared_distance_to_node(tree, node, known, record) + added + prices.node[node]
            if to_node >= keys[width - 1]:
                continue
            if tree.right[node] >= 0:
                left, right = node + 1, tree.right[node]
                to_left = squared_distance_to_node(tree, left, known, record) + added + prices.node[left]
                to_right = squared_distance_to_node(tree, right, known, record) + added + prices.node[right]
                if to_left < to_right:
                    left, right = right, left
                nodes[waiting], nodes[waiting + 1] = left, right
                waiting += 2
                continue
            for row in range(tree.start[node], tree.stop[node]):
                distance = squared_distance(tree.rows, row, known, record) + added
                key = distance + prices.row[row]
                if key >= keys[width - 1]:
                    continue
                already_listed = False
                for at in range(width):
                    already_listed |= listed[at] == row
                if not already_listed:
                    _insert(row, distance, key, width - 1, listed, cost, keys)
    return float(keys[width - 1])


@njit(cache=True, nogil=True)
def _insert(
    row: int,
    distance: float,
    key: float,
    at: int,
    listed: NDArray[np.int64],
    cost: NDArray[np.float64],
    keys: NDArray[np.float64],
) -> None:
    """Insert a row among those before `at`, which are sorted by key."""
    while at > 0 and keys[at - 1] > key:
        keys[at], listed[at], cost[at] = keys[at - 1], listed[at - 1], cost[at - 1]
        at -= 1
    keys[at], listed[at], cost[at] = key, row, distance
