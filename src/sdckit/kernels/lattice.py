"""The lattice of generalisations: one level for each key, and the best node of it under a limit on suppression."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import Rule
from sdckit.kernels.lattice_rows import Lattice, Levels, RowTable


class Generalisation(NamedTuple):
    """The level of each key, the suppressed rows, the mean loss of a cell, and the number of nodes evaluated.

    No node has a loss that is smaller by more than `gap`, which is 0 for the best node. `alternatives` are the nodes
    that were evaluated and lose more but suppress less, each with its loss and the number of suppressed records.
    """

    levels: tuple[int, ...]
    suppressed: NDArray[np.bool_]
    loss: float
    checked: int
    gap: float = 0.0
    alternatives: tuple[tuple[tuple[int, ...], float, int], ...] = ()


class ClassLoss(Enum):
    """A loss that depends on the classes of a release instead of its cells."""

    DISCERNIBILITY = "discernibility"
    CLASS_SIZE = "class-size"


@dataclass(frozen=True)
class Price:
    """What a search minimises: the weight of each key, the loss of a suppressed cell, and a loss of classes if any."""

    weights: tuple[float, ...]
    suppressed: float = 1.0
    classes: ClassLoss | None = None


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
    search = Search(table, Lattice(keys), rule, max_suppressed, price, max_checked)
    found = search.best()
    if found is None:
        return None
    levels, loss, lower = found
    cells = max(table.frequencies.sum() * sum(price.weights), 1e-300) if price.classes is None else 1.0
    others = tuple((node, other / cells, suppressed) for node, other, suppressed in search.frontier(loss))
    gap = max(loss - lower, 0.0) / cells
    return Generalisation(levels, search.insufficient(levels), loss / cells, len(search.checked), gap, others)


@dataclass(frozen=True, eq=False)
class Search:
    """The search over distinct rows with their frequencies; `checked` has the loss of each node evaluated so far.

    Where the feasible nodes are closed upwards, nodes above a feasible one and below an infeasible one are decided
    without counting (predictive tagging). That is so for models that survive additional records, and without
    suppression for all that survive unions of classes. The loss without suppression is a lower bound of a node's loss.
    """

    table: RowTable
    lattice: Lattice
    rule: Rule
    max_suppressed: float
    price: Price
    max_checked: float = np.inf
    checked: dict[tuple[int, ...], float] = field(default_factory=dict)
    suppressed: dict[tuple[int, ...], float] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.lattice.shape

    @cached_property
    def monotone(self) -> bool:
        """Whether every node above a feasible one is feasible."""
        if self.rule.of_file:
            return False
        return self.rule.upward_closed or (self.max_suppressed < 1 and self.rule.union_closed)

    @cached_property
    def status(self) -> NDArray[np.int8]:
        """1 for feasible nodes, -1 for infeasible ones, 0 for those not decided yet."""
        return np.zeros(self.shape, dtype=np.int8)

    @cached_property
    def bound(self) -> NDArray[np.float64]:
        """The loss of each node if nothing were suppressed; for a loss of classes, 0."""
        total = np.zeros(self.shape)
        if self.price.classes is not None:
            return total
        for index, key in enumerate(self.lattice.keys):
            by_level = self.price.weights[index] * (key.losses[:, self.table.rows[:, index]] @ self.table.frequencies)
            total += by_level.reshape([-1 if axis == index else 1 for axis in range(len(self.shape))])
        return total

    def best(self) -> tuple[tuple[int, ...], float, float] | None:
        """The feasible node of least loss, its loss over all cells, and a proven lower bound of every node's loss."""
        found: tuple[tuple[int, ...], float] | None = None
        bounded = self.price.suppressed >= 1.0 and self.price.classes is None
        for flat in np.argsort(self.bound, axis=None, kind="stable"):
            node = tuple(int(level) for level in np.unravel_index(flat, self.shape))
            if bounded and found is not None and self.bound[node] >= found[1]:
                break
            if len(self.checked) >= self.max_checked:
                return self._best_so_far(float(self.bound[node]) if bounded else 0.0)
            if self.monotone and self.status[node] == 0:
                self.settle(node)
            if self.status[node] >= 0 and self.check(node) < (np.inf if found is None else found[1]):
                found = node, self.check(node)
        return None if found is None else (*found, found[1])

    def _best_so_far(self, lower: float) -> tuple[tuple[int, ...], float, float] | None:
        """The best node that was evaluated; if none is feasible, those on the path to the top are evaluated, too."""
        if not np.isfinite(list(self.checked.values())).any():
            for node in self.path(tuple(0 for _ in self.shape)):
                self.check(node)
        node = min(self.checked, key=lambda each: self.checked[each])
        loss = self.checked[node]
        return (node, loss, min(lower, loss)) if np.isfinite(loss) else None

    def frontier(self, best: float) -> list[tuple[tuple[int, ...], float, int]]:
        """The evaluated nodes that suppress fewer records than every cheaper one, beyond the best, cheapest first."""
        some, fewest = [], np.inf
        for node, loss in sorted(self.checked.items(), key=lambda item: (item[1], self.suppressed.get(item[0], 0.0))):
            if np.isfinite(loss) and self.suppressed[node] < fewest:
                fewest = self.suppressed[node]
                if loss > best:
                    some.append((node, loss, int(fewest)))
        return some

    def settle(self, node: tuple[int, ...]) -> None:
        """Find the first feasible node on a path from this node to the top, by bisection."""
        path = self.path(node)
        low, high = 0, len(path)
        while low < high:
            middle = (low + high) // 2
            if self.feasible(path[middle]):
                high = middle
            else:
                low = middle + 1

    def path(self, node: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The path from a node to the top by steps of least loss."""
        path = [node]
        while path[-1] != tuple(height - 1 for height in self.shape):
            steps_up = [
                (*path[-1][:index], level + 1, *path[-1][index + 1 :])
                for index, level in enumerate(path[-1])
                if level + 1 < self.shape[index]
            ]
            path.append(min(steps_up, key=lambda up: float(self.bound[up])))
        return path

    def feasible(self, node: tuple[int, ...]) -> bool:
        """Whether at most `max_suppressed` records have to be suppressed."""
        if self.status[node] == 0:
            if np.isfinite(self.check(node)):
                self.status[tuple(slice(level, None) for level in node)] = 1
            else:
                self.status[tuple(slice(None, level + 1) for level in node)] = -1
        return bool(self.status[node] > 0)

    def check(self, node: tuple[int, ...]) -> float:
        """The loss of a node over all cells, suppression included; infinite if it is infeasible."""
        if node not in self.checked:
            self.checked[node] = self._loss(node)
        return self.checked[node]

    def _loss(self, node: tuple[int, ...]) -> float:
        cells = self.lattice.cells(self.table.rows, node)
        classes = self.table.classes(cells.of, len(cells.sizes))
        good = self.rule.sufficient(classes)
        if (~good & (classes.sizes == 0)).any():
            return np.inf  # persons of the population of whom it is known that they are not in the file
        out = ~good[cells.of]
        self.suppressed[node] = float(self.table.frequencies[out].sum())
        if self.suppressed[node] > self.max_suppressed + 1e-9:
            return np.inf
        released = classes.sizes[good & (classes.sizes > 0)]
        if not self.rule.satisfied(released):
            return np.inf
        if self.price.classes is not None:
            return self._class_loss(released, self.suppressed[node])
        loss = float(self.bound[node])
        for index, (key, level) in enumerate(zip(self.lattice.keys, node, strict=True)):
            codes = self.table.rows[out, index]
            present = codes < key.nodes.shape[1] - 1
            extra = ((self.price.suppressed - key.losses[level][codes]) * present) @ self.table.frequencies[out]
            loss += self.price.weights[index] * float(extra)
        return loss

    def _class_loss(self, released: NDArray[np.float64], suppressed: float) -> float:
        """Discernibility Σ|E|², or the mean size of a class; a suppressed record counts as confused with all."""
        total = float(released.sum()) + suppressed
        if self.price.classes is ClassLoss.DISCERNIBILITY:
            return float((released**2).sum()) + self.price.suppressed * suppressed * total
        mean = float(released.mean()) if len(released) else 0.0
        return mean + self.price.suppressed * suppressed

    def insufficient(self, node: tuple[int, ...]) -> NDArray[np.bool_]:
        """Which rows are in a class that does not satisfy the rule."""
        cells = self.lattice.cells(self.table.rows, node)
        return ~self.rule.sufficient(self.table.classes(cells.of, len(cells.sizes)))[cells.of]
