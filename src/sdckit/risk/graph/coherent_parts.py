"""Refinement begun again from a part of the graph that fits together.

Rounds get stuck where parts of a graph are matched each in its own way: of a circle one arc may be in its true position
and the next one turned by a step. All links within a part are preserved, so it is right or wrong as a whole. All nodes
outside one part get their first lists back, and rounds begin again. Of the results the one that preserves most edges
stays, which needs no truth.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.risk.graph.neighbour_refinement import Lists, Refinement, agreement, is_preserved, preserved, rounds_from

PARTS = 3  # from which rounds begin again: the largest
RESTARTS = 5  # one after the other, each from the parts of the best result so far
SMALLEST = 4  # nodes of a part
ENOUGH = 0.98  # of the edges kept: a result that preserves as many cannot be much improved
WORK = 8_000_000_000  # comparisons of a node with an edge, in all restarts


def restarted(known: Graph, released: Graph, kept: float, refinement: Refinement, last: Lists) -> tuple[Lists, int]:
    """The lists that preserve most edges after rounds begun again from parts of the last ones, and how many rounds."""
    best, share, further = last, preserved(known, released, last.likeliest), 0
    left = WORK // max(refinement.work * refinement.rounds, 1)
    for _ in range(RESTARTS):
        if share >= ENOUGH * kept:
            break
        parts = coherent_parts(known, released, best.likeliest)[: int(min(PARTS, left))]
        left -= len(parts)
        tried = [rounds_from(refinement, _within(part, best, refinement.first)) for part in parts]
        shares = [preserved(known, released, rounds[-1].likeliest) for rounds in tried]
        if not tried or max(shares) <= share:
            break
        rounds = tried[int(np.argmax(shares))]
        best, share, further = rounds[-1], max(shares), further + len(rounds) - 1
    return best, further


def coherent_parts(known: Graph, released: Graph, nodes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The parts joined by preserved edges between nodes of which at least the median of known edges is preserved.

    The largest first.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    by_node, _ = agreement(known, released, nodes)
    linked = known.degrees > 0
    if not linked.any():
        return []
    fits = linked & (by_node >= np.median(by_node[linked]))
    one, other = known.edges
    joined = is_preserved(known, released, nodes) & fits[one] & fits[other]
    links = csr_array((np.ones(int(joined.sum())), (one[joined], other[joined])), shape=(len(known),) * 2)
    _, part = connected_components(links, directed=False)
    sizes = np.bincount(part)
    largest = np.argsort(-sizes, kind="stable")
    return [np.flatnonzero(part == each) for each in largest[:PARTS] if sizes[each] >= SMALLEST]


def _within(part: NDArray[np.int64], lists: Lists, first: Lists) -> Lists:
    """The lists of a part, and the first ones of all other nodes."""
    nodes, scores, left_out = first.nodes.copy(), first.scores.copy(), first.left_out.copy()
    nodes[part], scores[part], left_out[part] = lists.nodes[part], lists.scores[part], lists.left_out[part]
    return Lists(nodes, scores, left_out)
