"""The lattice of generalisations: one level for each key, and the best node of it under a limit on suppression."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of


@dataclass(frozen=True, eq=False)
class Levels:
    """A key's levels: on level ℓ category c becomes `nodes[ℓ, c]` with the information loss `losses[ℓ, c]`, 0 to 1.

    The last category is the missing value: it becomes the root on every level and loses nothing.
    """

    nodes: NDArray[np.int64]
    losses: NDArray[np.float64]


class Generalisation(NamedTuple):
    """The level of each key, the suppressed records, the mean loss of a cell, and the number of nodes evaluated."""

    levels: tuple[int, ...]
    suppressed: NDArray[np.bool_]
    loss: float
    checked: int


def best_generalisation(
    codes: NDArray[np.int64], keys: Sequence[Levels], k: int, max_suppressed: int
) -> Generalisation | None:
    """The node of least loss whose classes all have k records after suppressing at most `max_suppressed` records.

    A suppressed record loses all its values. None if no node is feasible.
    """
    classes = class_of(codes)
    search = Search(codes[classes.first()], classes.sizes, keys, k, max_suppressed)
    found = search.best()
    if found is None:
        return None
    levels, loss = found
    cells = max(len(codes) * len(keys), 1)
    return Generalisation(levels, search.rare(levels)[classes.of], loss / cells, len(search.checked))


@dataclass(frozen=True, eq=False)
class Search:
    """The search over distinct records with their frequencies; `checked` has the loss of each node evaluated so far.

    Generalising only merges classes, so every node above a feasible one is feasible, and every node below an infeasible
    one is infeasible (predictive tagging). The loss without suppression is a lower bound of a node's loss.
    """

    rows: NDArray[np.int64]
    frequencies: NDArray[np.int64]
    keys: Sequence[Levels]
    k: int
    max_suppressed: int

    @cached_property
    def checked(self) -> dict[tuple[int, ...], float]:
        """The loss of each evaluated node over all cells, suppression included; infinite for an infeasible node."""
        return {}

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(key.nodes) for key in self.keys)

    @cached_property
    def status(self) -> NDArray[np.int8]:
        """1 for feasible nodes, -1 for infeasible ones, 0 for those not decided yet."""
        return np.zeros(self.shape, dtype=np.int8)

    @cached_property
    def bound(self) -> NDArray[np.float64]:
        """The loss of each node if nothing were suppressed."""
        total = np.zeros(self.shape)
        for index, key in enumerate(self.keys):
            by_level = key.losses[:, self.rows[:, index]] @ self.frequencies
            total += by_level.reshape([-1 if axis == index else 1 for axis in range(len(self.keys))])
        return total

    def best(self) -> tuple[tuple[int, ...], float] | None:
        """The feasible node of least loss, and its loss over all cells."""
        found: tuple[tuple[int, ...], float] | None = None
        for flat in np.argsort(self.bound, axis=None, kind="stable"):
            node = tuple(int(level) for level in np.unravel_index(flat, self.shape))
            if found is not None and self.bound[node] >= found[1]:
                break
            if self.status[node] == 0:
                self.settle(node)
            if self.status[node] > 0 and (found is None or self.check(node) < found[1]):
                found = node, self.check(node)
        return found

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
            rare = self.rare(node)
            loss = float(self.bound[node])
            for index, (key, level) in enumerate(zip(self.keys, node, strict=True)):
                codes = self.rows[rare, index]
                present = codes < key.nodes.shape[1] - 1
                loss += float(((1.0 - key.losses[level][codes]) * present) @ self.frequencies[rare])
            self.checked[node] = loss if self.frequencies[rare].sum() <= self.max_suppressed else np.inf
        return self.checked[node]

    def rare(self, node: tuple[int, ...]) -> NDArray[np.bool_]:
        """Which distinct records are in a class of fewer than k."""
        steps = enumerate(zip(self.keys, node, strict=True))
        classes = class_of(np.column_stack([key.nodes[level][self.rows[:, index]] for index, (key, level) in steps]))
        sizes = np.bincount(classes.of, weights=self.frequencies)
        rare: NDArray[np.bool_] = sizes[classes.of] < self.k
        return rare
