"""Classes of rows under trees of categories: their lowest common ancestors, and rows moved to where they cost less."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import Classes, Rule
from sdckit.kernels.compiled import njit
from sdckit.kernels.lattice_rows import RowTable

MOST_COMPARISONS = 300_000_000  # of rows with classes in the refinement, the costliest classes first: bounds the time
LARGEST_TREE = 1024  # nodes of a tree up to which common ancestors are tabulated for the refinement


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes above each category: `paths[c]` from the root down to category c, repeated at the end where short.

    `losses` has the loss of each node; infinite for a node that may not be released. Every node is in `nodes_below`,
    the path of each node from the root.
    """

    paths: NDArray[np.int64]
    losses: NDArray[np.float64]

    def common(self, codes: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The lowest common ancestor of the categories of each group; groups are consecutive and start there."""
        levels = self.paths[codes]
        agree = np.minimum.reduceat(levels, starts) == np.maximum.reduceat(levels, starts)
        deepest = np.cumprod(agree, axis=1).sum(axis=1) - 1
        return np.asarray(levels[starts, deepest], dtype=np.int64)

    @cached_property
    def paths_of_nodes(self) -> NDArray[np.int64]:
        """The path of every node from the root, repeated at the end."""
        out = np.zeros((len(self.losses), self.paths.shape[1]), dtype=np.int64)
        for depth in range(self.paths.shape[1] - 1, -1, -1):
            nodes, first = np.unique(self.paths[:, depth], return_index=True)
            cut = self.paths[first].copy()
            cut[:, depth:] = nodes[:, None]
            out[nodes] = cut
        return out

    def join(self, nodes: NDArray[np.int64], node: int) -> NDArray[np.int64]:
        """The lowest common ancestor of each of these nodes with another one."""
        levels = self.paths_of_nodes[nodes]
        agree = np.cumprod(levels == self.paths_of_nodes[node], axis=1)
        return np.asarray(levels[np.arange(len(nodes)), agree.sum(axis=1) - 1], dtype=np.int64)

    def lowest(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The lowest node that each category may be published as: itself, or one above it where levels have a floor."""
        return np.asarray(self.paths[codes, -1], dtype=np.int64)

    @cached_property
    def table(self) -> NDArray[np.int32]:
        """The lowest common ancestor of every pair of nodes."""
        every = np.arange(len(self.losses))
        return np.stack([self.join(every, int(node)) for node in every]).astype(np.int32)


@dataclass(eq=False)
class Partition:
    """Classes of rows with the node of each key that all their rows have in common."""

    table: RowTable
    trees: Sequence[Tree]
    weights: Sequence[float]
    of: NDArray[np.int64]

    @cached_property
    def count(self) -> int:
        """The number of classes."""
        return int(self.of.max(initial=-1)) + 1

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The lowest common ancestors of each class, one column per key."""
        inside = np.flatnonzero(self.of >= 0)
        inside = inside[np.argsort(self.of[inside], kind="stable")]
        starts = np.flatnonzero(np.r_[True, np.diff(self.of[inside]) > 0])
        columns = [tree.common(self.table.rows[inside, j], starts) for j, tree in enumerate(self.trees)]
        return np.column_stack(columns).astype(np.int64)

    @cached_property
    def lowest(self) -> NDArray[np.int64]:
        """The lowest nodes of each row, one column per key."""
        return np.column_stack([tree.lowest(self.table.rows[:, j]) for j, tree in enumerate(self.trees)])

    @cached_property
    def classes(self) -> Classes:
        """What the classes contain."""
        return self.table.classes(self.of, self.count)

    def loss_of(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """The loss of a record with these nodes, one row each."""
        total = np.zeros(len(nodes))
        for j, tree in enumerate(self.trees):
            total += self.weights[j] * tree.losses[nodes[:, j]]
        return total

    def with_classes(self, of: NDArray[np.int64]) -> "Partition":
        """Another partition of the same rows; numbers without rows are left out."""
        used = np.bincount(of[of >= 0], minlength=int(of.max(initial=-1)) + 1) > 0
        number = np.append(np.cumsum(used) - 1, -1)
        return Partition(self.table, self.trees, self.weights, number[of])

    def with_group(self, rows: NDArray[np.int64], rule: Rule) -> "Partition":
        """These rows joined, as one group, to the cheapest classes that make it sufficient; −1 if none do."""
        while self.count:
            group = self.table.some(rows).classes(np.zeros(len(rows), dtype=np.int64), 1)
            own = [int(tree.common(self.table.rows[rows, j], np.array([0]))[0]) for j, tree in enumerate(self.trees)]
            joined = np.column_stack([tree.join(self.nodes[:, j], own[j]) for j, tree in enumerate(self.trees)])
            before, after = self.loss_of(self.nodes), self.loss_of(joined)
            sizes = self.classes.sizes
            cost = after * (sizes + group.sizes[0]) - before * sizes
            if not np.isfinite(cost).any():
                break
            together = Classes(
                sizes + group.sizes,
                self.classes.population + group.population,
                [ours + theirs for ours, theirs in zip(self.classes.counts, group.counts, strict=True)],
            )
            good = rule.sufficient(together) & np.isfinite(cost)
            cheapest = int(np.argmin(np.where(good, cost, np.inf) if good.any() else cost))
            of = self.of.copy()
            if good.any():
                of[rows] = cheapest
                return self.with_classes(of)
            rows = np.concatenate([rows, np.flatnonzero(of == cheapest)])
            of[rows] = -1
            self = self.with_classes(of)
        return self

    def refined(self) -> "Partition":
        """Costly classes dissolved where their rows cost less in others; for rules that survive more records only."""
        if any(len(tree.losses) > LARGEST_TREE for tree in self.trees) or self.count < 2:
            return self
        width = max(len(tree.losses) for tree in self.trees)
        common = np.zeros((len(self.trees), width, width), dtype=np.int32)
        losses = np.zeros((len(self.trees), width))
        for j, tree in enumerate(self.trees):
            common[j, : len(tree.losses), : len(tree.losses)] = tree.table
            losses[j, : len(tree.losses)] = self.weights[j] * tree.losses
        of = self.of.copy()
        inside = np.flatnonzero(of >= 0)
        inside = inside[np.argsort(of[inside], kind="stable")]
        starts = np.searchsorted(of[inside], np.arange(self.count + 1))
        loss = self.loss_of(self.nodes)
        costly = np.argsort(-loss, kind="stable")
        work = np.cumsum(np.diff(starts)[costly]) * float(self.count)
        costly = costly[work <= MOST_COMPARISONS]
        _dissolve(
            self.lowest,
            self.table.frequencies,
            of,
            self.nodes.astype(np.int32),
            self.classes.sizes.copy(),
            loss,
            common,
            losses,
            costly[loss[costly] > 0],
            inside,
            starts,
        )
        return self.with_classes(of)


@njit(cache=True, nogil=True)
def _cheapest(
    row: NDArray[np.int64],
    frequency: float,
    nodes: NDArray[np.int32],
    sizes: NDArray[np.float64],
    loss: NDArray[np.float64],
    own: int,
    common: NDArray[np.int32],
    losses: NDArray[np.float64],
    budget: float,
) -> tuple[float, int]:
    """The class that costs least to take in a row, if less than the budget, and what it costs."""
    best, chosen = budget, -1
    for other in range(len(nodes)):
        if sizes[other] == 0.0 or other == own:
            continue
        limit = (best + loss[other] * sizes[other]) / (sizes[other] + frequency)
        value = 0.0
        for column in range(len(row)):
            value += losses[column, common[column, nodes[other, column], row[column]]]
            if value >= limit:
                break
        if value < limit:
            best, chosen = value * (sizes[other] + frequency) - loss[other] * sizes[other], other
    return best, chosen


@njit(cache=True, nogil=True)
def _dissolve(
    rows: NDArray[np.int64],
    frequencies: NDArray[np.float64],
    of: NDArray[np.int64],
    nodes: NDArray[np.int32],
    sizes: NDArray[np.float64],
    loss: NDArray[np.float64],
    common: NDArray[np.int32],
    losses: NDArray[np.float64],
    order: NDArray[np.int64],
    inside: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> None:
    """Dissolve each class, in this order, if its rows cost less in other classes than together; `of` is changed.

    A class that took in rows before is left as it is.
    """
    d = rows.shape[1]
    grown = np.zeros(len(sizes), np.bool_)
    for own in order:
        if sizes[own] == 0.0 or grown[own]:
            continue
        members = inside[starts[own] : starts[own + 1]]
        budget = loss[own] * sizes[own]
        target = np.empty(len(members), np.int64)
        before = np.empty((len(members), d), np.int32)
        loss_before = np.empty(len(members))
        moved = 0
        for row in members:
            cost, other = _cheapest(
                rows[row], frequencies[row], nodes, sizes, loss, own, common, losses, budget - 1e-12
            )
            if other < 0:
                break
            budget -= cost
            target[moved] = other
            before[moved] = nodes[other]
            loss_before[moved] = loss[other]
            value = 0.0
            for column in range(d):
                nodes[other, column] = common[column, nodes[other, column], rows[row, column]]
                value += losses[column, nodes[other, column]]
            loss[other] = value
            sizes[other] += frequencies[row]
            moved += 1
        if moved == len(members):
            for index in range(moved):
                of[members[index]] = target[index]
                grown[target[index]] = True
            sizes[own] = 0.0
        else:
            for index in range(moved - 1, -1, -1):
                other = target[index]
                nodes[other] = before[index]
                loss[other] = loss_before[index]
                sizes[other] -= frequencies[members[index]]
