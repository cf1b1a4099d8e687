"""What is published of a group of records: the mean of numbers, the lowest common ancestor of categories."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.observed_groups import merged_by_observed
from sdckit.methods.category_trees import code_table, texts_of, tree_of, with_nodes
from sdckit.microdata import Attribute, Kind, Microdata


def positions(data: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
    """The position of each value: numbers themselves, categories in the order of the tree, missing as NaN."""
    out = np.empty((len(data), len(names)))
    for index, name in enumerate(names):
        attribute = data.attribute(name)
        if attribute.kind & Kind.ORDERED:
            out[:, index] = data.matrix([name])[:, 0]
            continue
        tree, texts = tree_of(attribute), texts_of(attribute)
        in_tree_order = sorted(range(len(texts)), key=lambda code: tree.ancestors(texts[code])[::-1])
        rank = np.empty(len(texts) + 1)
        rank[in_tree_order] = np.arange(len(texts))
        rank[-1] = np.nan
        out[:, index] = rank[data.columns[name]]
    return out


def lowest_common_ancestors(
    attribute: Attribute, codes: NDArray[np.int32], labels: NDArray[np.int64]
) -> tuple[Attribute, NDArray[np.int32]]:
    """Each observed category replaced by the lowest node above all those of its group; missing ones stay."""
    tree, texts = tree_of(attribute), texts_of(attribute)
    paths = [tree.ancestors(text)[::-1] for text in texts]
    depth = max(map(len, paths))
    nodes = list(dict.fromkeys(node for path in paths for node in path))
    number_of = {node: number for number, node in enumerate(nodes)}
    table = np.array([[number_of[path[min(level, len(path) - 1)]] for level in range(depth)] for path in paths])
    seen = np.flatnonzero(codes >= 0)
    seen = seen[np.argsort(labels[seen], kind="stable")]
    if not len(seen):
        return attribute, codes
    starts = np.flatnonzero(np.r_[True, np.diff(labels[seen]) > 0])
    levels = table[codes[seen]]
    agree = np.minimum.reduceat(levels, starts) == np.maximum.reduceat(levels, starts)
    deepest = np.cumprod(agree, axis=1).sum(axis=1) - 1
    common = levels[starts, deepest]
    used = [nodes[number] for number in np.unique(common)]
    coarser = with_nodes(attribute, used)
    code_of = np.zeros(len(nodes), dtype=np.int32)
    code_of[np.unique(common)] = code_table(coarser, used)
    out = codes.copy()
    out[seen] = np.repeat(code_of[common], np.diff(np.r_[starts, len(seen)]))
    return coarser, out


def groups_of_observed(data: Microdata, name: str, labels: NDArray[np.int64], group_size: int) -> NDArray[np.int64]:
    """The group of each record for one category: groups with too few observed values are merged with near ones."""
    return merged_by_observed(labels, ~data.absent(name), positions(data, [name])[:, 0], group_size)
