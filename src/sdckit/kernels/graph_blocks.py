"""Blocks of nodes for generalisation: the partition whose published counts leave fewest possible graphs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Indices = NDArray[np.int64]
HEAT = 2.0  # the temperature at the start, in units of the logarithm of the number of graphs


def log_choose(total: NDArray[np.float64], chosen: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of the number of ways to choose."""
    from scipy.special import gammaln

    out: NDArray[np.float64] = gammaln(total + 1) - gammaln(chosen + 1) - gammaln(total - chosen + 1)
    return out


def log_worlds(sizes: Indices, counts: NDArray[np.float64]) -> float:
    """The logarithm of the number of graphs with these numbers of edges within (diagonal) and between blocks."""
    pairs = np.outer(sizes, sizes).astype(np.float64)
    np.fill_diagonal(pairs, sizes * (sizes - 1) / 2)
    upper = np.triu_indices(len(sizes))
    return float(log_choose(pairs[upper], counts[upper]).sum())


def block_counts(block: Indices, blocks: int, low: Indices, high: Indices) -> NDArray[np.float64]:
    """Edges between any two blocks, symmetric; the diagonal has those within a block."""
    one, other = block[low], block[high]
    table = np.bincount(one * blocks + other, minlength=blocks * blocks).reshape(blocks, blocks).astype(np.float64)
    both = table + table.T
    np.fill_diagonal(both, np.diagonal(table))
    return both


@njit(cache=True)
def _row_cost(
    sizes: Indices, counts: NDArray[np.float64], one: int, other: int, log_factorial: NDArray[np.float64]
) -> float:
    """The part of `log_worlds` that two blocks take part in; a pair of blocks without an edge adds nothing."""
    total = 0.0
    for turn in range(2):
        row = other if turn else one
        for column in range(len(sizes)):
            chosen = int(counts[row, column])
            if not chosen or (turn and column == one):
                continue
            pairs = sizes[row] * sizes[column] if column != row else sizes[row] * (sizes[row] - 1) // 2
            total += log_factorial[pairs] - log_factorial[chosen] - log_factorial[pairs - chosen]
    return total


def annealed_blocks(
    indptr: Indices,
    indices: Indices,
    group_size: int,
    steps: int,
    rng: np.random.Generator,
) -> Indices:
    """A partition into blocks of at least `group_size` nodes, searched by exchanging nodes at a falling temperature.

    It starts from nodes in the order of a breadth-first search, so that blocks are near each other, and two nodes of
    different blocks change places where the number of possible graphs falls, or rises little while it is hot.
    """
    nodes = len(indptr) - 1
    order = _breadth_first(indptr, indices, rng)
    blocks = max(nodes // group_size, 1)
    block = np.empty(nodes, dtype=np.int64)
    block[order] = np.minimum(np.arange(nodes) // group_size, blocks - 1)
    if blocks < 2:
        return block
    sizes = np.bincount(block, minlength=blocks)
    low = np.repeat(np.arange(nodes), np.diff(indptr))
    once = low < indices
    counts = block_counts(block, blocks, low[once], indices[once])
    largest = int(sizes.max()) ** 2
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, largest + 1)))])
    pairs = rng.integers(0, nodes, (steps, 2))
    _anneal(indptr, indices, block, sizes, counts, log_factorial, pairs, rng.random(steps))
    return block


@njit(cache=True)
def _anneal(
    indptr: Indices,
    indices: Indices,
    block: Indices,
    sizes: Indices,
    counts: NDArray[np.float64],
    log_factorial: NDArray[np.float64],
    pairs: Indices,
    draws: NDArray[np.float64],
) -> None:
    """Exchange the blocks of pairs of nodes, in place, at a temperature that falls to 0."""
    steps = len(pairs)
    for step in range(steps):
        one, other = pairs[step]
        a, b = block[one], block[other]
        if a == b:
            continue
        before = _row_cost(sizes, counts, a, b, log_factorial)
        _move(counts, block, indptr, indices, one, b)
        _move(counts, block, indptr, indices, other, a)
        change = _row_cost(sizes, counts, a, b, log_factorial) - before
        heat = max(HEAT * (1 - step / steps), 1e-9)
        if change > 0 and draws[step] >= np.exp(-change / heat):
            _move(counts, block, indptr, indices, one, a)
            _move(counts, block, indptr, indices, other, b)


@njit(cache=True)
def _move(
    counts: NDArray[np.float64], block: Indices, indptr: Indices, indices: Indices, node: int, target: int
) -> None:
    """Move a node to another block and correct the counts."""
    source = block[node]
    for edge in range(indptr[node], indptr[node + 1]):
        other = block[indices[edge]]
        counts[source, other] -= 1.0
        if source != other:
            counts[other, source] -= 1.0
        counts[target, other] += 1.0
        if target != other:
            counts[other, target] += 1.0
    block[node] = target


def _breadth_first(indptr: Indices, indices: Indices, rng: np.random.Generator) -> Indices:
    """The nodes of every component in the order of a breadth-first search from its node of highest degree."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    nodes = len(indptr) - 1
    matrix: Any = csr_array((np.ones(len(indices)), indices, indptr), shape=(nodes, nodes))
    seen = np.zeros(nodes, dtype=bool)
    parts = []
    for start in np.lexsort((rng.random(nodes), -np.diff(indptr))):
        if not seen[start]:
            found = breadth_first_order(matrix, int(start), directed=False, return_predecessors=False)
            seen[found] = True
            parts.append(found.astype(np.int64))
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def sampled_world(block: Indices, counts: NDArray[np.float64], rng: np.random.Generator) -> Indices:
    """The edges of a graph drawn uniformly among those with these counts, as sorted numbers low · nodes + high."""
    nodes = len(block)
    members = [np.flatnonzero(block == number) for number in range(len(counts))]
    keys = []
    for one, other in zip(*np.nonzero(np.triu(counts)), strict=True):
        first, second, count = members[one], members[other], int(counts[one, other])
        if one == other:
            low, high = np.triu_indices(len(first), 1)
            chosen = rng.choice(len(low), count, replace=False)
            ends = first[low[chosen]], first[high[chosen]]
        else:
            chosen = rng.choice(len(first) * len(second), count, replace=False)
            ends = first[chosen // len(second)], second[chosen % len(second)]
        keys.append(np.minimum(*ends) * nodes + np.maximum(*ends))
    return np.sort(np.concatenate(keys)) if keys else np.zeros(0, dtype=np.int64)
