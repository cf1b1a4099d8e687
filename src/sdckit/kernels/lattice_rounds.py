"""Local recoding by rounds of lattice search: each round releases the classes that the least generalised node makes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import ConfidentialModel, Rule
from sdckit.kernels.lattice_rows import Lattice, RowTable

NOTHING = np.iinfo(np.int64).max


def classes_by_rounds(
    table: RowTable, lattice: Lattice, rule: Rule, weights: Sequence[float], share: float
) -> NDArray[np.int64]:
    """The class of each row; −1 for rows that satisfy the rule on no node.

    A round takes the node of least loss on which at least this share of the remaining records is in sufficient
    classes, and releases these. Rows without records, which belong to the population only, go with their
    class where the rule counts the population, and stay −1 otherwise. A node that released few records releases no more
    later, as records only leave; the nodes below it release no more than it. For models that a smaller class can
    satisfy and a larger one violate this is a rule of thumb that saves time: it decides what is tried, never what is
    released.
    """
    of = np.full(len(table.rows), -1, dtype=np.int64)
    most = np.full(lattice.shape, NOTHING)  # how many records each node can still release
    index = np.arange(len(table.rows))
    left, classes = table, 0
    while left.frequencies.any():
        needed = max(share * float(left.frequencies.sum()), 1.0)
        order = np.argsort(_losses(left, lattice, weights), axis=None, kind="stable")
        order = order[most.ravel()[order] >= needed]
        for flat in order:
            node = np.unravel_index(flat, lattice.shape)
            if most[node] < needed:
                continue
            cells, good = _sufficient(left, lattice, rule, [int(level) for level in node])
            ready = good[cells] & (left.frequencies > 0)
            released = float(left.frequencies[ready].sum())
            below = tuple(slice(None, level + 1) for level in node)
            if released >= needed:
                most[below] = 0
                break
            most[below] = np.minimum(most[below], int(released))
        else:
            break
        if rule.of_population:
            ready = np.isin(cells, cells[ready])
        _, numbers = np.unique(cells[ready], return_inverse=True)
        of[index[ready]] = classes + numbers
        classes += int(numbers.max()) + 1
        index, left = index[~ready], left.some(~ready)
    return of


def _losses(table: RowTable, lattice: Lattice, weights: Sequence[float]) -> NDArray[np.float64]:
    """The loss of all records on each node."""
    total = np.zeros(lattice.shape)
    for index, key in enumerate(lattice.keys):
        frequency = np.bincount(table.rows[:, index], table.frequencies, key.nodes.shape[1])
        by_level = weights[index] * (key.losses @ frequency)
        total += by_level.reshape([-1 if axis == index else 1 for axis in range(len(lattice.shape))])
    return total


def _sufficient(
    table: RowTable, lattice: Lattice, rule: Rule, node: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The class of each row on a node and which classes satisfy the rule; small classes are ruled out first."""
    cells = lattice.cells(table.rows, node)
    sizes = np.bincount(cells.of, table.frequencies, len(cells.sizes))
    large = (sizes >= rule.smallest) & (sizes > 0)
    if not any(isinstance(model, ConfidentialModel) for model in rule.of_classes):
        bare = table._replace(counts=[])
        return cells.of, large & rule.sufficient(bare.classes(cells.of, len(cells.sizes)))
    number = np.cumsum(large) - 1
    some = np.where(large[cells.of], number[cells.of], -1)
    good = np.zeros(len(large), dtype=bool)
    good[large] = rule.sufficient(table.classes(some, int(large.sum())))
    return cells.of, good
