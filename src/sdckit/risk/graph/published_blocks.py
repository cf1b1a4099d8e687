"""What published blocks leave open: who is in which block can be recognised, and not who is who within one."""

import numpy as np
from numpy.typing import NDArray

from sdckit.graph_law import Floats, GraphLaw
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.kernels.triangles import triangles
from sdckit.matching.posterior import posterior
from sdckit.risk.graph.claims import BLOCK, TIE, Claims, claims_by_shares, claims_of, joined
from sdckit.risk.graph.known_graph import KnownGraph
from sdckit.risk.graph.neighbour_refinement import JOINT, Lists, finite_rows, listed
from sdckit.risk.graph.node_attributes import NodeAttributes

ROUNDS = 8  # of refinement, after which nodes that look alike count as exchangeable in the original


def claims_by_block(view: KnownGraph, law: GraphLaw, rows: NDArray[np.int64], targets: NDArray[np.int64]) -> Claims:
    """The claims of an intruder who has recognised the blocks by the numbers of edges within and between them.

    How long that takes is not relied upon: an intruder who searches long enough finds the partition of the known graph
    that has the published counts. What stays open is who is who within a block, and which of several nodes that have
    the same position in the original is in which block. So no intruder who sees the links alone finds more.
    """
    assert law.blocks is not None
    kind = _exchangeable(view)
    there = rows >= 0
    blocks = int(law.blocks.max(initial=0)) + 1
    block = np.where(there, law.blocks[np.maximum(rows, 0)], -1)
    pairs, count = np.unique(kind[there] * blocks + block[there], return_counts=True)
    alike = np.bincount(kind)
    released = np.bincount(law.blocks, minlength=blocks)
    of_row = count / alike[pairs // blocks] / np.maximum(released, law.block_size)[pairs % blocks]
    top = np.zeros(len(alike))
    np.maximum.at(top, pairs // blocks, of_row)
    tied = of_row >= top[pairs // blocks] * (1 - TIE)
    tied_rows = np.bincount(pairs // blocks, weights=tied * released[pairs % blocks], minlength=len(alike))
    entropy = np.bincount(
        pairs // blocks, weights=-of_row * np.log(of_row) * released[pairs % blocks], minlength=len(alike)
    )
    own = np.searchsorted(pairs, kind[targets] * blocks + block[targets])
    own = np.minimum(own, max(len(pairs) - 1, 0))
    hit = there[targets] & tied[own]
    # A row of a block that lost rows may be that of a node which has none.
    share = np.minimum(released, law.block_size)[np.maximum(block[targets], 0)] / law.block_size
    return Claims(
        top[kind[targets]],
        np.where(hit, np.minimum(share, 1.0) / np.maximum(tied_rows[kind[targets]], 1.0), 0.0),
        np.where(there[targets], of_row[own], 0.0),
        np.exp(entropy[kind[targets]]),
    )


def claims_within_blocks(
    view: KnownGraph,
    law: GraphLaw,
    attributes: NodeAttributes,
    rows: NDArray[np.int64],
    targets: NDArray[np.int64],
    rng: np.random.Generator,
) -> Claims:
    """The claims of the same intruder, who recognises nodes within blocks by their attributes."""
    from scipy.sparse import csr_array

    assert law.blocks is not None
    kind, blocks = _exchangeable(view), int(law.blocks.max(initial=0)) + 1
    there = rows >= 0
    pairs, count = np.unique(kind[there] * blocks + law.blocks[rows[there]], return_counts=True)
    count_of = csr_array((count, (pairs // blocks, pairs % blocks)), shape=(int(kind.max(initial=0)) + 1, blocks))
    size = np.maximum(np.bincount(law.blocks, minlength=blocks), law.block_size)

    def scores(nodes: NDArray[np.int64]) -> Floats:
        with np.errstate(divide="ignore"):
            of_block = np.log(count_of[kind[nodes]].todense() / size)
        return np.asarray(of_block[:, law.blocks] + attributes.of_nodes(nodes))

    if len(view.known) != len(view.released) or len(view.known) > JOINT or len(view.targets) < len(view.known):
        parts = []
        for start in range(0, len(targets), BLOCK):
            some = targets[start : start + BLOCK]
            weights = np.exp(finite_rows(scores(some)))
            weights /= weights.sum(axis=1, keepdims=True)
            every = np.arange(len(view.released))
            parts.append(claims_of(weights, np.ones(len(every), dtype=np.int64), every, rows[some]))
        return joined(parts)
    nodes = np.arange(len(view.known))
    lists = Lists.joined([listed(scores(nodes[start : start + BLOCK])) for start in range(0, len(nodes), BLOCK)])
    graph = lists.graph()
    alike = class_of(np.column_stack([kind, attributes.of_known])).of
    found = posterior(graph, rng, alike, targets)
    shares = csr_array((found.probability, graph.classes, graph.starts), shape=(len(nodes), len(nodes)))
    return claims_by_shares(shares, targets, None, rows[targets])


def _exchangeable(view: KnownGraph) -> NDArray[np.int64]:
    """The kind of each known node: nodes that look alike in the original count as exchangeable."""
    known = view.known.plain
    start = triangles(known.indptr, known.indices).astype(np.uint64)
    _, kind = np.unique(refined(known.indptr, known.indices, ROUNDS, start)[-1], return_inverse=True)
    return kind
