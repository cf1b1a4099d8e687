"""The best node of a generalisation lattice under a limit on suppression, by branch and bound.

A box is all nodes between a finest and a coarsest one. What the finest node costs without suppression every node of
the box costs, and whoever is suppressed on the coarsest node is suppressed on every node, as far as the models survive
additional records. Both together bound the loss from below; a box is empty if its coarsest node suppresses too many.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import Rule
from sdckit.kernels.lattice_counts import Counted, LatticeCounts, Node, Price
from sdckit.kernels.lattice_rows import Lattice, Levels, RowTable

LIMITS = (1.0, 0.5, 0.25, 0.0)  # shares of the limit on suppression for which good nodes are looked for first
ROUNDING = 1e-9
NO_ROWS = np.empty(0, dtype=np.int64)  # in boxes that wait, to save memory


class Generalisation(NamedTuple):
    """The level of each key, the suppressed rows, the mean loss of a cell, and the number of nodes evaluated.

    No node has a loss that is smaller by more than `gap`, which is 0 for the best node. `alternatives` are the nodes
    that were evaluated and lose more but suppress less, each with its loss and the number of suppressed records.
    """

    levels: Node
    suppressed: NDArray[np.bool_]
    loss: float
    checked: int
    gap: float = 0.0
    alternatives: tuple[tuple[Node, float, int], ...] = ()


def best_generalisation(
    table: RowTable,
    keys: Sequence[Levels],
    rule: Rule,
    max_suppressed: float,
    price: Price,
    max_checked: float = np.inf,
) -> Generalisation | None:
    """The node of least loss at which all classes satisfy the rule after suppressing at most `max_suppressed` records.

    A suppressed record loses all its values. Once so many nodes were evaluated the search stops with the best of them
    and a proven gap. None if no node is feasible, or none was met by then.
    """
    counts = LatticeCounts(table, Lattice(keys), rule, max_suppressed, price)
    search = BranchAndBound(counts, max_checked)
    lower = search.run()
    if search.best is None:
        return None
    search.prefer_finer()
    cells = max(table.frequencies.sum() * sum(price.weights), 1e-300) if price.classes is None else 1.0
    others = tuple(
        (node, loss / cells, int(lost)) for loss, lost, node in search.frontier if loss > search.loss + ROUNDING
    )
    gap = max(search.loss - lower, 0.0) / cells
    return Generalisation(
        search.best, counts.insufficient(search.best), search.loss / cells, search.checked, gap, others
    )


class Box(NamedTuple):
    """A lower bound of the loss of all nodes from the finest to the coarsest; the number decides ties.

    `steps` has for some keys the node on which it has its finest and all others their coarsest level.
    """

    bound: float
    number: int
    finest: Node
    coarsest: Node
    steps: dict[int, Counted]


@dataclass(eq=False)
class BranchAndBound:
    """The search: the box with the smallest bound is split, until no bound is below the loss of the best node."""

    counts: LatticeCounts
    max_checked: float
    best: Node | None = None
    loss: float = np.inf
    checked: int = 0
    frontier: list[tuple[float, float, Node]] = field(default_factory=list)
    waiting: list[Box] = field(default_factory=list)
    made: int = 0

    def run(self) -> float:
        """Search, and return a lower bound of every node's loss: that of the best, unless the search stopped early."""
        shape = self.counts.lattice.shape
        bottom, top = tuple(0 for _ in shape), tuple(levels - 1 for levels in shape)
        whole = self.evaluated(top, self.counts.counted(top))
        self.add(bottom, top, whole, {})
        for limit in dict.fromkeys(int(share * self.counts.max_suppressed) for share in LIMITS):
            self.descend(top, whole, limit)
        while self.waiting and self.waiting[0].bound < self.loss - ROUNDING:
            if self.checked >= self.max_checked:
                return self.waiting[0].bound
            self.split(heappop(self.waiting))
        return self.loss

    def add(self, finest: Node, coarsest: Node, counted: Counted, steps: dict[int, Counted]) -> None:
        """A box to search, unless nothing in it can be feasible or better than the best node."""
        if counted.suppressed > self.counts.max_suppressed + ROUNDING:
            return
        bound = self.counts.lower_bound(finest, counted)
        if bound < self.loss - ROUNDING:
            heappush(self.waiting, Box(bound, self.made, finest, coarsest, steps))
            self.made += 1

    def evaluated(self, node: Node, counted: Counted) -> Counted:
        """A node that was counted, remembered if it is the best so far or suppresses less than better ones."""
        self.checked += 1
        lost = counted.suppressed
        if lost > self.counts.max_suppressed + ROUNDING:
            return counted
        loss = self.counts.lower_bound(node, counted)
        if self.counts.exact:
            loss = self.counts.cost(node, counted)
        elif loss < self.loss - ROUNDING:
            loss, lost = self.counts.loss(node)
        else:
            return counted
        if loss < self.loss:
            self.best, self.loss = node, loss
        if np.isfinite(loss) and not any(other <= loss and fewer <= lost for other, fewer, _ in self.frontier):
            kept = [each for each in self.frontier if each[0] < loss or each[1] < lost]
            self.frontier = sorted([*kept, (loss, lost, node)])
        return counted

    def descend(self, node: Node, counted: Counted, limit: float) -> None:
        """Go down step by step, by the key that gains most for each record it suppresses."""
        while True:
            steps = []
            for key, level in enumerate(node):
                if level:
                    below = _with_level(node, key, level - 1)
                    there = self.evaluated(below, self.counts.finer(counted, key, level - 1))
                    if there.suppressed <= limit + ROUNDING:
                        gain = self.gain(key, level - 1, counted)
                        steps.append((gain / (there.suppressed - counted.suppressed + 1.0), below, there))
            if not steps:
                return
            _, node, counted = max(steps, key=lambda step: step[0])

    def prefer_finer(self) -> None:
        """Of nodes with the same loss take one below which there is no other; the search does not look for them."""
        key = 0
        while self.best is not None and key < len(self.best):
            node = _with_level(self.best, key, self.best[key] - 1)
            if self.best[key] and self.counts.loss(node)[0] <= self.loss + ROUNDING:
                self.best, key = node, 0
            else:
                key += 1

    def gain(self, key: int, level: int, counted: Counted) -> float:
        """What a level costs less than the next."""
        start = self.counts.starts[key] + level
        return float(counted.costs[start + 1] - counted.costs[start])

    def split(self, box: Box) -> None:
        """Raise the finest levels that no node better than the best can have, and cut the box in two by one key."""
        counted, finest, steps = self.counts.counted(box.coarsest), list(box.finest), dict(box.steps)
        for key, highest in enumerate(box.coarsest):
            while finest[key] < highest:
                if key not in steps:
                    node = _with_level(box.coarsest, key, finest[key])
                    there = self.evaluated(node, self.counts.finer(counted, key, finest[key]))
                    steps[key] = there._replace(of=NO_ROWS)
                few = steps[key].suppressed <= self.counts.max_suppressed + ROUNDING
                if few and self.counts.lower_bound(tuple(finest), steps[key]) < self.loss - ROUNDING:
                    break
                finest[key] += 1
                steps.pop(key)
        low = tuple(finest)
        free = [key for key, highest in enumerate(box.coarsest) if low[key] < highest]
        if not free:
            self.evaluated(low, counted)
            return
        gains = {key: self.gain(key, low[key], counted) + ROUNDING for key in free}
        key = max(free, key=lambda key: gains[key] * (steps[key].suppressed - counted.suppressed + 1.0))
        others = {other: step for other, step in steps.items() if other != key}
        self.add(low, _with_level(box.coarsest, key, low[key]), steps[key], {})
        self.add(_with_level(low, key, low[key] + 1), box.coarsest, counted, others)


def _with_level(node: Node, key: int, level: int) -> Node:
    return (*node[:key], level, *node[key + 1 :])
