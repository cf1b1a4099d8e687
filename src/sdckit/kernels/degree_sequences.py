"""Degree sequences: the nearest k-anonymous one (Liu and Terzi 2008), Erdős–Gallai, and a realisation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.edge_table import edge_key

Degrees = NDArray[np.int64]


@dataclass(frozen=True)
class Violation:
    """Why a sequence is that of no simple graph: an odd sum, or the first Erdős–Gallai inequality that fails.

    `largest` nodes need `needed` ends, and at most `available` edges can supply them; 0 nodes: the sum is odd.
    """

    largest: int
    needed: int
    available: int

    def __str__(self) -> str:
        if not self.largest:
            return f"the degrees add up to {self.needed}, an odd number, and every edge has two ends"
        return (
            f"the {self.largest} largest degrees add up to {self.needed}, above k(k−1) + Σ min(dᵢ, k) = "
            f"{self.available} for k = {self.largest} (Erdős–Gallai)"
        )


def anonymous_degrees(degrees: Degrees, group_size: int, *, deletions: bool = False) -> Degrees:
    """The k-anonymous sequence of least change, node by node: every degree occurs at least `group_size` times.

    Degrees may only rise, or, with `deletions`, become the median of their group.
    """
    order = np.argsort(-degrees, kind="stable")
    cuts = _cuts(degrees[order].astype(np.int64), group_size, deletions)
    out = np.empty(len(degrees), dtype=np.int64)
    sorted_down = degrees[order]
    end = len(degrees)
    while end > 0:
        start = int(cuts[end])
        group = sorted_down[start:end]
        out[order[start:end]] = group[(len(group) - 1) // 2] if deletions else group[0]
        end = start
    return out


@njit(cache=True)
def _cuts(degrees: NDArray[np.int64], group_size: int, deletions: bool) -> NDArray[np.int64]:
    """For each number of nodes, sorted down, where the last group of the best partition of them begins."""
    count = len(degrees)
    sums = np.zeros(count + 1, dtype=np.int64)
    for node in range(count):
        sums[node + 1] = sums[node] + degrees[node]
    best = np.full(count + 1, np.iinfo(np.int64).max // 2, dtype=np.int64)
    cut = np.zeros(count + 1, dtype=np.int64)
    best[0] = 0
    for end in range(group_size, count + 1):
        for start in range(max(0, end - 2 * group_size + 1), end - group_size + 1):
            if start and start < group_size:
                continue
            size = end - start
            if deletions:
                middle = start + (size - 1) // 2
                above = sums[middle] - sums[start] - (middle - start) * degrees[middle]
                below = (end - middle) * degrees[middle] - (sums[end] - sums[middle])
                cost = above + below
            else:
                cost = size * degrees[start] - (sums[end] - sums[start])
            if best[start] + cost < best[end]:
                best[end] = best[start] + cost
                cut[end] = start
    return cut


def violation(degrees: Degrees) -> Violation | None:
    """Why no simple graph has these degrees; None where one has."""
    down = np.sort(np.asarray(degrees, dtype=np.int64))[::-1]
    if not len(down):
        return None
    if down[-1] < 0:
        raise ValueError("a degree is negative")
    sums = np.cumsum(down)
    if sums[-1] % 2:
        return Violation(0, int(sums[-1]), 0)
    k = np.arange(1, len(down) + 1)
    # Σ_{i>k} min(dᵢ, k): those with dᵢ ≥ k are the first `above` ones.
    above = np.maximum(len(down) - np.searchsorted(down[::-1], k, side="left"), k)
    available = k * (k - 1) + k * (above - k) + sums[-1] - sums[above - 1]
    failing = np.flatnonzero(sums > available)
    if not len(failing):
        return None
    first = int(failing[0])
    return Violation(first + 1, int(sums[first]), int(available[first]))


def realised(degrees: Degrees) -> NDArray[np.int64]:
    """The edges of a simple graph with these degrees, which must be graphic, sorted (Havel and Hakimi)."""
    keys: NDArray[np.int64] = _havel_hakimi(np.asarray(degrees, dtype=np.int64))
    keys.sort()
    return keys


@njit(cache=True)
def _havel_hakimi(degrees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Nodes in order of their remaining degree, kept sorted down by counting: each step joins the largest to the next.

    Of the nodes with the lowest degree that is needed, the last ones in order are taken, so that the order stays.
    """
    nodes = len(degrees)
    order = np.argsort(-degrees)
    left = degrees[order].copy()
    keys = np.empty(degrees.sum() // 2, dtype=np.int64)
    made, start = 0, 0
    while start < nodes and left[start] > 0:
        need = left[start]
        left[start] = 0
        top = order[start]
        start += 1
        last = left[start + need - 1]  # the lowest degree among the next `need` nodes
        low = start
        high = nodes
        while low < high:  # the first position of that degree
            middle = (low + high) // 2
            if left[middle] > last:
                low = middle + 1
            else:
                high = middle
        first = low
        high = nodes
        while low < high:  # the position after its last one
            middle = (low + high) // 2
            if left[middle] >= last:
                low = middle + 1
            else:
                high = middle
        after = low
        taken_of_last = need - (first - start)
        for position in range(start, first):
            keys[made] = edge_key(nodes, top, order[position])
            left[position] -= 1
            made += 1
        for position in range(after - taken_of_last, after):
            keys[made] = edge_key(nodes, top, order[position])
            left[position] -= 1
            made += 1
    return keys
