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
    """A key's levels: `nodes[ℓ, c]` is what category c becomes on level ℓ, `losses[ℓ, c]` what is lost by that, 0 to 1.

    The last category stands for a missing value: it is told as the root on every level, and loses nothing.
    """

    nodes: NDArray[np.int64]
    losses: NDArray[np.float64]


class Generalisation(NamedTuple):
    """The level of each key, which records are suppressed, and the mean loss of a cell."""

    levels: tuple[int, ...]
    suppressed: NDArray[np.bool_]
    loss: float
    checked: int


def best_generalisation(
    codes: NDArray[np.int64], keys: Sequence[Levels], k: int, most_suppressed: int
) -> Generalisation | None:
    """The node of least loss whose classes all have k records, but for at most so many records that are suppressed.

    A suppressed record loses all its values. None where no node will do.
    """
    classes = class_of(codes)
    search = Search(codes[classes.first()], classes.sizes, keys, k, most_suppressed)
    found = search.best()
    if found is None:
        return None
    levels, loss = found
    cells = max(len(codes) * len(keys), 1)
    return Generalisation(levels, search.rare(levels)[classes.of], loss / cells, len(search.checked))


@dataclass(frozen=True, eq=False)
class Search:
    """The distinct records and how often each is there; `checked` keeps the loss of each node that was looked at.

    With a generalisation classes only merge, so whatever lies above a node that will do will do too, and whatever lies
    below one that will not, will not (predictive tagging). The loss by generalising alone bounds a node's loss.
    """

    rows: NDArray[np.int64]
    times: NDArray[np.int64]
    keys: Sequence[Levels]
    k: int
    most_suppressed: int

    @cached_property
    def checked(self) -> dict[tuple[int, ...], float]:
        """The loss of a node over all cells, with what it suppresses; infinite where that is too much."""
        return {}

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(key.nodes) for key in self.keys)

    @cached_property
    def status(self) -> NDArray[np.int8]:
        """1 for nodes that will do, -1 for those that will not, 0 where it is not known yet."""
        return np.zeros(self.shape, dtype=np.int8)

    @cached_property
    def bound(self) -> NDArray[np.float64]:
        """The loss of each node if nothing were suppressed."""
        total = np.zeros(self.shape)
        for place, key in enumerate(self.keys):
            by_level = key.losses[:, self.rows[:, place]] @ self.times
            total += by_level.reshape([-1 if axis == place else 1 for axis in range(len(self.keys))])
        return total

    def best(self) -> tuple[tuple[int, ...], float] | None:
        """The node of least loss that will do, and its loss over all cells."""
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
        """Find where a path from the node to the top begins to do, by halving it."""
        path = self.path(node)
        low, high = 0, len(path)
        while low < high:
            middle = (low + high) // 2
            if self.will_do(path[middle]):
                high = middle
            else:
                low = middle + 1

    def path(self, node: tuple[int, ...]) -> list[tuple[int, ...]]:
        """From a node to the top, each step the one that loses least."""
        path = [node]
        while path[-1] != tuple(height - 1 for height in self.shape):
            ups = [
                (*path[-1][:place], level + 1, *path[-1][place + 1 :])
                for place, level in enumerate(path[-1])
                if level + 1 < self.shape[place]
            ]
            path.append(min(ups, key=lambda up: float(self.bound[up])))
        return path

    def will_do(self, node: tuple[int, ...]) -> bool:
        """Whether few enough records have to be suppressed."""
        if self.status[node] == 0:
            if np.isfinite(self.check(node)):
                self.status[tuple(slice(level, None) for level in node)] = 1
            else:
                self.status[tuple(slice(None, level + 1) for level in node)] = -1
        return bool(self.status[node] > 0)

    def check(self, node: tuple[int, ...]) -> float:
        """The loss of a node over all cells; infinite where too many records have to be suppressed."""
        if node not in self.checked:
            rare = self.rare(node)
            loss = float(self.bound[node])
            for place, (key, level) in enumerate(zip(self.keys, node, strict=True)):
                codes = self.rows[rare, place]
                present = codes < key.nodes.shape[1] - 1
                loss += float(((1.0 - key.losses[level][codes]) * present) @ self.times[rare])
            self.checked[node] = loss if self.times[rare].sum() <= self.most_suppressed else np.inf
        return self.checked[node]

    def rare(self, node: tuple[int, ...]) -> NDArray[np.bool_]:
        """Which distinct records are in a class of fewer than k."""
        steps = enumerate(zip(self.keys, node, strict=True))
        classes = class_of(np.column_stack([key.nodes[level][self.rows[:, place]] for place, (key, level) in steps]))
        sizes = np.bincount(classes.of, weights=self.times)
        rare: NDArray[np.bool_] = sizes[classes.of] < self.k
        return rare
