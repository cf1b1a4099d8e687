"""Candidates by attributes in graphs that are too large to compare all pairs of nodes."""

import numpy as np
from numpy.typing import NDArray

from sdckit.graph_law import Floats
from sdckit.risk.graph.node_attributes import NodeAttributes

Indices = NDArray[np.int64]
BLOCK = 4_096  # nodes whose candidates are scored at a time: bounds memory


def nearest_by_attributes(attributes: NodeAttributes, known: Floats, released: Floats, most: int) -> Indices:
    """So many released nodes of the likeliest attributes for each known node; of equal ones those nearest by features.

    Where a node has fewer, the last one is repeated.
    """
    from scipy.spatial import cKDTree

    listed = attributes.likeliest
    order = np.argsort(attributes.of_released, kind="stable")
    starts = np.searchsorted(attributes.of_released[order], np.arange(len(attributes.law.rows.sizes) + 1))
    sizes = np.diff(starts)
    out = np.full((len(known), most), -1, dtype=np.int64)
    filled = np.zeros(len(known), dtype=np.int64)
    by_class = np.argsort(attributes.of_known, kind="stable")
    firsts = np.searchsorted(attributes.of_known[by_class], np.arange(len(attributes.first) + 1))
    trees: dict[int, cKDTree] = {}
    for number in range(len(attributes.first)):
        nodes = by_class[firsts[number] : firsts[number + 1]]
        span = slice(listed.starts[number], listed.starts[number + 1])
        best = listed.classes[span][np.argsort(-listed.log_likelihood[span], kind="stable")]
        for each in best:
            room = most - (filled[nodes[0]] if len(nodes) else most)
            if room <= 0:
                break
            rows = order[starts[each] : starts[each + 1]]
            take = min(room, len(rows))
            if not take:
                continue
            if sizes[each] > take:
                tree = trees.setdefault(int(each), cKDTree(released[rows]))
                _, near = tree.query(known[nodes], k=take)
                rows = rows[np.asarray(near).reshape(len(nodes), take)]
            at = int(filled[nodes[0]])
            out[nodes, at : at + take] = rows
            filled[nodes] += take
    last = np.take_along_axis(out, np.maximum(filled - 1, 0)[:, None], 1)
    return np.where(out >= 0, out, np.maximum(last, 0))


def best_by_attributes(attributes: NodeAttributes, nodes: Indices, scores: Floats) -> tuple[Indices, Floats]:
    """Of candidates with scores by links the best, with scores by links and attributes; each candidate once."""
    from sdckit.risk.graph.neighbour_refinement import LISTED

    most = min(LISTED, nodes.shape[1])
    best, top = np.empty((len(nodes), most), dtype=np.int64), np.empty((len(nodes), most))
    for start in range(0, len(nodes), BLOCK):
        some = slice(start, min(start + BLOCK, len(nodes)))
        order = np.lexsort((-scores[some], nodes[some]))
        candidate, score = np.take_along_axis(nodes[some], order, 1), np.take_along_axis(scores[some], order, 1)
        again = np.hstack([np.zeros((len(candidate), 1), dtype=bool), candidate[:, 1:] == candidate[:, :-1]])
        known = np.repeat(np.arange(some.start, some.stop), candidate.shape[1])
        total = score + attributes.of_pairs(known, candidate.ravel()).reshape(candidate.shape)
        total[again] = -np.inf
        chosen = np.sort(np.argpartition(-total, most - 1, axis=1)[:, :most], axis=1)
        best[some], top[some] = np.take_along_axis(candidate, chosen, 1), np.take_along_axis(total, chosen, 1)
    return best, top
