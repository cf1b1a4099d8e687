"""Classes split where parts of them satisfy the models one level further down the tree of a key."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import Classes, Rule
from sdckit.kernels.class_refinement import Partition, Tree
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.lattice_rows import totals


class Split(NamedTuple):
    """A split of classes by one key: the part of each row, which parts leave their class, and what each class gains."""

    part_of: NDArray[np.int64]
    leaves: NDArray[np.bool_]
    gain: NDArray[np.float64]


def split_classes(partition: Partition, rule: Rule) -> Partition:
    """Classes split as long as a part of one is sufficient at a lower node and what remains is sufficient, too.

    Each pass splits every class by the key that gains most. Parts that are not sufficient by themselves remain
    together; if that remainder is not sufficient, the smallest sufficient part stays with it.
    """
    while partition.count:
        rows = np.flatnonzero(partition.of >= 0)
        splits = [_split(partition, rule, rows, j) for j in range(len(partition.trees))]
        gains = np.column_stack([split.gain for split in splits])
        best = gains.argmax(axis=1)
        if not (gains.max(axis=1) > 1e-9).any():
            return partition
        of = partition.of.copy()
        new = partition.count
        for j, split in enumerate(splits):
            chosen = (best == j) & (gains[:, j] > 1e-9)
            moves = split.leaves[split.part_of] & chosen[partition.of[rows]]
            parts, numbers = np.unique(split.part_of[moves], return_inverse=True)
            of[rows[moves]] = new + numbers
            new += len(parts)
        partition = partition.with_classes(of)
    return partition


def _split(partition: Partition, rule: Rule, rows: NDArray[np.int64], j: int) -> Split:
    """The split of every class by key j."""
    tree, of = partition.trees[j], partition.of[rows]
    child = children(tree, partition.nodes[of, j], partition.table.rows[rows, j])
    parts = class_of(np.column_stack([of, child]))
    first = parts.first()
    owner, node = of[first], child[first]
    contents = _contents(partition, rows, parts.of, len(parts.sizes))
    leaves = rule.sufficient(contents) & (contents.sizes > 0)
    for _ in range(2):
        remain = _summed(contents, owner, ~leaves, partition.count)
        broken = ~rule.sufficient(remain) & (np.bincount(owner, ~leaves, partition.count) > 0)
        if not broken.any():
            break
        smallest = np.full(partition.count, np.inf)
        np.minimum.at(smallest, owner[leaves], contents.sizes[leaves])
        leaves &= ~(broken[owner] & (contents.sizes <= smallest[owner]))
    remain = _summed(contents, owner, ~leaves, partition.count)
    broken = ~rule.sufficient(remain) & (np.bincount(owner, ~leaves, partition.count) > 0)
    leaves &= ~broken[owner]
    saved = partition.weights[j] * (tree.losses[partition.nodes[owner, j]] - tree.losses[node]) * contents.sizes
    return Split(parts.of, leaves, totals(owner, np.where(leaves, saved, 0.0), partition.count))


def children(tree: Tree, nodes: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The node one level below a node on the way to a category, or the node itself at the end of the way."""
    paths = tree.paths[codes]
    depth = (paths == nodes[:, None]).argmax(axis=1)
    return np.asarray(paths[np.arange(len(codes)), np.minimum(depth + 1, paths.shape[1] - 1)], dtype=np.int64)


def _contents(partition: Partition, rows: NDArray[np.int64], of: NDArray[np.int64], classes: int) -> Classes:
    every = np.full(len(partition.of), -1, dtype=np.int64)
    every[rows] = of
    return partition.table.classes(every, classes)


def _summed(parts: Classes, owner: NDArray[np.int64], chosen: NDArray[np.bool_], classes: int) -> Classes:
    """The chosen parts of each class together."""
    counts = []
    for each in parts.counts:
        total = np.zeros((classes, each.shape[1]))
        np.add.at(total, owner[chosen], each[chosen])
        counts.append(total)
    return Classes(
        totals(owner[chosen], parts.sizes[chosen], classes),
        totals(owner[chosen], parts.population[chosen], classes),
        counts,
    )
