"""What nodes of a generalisation lattice cost: who is suppressed there, and the loss with that."""

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import Classes, ConfidentialModel, Rule
from sdckit.kernels.compiled import njit
from sdckit.kernels.hashing import SEED, mixed, slots_for
from sdckit.kernels.lattice_rows import Lattice, RowTable, totals

Node = tuple[int, ...]


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


class Counted(NamedTuple):
    """What was counted on a node: the class of each row, and the records that are suppressed on all finer nodes, too.

    `costs` has for each key what each level costs, all together in one array, if these records are suppressed.
    """

    of: NDArray[np.int64]
    suppressed: float
    costs: NDArray[np.float64]


class LevelTables(NamedTuple):
    """For each level of all keys, its key and where the losses of its categories begin."""

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LatticeCounts:
    """The nodes of a lattice over distinct rows with their frequencies, counted one by one."""

    table: RowTable
    lattice: Lattice
    rule: Rule
    max_suppressed: float
    price: Price
    finest_classes: dict[Node, NDArray[np.float64]] = field(default_factory=dict)

    @cached_property
    def monotone(self) -> bool:
        """Whether every node above one whose classes satisfy the rule, but for as many records as allowed, does, too.

        That is so for models that survive additional records, and without suppression for all that survive unions.
        """
        return self.rule.upward_closed or (self.max_suppressed < 1 and self.rule.union_closed)

    @cached_property
    def certain(self) -> Rule:
        """The conditions by which a record that is suppressed on a node is suppressed on every finer one."""
        models = self.rule.of_classes
        return Rule(models if self.monotone else [model for model in models if model.upward_closed])

    @cached_property
    def exact(self) -> bool:
        """Whether these conditions are all there are, and the loss is one of cells."""
        return self.monotone and not self.rule.of_file and self.price.classes is None

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the levels of each key begin among those of all keys."""
        return np.cumsum([0, *self.lattice.shape], dtype=np.int64)[:-1]

    @cached_property
    def levels(self) -> "LevelTables":
        """The keys of all levels, and where the losses of each begin."""
        sizes = [key.nodes.shape[1] for key in self.lattice.keys for _ in key.nodes]
        keys = np.repeat(np.arange(len(self.lattice.shape)), self.lattice.shape)
        return LevelTables(keys.astype(np.int64), np.cumsum([0, *sizes], dtype=np.int64)[:-1])

    @cached_property
    def cell_losses(self) -> NDArray[np.float64]:
        """The weighted loss of each category, the missing value last, level by level of all keys."""
        weighted = zip(self.lattice.keys, self.price.weights, strict=True)
        return np.concatenate([np.zeros(0), *((weight * key.losses).ravel() for key, weight in weighted)])

    @cached_property
    def lost_losses(self) -> NDArray[np.float64]:
        """What a suppressed category costs more than a released one; a missing value costs nothing."""
        parts = [np.zeros(0)]
        for key, weight in zip(self.lattice.keys, self.price.weights, strict=True):
            lost = np.full(key.losses.shape, weight * self.price.suppressed)
            lost[:, -1] = 0.0
            parts.append(lost.ravel())
        return np.concatenate(parts) - self.cell_losses

    @cached_property
    def unsuppressed(self) -> NDArray[np.float64]:
        """What each level of all keys costs if nothing is suppressed."""
        return self._summed(np.arange(len(self.table.rows)), self.cell_losses)

    def _summed(self, some: NDArray[np.int64], losses: NDArray[np.float64]) -> NDArray[np.float64]:
        """The losses of some rows, for each level of all keys."""
        return _summed(some, self.table.rows, self.table.frequencies, *self.levels, losses)

    @cached_property
    def codes(self) -> list[list[NDArray[np.int64]]]:
        """The node of each row on each level of each key."""
        return [
            [nodes[self.table.rows[:, index]] for nodes in key.nodes] for index, key in enumerate(self.lattice.keys)
        ]

    def counted(self, node: Node) -> Counted:
        """What there is on a node."""
        return self._counted(*self._cells(node))

    def finer(self, above: Counted, key: int, level: int) -> Counted:
        """What there is on the node with this level of one key, which is not above that of the node counted before."""
        return self._counted(*_split(above.of, self.codes[key][level]))

    def _cells(self, node: Node) -> tuple[NDArray[np.int64], int]:
        """The class of each row on a node, and how many there are."""
        if self.lattice.packed:
            cells = self.lattice.cells(self.table.rows, node)
            return cells.of, len(cells.sizes)
        of, classes = np.zeros(len(self.table.rows), dtype=np.int64), min(len(self.table.rows), 1)
        for nodes in (codes[level] for codes, level in zip(self.codes, node, strict=True)):
            if len(nodes) and (nodes != nodes[0]).any():
                of, classes = _split(of, nodes)
        return of, classes

    def _counted(self, of: NDArray[np.int64], number: int) -> Counted:
        classes = self._classes(of, number, self.certain)
        good = self.certain.sufficient(classes)
        if (~good & (classes.sizes == 0)).any():
            return Counted(of, np.inf, self.unsuppressed)  # persons of whom it is known that they are not in the file
        out = np.flatnonzero(~good[of])
        lost = float(self.table.frequencies[out].sum())
        if lost > self.max_suppressed + 1e-9 or self.price.classes is not None:
            return Counted(of, lost, self.unsuppressed)
        return Counted(of, lost, self.unsuppressed + self._summed(out, self.lost_losses))

    def _classes(self, of: NDArray[np.int64], number: int, rule: Rule) -> Classes:
        """What the classes contain, as far as the rule asks for it."""
        if rule.of_population or any(isinstance(model, ConfidentialModel) for model in rule.of_classes):
            return self.table.classes(of, number)
        sizes = totals(of, self.table.frequencies, number)
        return Classes(sizes, sizes, [])

    def cost(self, node: Node, counted: Counted) -> float:
        """What a node costs if those are suppressed who were on a node counted before."""
        return float(counted.costs[self.starts + np.array(node, dtype=np.int64)].sum())

    def lower_bound(self, finest: Node, above: Counted) -> float:
        """What every node between these two costs at least; a price below the root's loss can pay for suppression."""
        if self.price.classes is not None:
            return self._least_class_loss(finest, above.suppressed)
        saved = max(1.0 - self.price.suppressed, 0.0) * sum(self.price.weights)
        return self.cost(finest, above) - saved * (self.max_suppressed - above.suppressed)

    def _least_class_loss(self, finest: Node, suppressed: float) -> float:
        """Of all nodes above the finest: classes are at least as large and at most as many."""
        if finest not in self.finest_classes:
            of, number = self._cells(finest)
            self.finest_classes[finest] = totals(of, self.table.frequencies, number)
        sizes = self.finest_classes[finest]
        total = float(sizes.sum())
        if self.price.classes is ClassLoss.DISCERNIBILITY:
            return float((sizes * np.minimum(sizes, self.price.suppressed * total)).sum())
        classes = max(int((sizes > 0).sum()), 1)
        return min(
            (total - lost) / classes + self.price.suppressed * lost for lost in (suppressed, self.max_suppressed)
        )

    def loss(self, node: Node) -> tuple[float, float]:
        """The loss of a node over all cells, infinite if it is infeasible, and how many records are suppressed."""
        of, number = self._cells(node)
        classes = self._classes(of, number, self.rule)
        good = self.rule.sufficient(classes)
        out = ~good[of]
        lost = float(self.table.frequencies[out].sum())
        released = classes.sizes[good & (classes.sizes > 0)]
        unknown = (~good & (classes.sizes == 0)).any()
        if unknown or lost > self.max_suppressed + 1e-9 or not self.rule.satisfied(released):
            return np.inf, lost
        if self.price.classes is not None:
            return self._class_loss(released, lost), lost
        costs = self.unsuppressed + self._summed(np.flatnonzero(out), self.lost_losses)
        return self.cost(node, Counted(of, lost, costs)), lost

    def _class_loss(self, released: NDArray[np.float64], suppressed: float) -> float:
        """Discernibility Σ|E|², or the mean size of a class; a suppressed record counts as confused with all."""
        total = float(released.sum()) + suppressed
        if self.price.classes is ClassLoss.DISCERNIBILITY:
            return float((released**2).sum()) + self.price.suppressed * suppressed * total
        mean = float(released.mean()) if len(released) else 0.0
        return mean + self.price.suppressed * suppressed

    def insufficient(self, node: Node) -> NDArray[np.bool_]:
        """Which rows are in a class that does not satisfy the rule."""
        of, number = self._cells(node)
        return ~self.rule.sufficient(self._classes(of, number, self.rule))[of]


