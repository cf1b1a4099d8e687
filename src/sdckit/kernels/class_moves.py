"""Rows moved from costly classes to cheaper ones, one by one, as long as both classes satisfy the models."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import Classes, Rule
from sdckit.kernels.class_refinement import Partition

MOST_MOVES = 5_000  # rows that are tried, the costliest first: bounds the time
MOST_COMPARISONS = 20_000_000  # of these rows with classes
TRIED = 16  # classes that are tried for each row, the cheapest first


def move_rows(partition: Partition, rule: Rule) -> Partition:
    """The costliest rows moved to the class where they cost least among those that stay sufficient with them."""
    if partition.count < 2:
        return partition
    table, trees, lowest, of = partition.table, partition.trees, partition.lowest, partition.of.copy()
    nodes = partition.nodes.copy()
    sizes, population = partition.classes.sizes.copy(), partition.classes.population.copy()
    counts = [each.copy() for each in partition.classes.counts]
    loss = partition.loss_of(nodes)
    rows = np.flatnonzero(of >= 0)
    rows = rows[np.argsort(-loss[of[rows]], kind="stable")]
    rows = rows[: min(MOST_MOVES, MOST_COMPARISONS // partition.count)]
    for row in rows:
        own, frequency = int(of[row]), table.frequencies[row]
        joined = np.column_stack([tree.join(nodes[:, j], int(lowest[row, j])) for j, tree in enumerate(trees)])
        after = partition.loss_of(joined)
        cost = after * (sizes + frequency) - loss * sizes
        cost[(sizes == 0) | (np.arange(len(cost)) == own)] = np.inf
        order = np.argsort(cost, kind="stable")[:TRIED]
        order = order[cost[order] < loss[own] * frequency - 1e-9]
        if not len(order):
            continue
        ours = [each[row] for each in table.counts]
        remain = _one(
            sizes[own] - frequency,
            population[own] - table.population[row],
            [c[own] - o for c, o in zip(counts, ours, strict=True)],
        )
        if sizes[own] > frequency and not rule.sufficient(remain)[0]:
            continue
        grown = Classes(
            sizes[order] + frequency,
            population[order] + table.population[row],
            [c[order] + o for c, o in zip(counts, ours, strict=True)],
        )
        good = rule.sufficient(grown)
        if not good.any():
            continue
        other = int(order[np.flatnonzero(good)[0]])
        of[row] = other
        nodes[other], loss[other] = joined[other], after[other]
        for total, amount in ((sizes, frequency), (population, table.population[row]), *zip(counts, ours, strict=True)):
            total[own] -= amount
            total[other] += amount
    return partition.with_classes(of)


def _one(size: float, population: float, counts: list[NDArray[np.float64]]) -> Classes:
    return Classes(np.array([size]), np.array([population]), [each[None] for each in counts])
