"""The persons of the population whom the classes of a release cover, counted from the written values."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.hierarchy import ROOT
from sdckit.kernels.class_models import Classes
from sdckit.kernels.equivalence_classes import class_of
from sdckit.methods.category_trees import texts_of, tree_of
from sdckit.microdata import Attribute, Microdata


class Covered(NamedTuple):
    """How many persons each class covers, and how many no class covers."""

    by_class: NDArray[np.float64]
    by_none: float


def covered_population(data: Microdata, names: Sequence[str], nodes: Sequence[Sequence[str | None]]) -> Covered:
    """The records of the whole file that fit each class; `nodes` has for each key the node of each class.

    A missing key (None) fits everybody, and the root a person whose value is missing, too.
    """
    persons = class_of(data.codes(names).astype(np.int64))
    rows = data.codes(names)[persons.first()]
    keys = [_Key.of(data.attribute(name), of_key) for name, of_key in zip(names, nodes, strict=True)]
    depths = np.column_stack([key.depth for key in keys])
    by_class, covered = np.zeros(len(depths)), np.zeros(len(rows), dtype=bool)
    patterns = class_of(depths)
    for pattern, first in enumerate(patterns.first()):
        members = np.flatnonzero(patterns.of == pattern)
        fine = [index for index in range(len(keys)) if depths[first, index] > 0]
        own = [keys[index].node[members] for index in fine]
        theirs = [keys[index].path[rows[:, index], depths[first, index]] for index in fine]
        both = np.zeros((len(members) + len(rows), len(fine) + 1), dtype=np.int64)
        for column, (one, other) in enumerate(zip(own, theirs, strict=True)):
            both[:, column] = np.concatenate([one, other])
        cell = class_of(both).of
        total = np.bincount(cell[len(members) :], persons.sizes, int(cell.max()) + 1)
        by_class[members] = total[cell[: len(members)]]
        covered |= np.isin(cell[len(members) :], cell[: len(members)])
    return Covered(by_class, float(persons.sizes[~covered].sum()))


def with_population(classes: Classes, covered: Covered) -> Classes:
    """The classes with the persons whom each covers, and one without records for the persons whom none covers."""
    if not covered.by_none:
        return classes._replace(population=covered.by_class)
    return Classes(
        np.append(classes.sizes, 0.0),
        np.append(covered.by_class, covered.by_none),
        [np.vstack([counts, np.zeros_like(counts[:1])]) for counts in classes.counts],
    )


class _Key(NamedTuple):
    """The node of each class and its depth below the root, and the node of each original code at each depth."""

    node: NDArray[np.int64]
    depth: NDArray[np.int64]
    path: NDArray[np.int64]

    @classmethod
    def of(cls, attribute: Attribute, nodes: Sequence[str | None]) -> "_Key":
        tree = tree_of(attribute)
        paths = [tree.ancestors(text)[::-1] for text in texts_of(attribute)]
        number = {
            node: position for position, node in enumerate(dict.fromkeys(node for path in paths for node in path))
        }
        depth = {node: len(tree.ancestors(node)) - 1 for node in number}
        released = [ROOT if node is None else node for node in nodes]
        height = max(map(len, paths))
        path = np.full((len(paths) + 1, height), -1, dtype=np.int64)  # the last one is the missing value
        for code, above in enumerate(paths):
            path[code, : len(above)] = [number[node] for node in above]
        return cls(np.array([number[node] for node in released]), np.array([depth[node] for node in released]), path)