@njit(cache=True, nogil=True)
def _summed(
    some: NDArray[np.int64],
    rows: NDArray[np.int64],
    frequencies: NDArray[np.float64],
    keys: NDArray[np.int64],
    starts: NDArray[np.int64],
    losses: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The losses of some rows, summed for each level of all keys."""
    total = np.zeros(len(keys))
    for row in some:
        for level in range(len(keys)):
            total[level] += frequencies[row] * losses[starts[level] + rows[row, keys[level]]]
    return total


@njit(cache=True, nogil=True)
def _split(of: NDArray[np.int64], nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Classes split by the nodes of a further key, in order of first appearance, and their number."""
    n, span = len(of), np.int64(1)
    for node in nodes:
        span = max(span, node + 1)
    slots = slots_for(n)
    mask = np.uint64(slots - 1)
    label = np.full(slots, -1, np.int32)
    number = np.empty(slots, np.int64)
    out = np.empty(n, np.int64)
    classes = 0
    for row in range(n):
        packed = of[row] * span + nodes[row]
        slot = mixed(SEED, packed) & mask
        while label[slot] >= 0 and number[slot] != packed:
            slot = (slot + np.uint64(1)) & mask
        if label[slot] < 0:
            label[slot] = classes
            number[slot] = packed
            classes += 1
        out[row] = label[slot]
    return out, classes
