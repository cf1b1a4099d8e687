"""What published blocks leave open: who is in which block can be recognised, and not who is who within one."""

import numpy as np
from numpy.typing import NDArray

from sdckit.graph_law import GraphLaw
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.kernels.triangles import triangles
from sdckit.risk.graph.claims import TIE, Claims
from sdckit.risk.graph.known_graph import KnownGraph

ROUNDS = 8  # of refinement, after which nodes that look alike count as exchangeable in the original


def claims_by_block(view: KnownGraph, law: GraphLaw, rows: NDArray[np.int64], targets: NDArray[np.int64]) -> Claims:
    """The claims of an intruder who has recognised the blocks by the numbers of edges within and between them.

    How long that takes is not relied upon: an intruder who searches long enough finds the partition of the known graph
    that has the published counts. What stays open is who is who within a block, and which of several nodes that have
    the same position in the original is in which block. So no intruder who sees the links alone finds more.
    """
    assert law.blocks is not None
    known = view.known.plain
    start = triangles(known.indptr, known.indices).astype(np.uint64)
    _, kind = np.unique(refined(known.indptr, known.indices, ROUNDS, start)[-1], return_inverse=True)
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
