"""The levels and the tree of a key as arrays, with the loss of each node."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError, near_miss, private, private_text
from sdckit.hierarchy import ROOT, Hierarchy
from sdckit.kernels.class_refinement import Tree
from sdckit.kernels.lattice_rows import Levels
from sdckit.methods.category_trees import texts_of, tree_of
from sdckit.microdata import Attribute, Microdata


class GeneralisationLoss(Enum):
    """What a search minimises: a mean over cells, or a figure of the classes."""

    NCP = "ncp"
    PRECISION = "precision"
    ENTROPY = "entropy"
    DISCERNIBILITY = "discernibility"
    CLASS_SIZE = "class-size"

    @classmethod
    def from_text(cls, text: str) -> "GeneralisationLoss":
        """The loss of this name.

        >>> GeneralisationLoss.from_text("entropy")
        <GeneralisationLoss.ENTROPY: 'entropy'>
        """
        return cls(text)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False)
class NodeLoss:
    """The loss of a category that becomes a node of its tree, 0 to 1.

    NCP is the share of the other leaves that the node leaves possible, precision the share of its levels, and
    entropy the logarithm of how many more records of the file the node covers than the category, over that of all.
    """

    loss: GeneralisationLoss
    tree: Hierarchy
    texts: tuple[str, ...]
    frequencies: NDArray[np.float64]

    @cached_property
    def covered(self) -> dict[str, float]:
        """How many records each node covers."""
        total: dict[str, float] = {}
        for text, count in zip(self.texts, self.frequencies.tolist(), strict=True):
            for node in self.tree.ancestors(text):
                total[node] = total.get(node, 0.0) + count
        return total

    def of_node(self, node: str) -> float:
        """The loss of a node, up to a constant that depends on the category below it."""
        if self.loss is GeneralisationLoss.PRECISION:
            return 1.0 - (len(self.tree.ancestors(node)) - 1) / max(self.tree.height, 1)
        if self.loss is GeneralisationLoss.ENTROPY:
            total = max(float(self.frequencies.sum()), 2.0)
            return float(np.log(max(self.covered.get(node, 0.0), 1.0)) / np.log(total))
        return (len(self.tree.descendants(node)) - 1) / max(len(self.tree.leaves) - 1, 1)


def levels_of(
    attribute: Attribute,
    loss: GeneralisationLoss = GeneralisationLoss.NCP,
    frequencies: NDArray[np.float64] | None = None,
    *,
    missing_apart: bool = False,
) -> Levels:
    """What each category becomes on each level, up to the root, and what is lost by it.

    A missing value is grouped with the root, or, set apart, is a value of its own below the top level.
    """
    tree, texts = checked_tree(attribute), texts_of(attribute)
    height = max(len(tree.ancestors(text)) for text in texts)
    number = {ROOT: 0}
    nodes = np.zeros((height, len(texts) + 1), dtype=np.int64)
    losses = np.zeros((height, len(texts) + 1))
    counted = np.ones(len(texts)) if frequencies is None else frequencies
    of_node: dict[str, float] = {}
    cost = NodeLoss(loss, tree, texts, counted)
    for level in range(height):
        for code, text in enumerate(texts):
            node = tree.generalise(text, level)
            nodes[level, code] = number.setdefault(node, len(number))
            if node not in of_node:
                of_node[node] = cost.of_node(node)
            own = of_node.setdefault(text, cost.of_node(text)) if level else of_node[node]
            losses[level, code] = of_node[node] - (own if loss is not GeneralisationLoss.NCP else 0.0)
    if missing_apart:
        nodes[:-1, -1] = len(number)
    return Levels(nodes, losses)


def within_levels(levels: Levels, low: int, high: int | None) -> Levels:
    """The levels between two, inclusive; beyond the top there is only the top."""
    top = len(levels.nodes) - 1
    first = min(low, top)
    last = max(first, top if high is None else min(high, top))
    return Levels(levels.nodes[first : last + 1], levels.losses[first : last + 1])


def numbered_tree(
    attribute: Attribute, loss: GeneralisationLoss, frequencies: NDArray[np.float64], low: int, high: int | None
) -> tuple[Tree, tuple[str | None, ...]]:
    """The tree above the categories at their lowest level, and the nodes by number; None is the missing value.

    The first numbers are the codes of the categories, then that of the missing value, then the nodes above. A node that
    no category reaches between the levels has an infinite loss.
    """
    tree, texts = checked_tree(attribute), texts_of(attribute)
    names: list[str | None] = [*texts, None]
    number: dict[str | None, int] = {name: index for index, name in enumerate(names)}
    paths = [tuple(tree.ancestors(text)) for text in texts]
    for path in paths:
        for node in path:
            if node not in number:
                number[node] = len(names)
                names.append(node)
    released = {node for path in paths for node in path[min(low, len(path) - 1) : None if high is None else high + 1]}
    released |= {path[min(low, len(path) - 1)] for path in paths}
    cost = NodeLoss(loss, tree, texts, frequencies)
    losses = np.array([0.0 if node is None else cost.of_node(node) if node in released else np.inf for node in names])
    depth = max(max(map(len, paths)), 2)
    table = np.empty((len(texts) + 1, depth), dtype=np.int64)
    for code, path in enumerate(paths):
        lifted = [number[node] for node in path[min(low, len(path) - 1) :]][::-1]
        table[code] = [*lifted, *[lifted[-1]] * (depth - len(lifted))]
    table[-1] = [number[ROOT], *[len(texts)] * (depth - 1)]
    return Tree(table, losses), tuple(names)


def frequencies_of(data: Microdata, name: str) -> NDArray[np.float64]:
    """How often each category of an attribute occurs."""
    column = data.columns[name]
    categories = len(data.attribute(name).categories or ())
    return np.bincount(column[column >= 0], minlength=categories).astype(np.float64)


def checked_tree(attribute: Attribute) -> Hierarchy:
    """The hierarchy of an attribute; a category that it lacks is an error with the nearest one."""
    tree = tree_of(attribute)
    for text in texts_of(attribute):
        if text not in tree:
            hint = private_text(near_miss(text, tree.leaves))
            raise SchemaError(
                f"{attribute.name!r} has the category {private(text)}, which is not in its hierarchy{hint}; add it"
            )
    return tree
