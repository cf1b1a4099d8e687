"""Both files as records of numbers and nodes of trees, so that attributes of every kind can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.hierarchy import ROOT, category_text
from sdckit.intruder import AttackerView
from sdckit.kernels.mixed_tree import MixedRecords, Trees
from sdckit.microdata import Attribute, Kind, Microdata


@dataclass(frozen=True, eq=False)
class MixedSpace:
    """The known and the released records; `numbers` are the ordered attributes, scaled by the original's range."""

    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    known: MixedRecords
    released: MixedRecords
    trees: Trees


def mixed_space(view: AttackerView) -> MixedSpace:
    """Numbers on the scale of their range in the original, categories on the original's trees."""
    known, released = view.known, view.released
    numbers = view.names(Kind.ORDERED)
    categories = tuple(name for name in view.attributes if name not in numbers)
    scale = ranges(view.original.matrix(numbers))
    trees, known_nodes, released_nodes, before = [], [], [], 0
    for name in categories:
        attributes = known.attribute(name), released.attribute(name)
        node_of, tree = tree_nodes(view.original.attribute(name), attributes)
        trees.append(tree)
        known_nodes.append(nodes(known, name, node_of, before))
        released_nodes.append(nodes(released, name, node_of, before))
        before += len(node_of)
    return MixedSpace(
        numbers,
        categories,
        MixedRecords(known.matrix(numbers) / scale, side_by_side(known_nodes, len(known))),
        MixedRecords(released.matrix(numbers) / scale, side_by_side(released_nodes, len(released))),
        Trees.of(trees),
    )


def ranges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The range of each column; 1 where it does not vary, so that only equal values are near."""
    seen = ~np.isnan(values)
    low = np.where(seen, values, np.inf).min(axis=0, initial=np.inf)
    high = np.where(seen, values, -np.inf).max(axis=0, initial=-np.inf)
    return np.where(high > low, high - low, 1.0)


def tree_nodes(
    original: Attribute, attributes: Sequence[Attribute]
) -> tuple[dict[str, int], tuple[list[list[int]], int]]:
    """A number for each category of these attributes; the paths to them from below the root, and the tree's height."""
    node_of: dict[str, int] = {}
    for attribute in attributes:
        for category in attribute.categories or ():
            node_of.setdefault(category_text(category), len(node_of))
    step_of: dict[str, int] = {}
    tree = original.hierarchy
    paths = []
    for text in node_of:
        upwards = tree.ancestors(text) if tree is not None and text in tree else (text, ROOT)
        steps = [node for node in reversed(upwards) if node != ROOT]
        paths.append([step_of.setdefault(node, len(step_of)) for node in steps])
    return node_of, (paths, max(tree.height, 1) if tree is not None else 1)


def nodes(file: Microdata, name: str, node_of: dict[str, int], before: int) -> NDArray[np.int32]:
    """The node of each record's category, -1 where it is missing."""
    categories = file.attribute(name).categories or ()
    table = np.array([*(before + node_of[category_text(category)] for category in categories), -1], dtype=np.int32)
    of_record: NDArray[np.int32] = table[file.columns[name]]
    return of_record


def side_by_side(columns: list[NDArray[np.int32]], records: int) -> NDArray[np.int32]:
    """Columns as a matrix, which may have none."""
    return np.column_stack(columns) if columns else np.empty((records, 0), dtype=np.int32)
