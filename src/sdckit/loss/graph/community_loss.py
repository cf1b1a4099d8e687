"""Community loss: how far the communities changed."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.communities import communities, modularity
from sdckit.loss.graph.certain_graph import drawn
from sdckit.loss.graph.graph_pair import in_original_order
from sdckit.measure import Need, Score, loss
from sdckit.release import Release


@loss(
    "community-loss",
    needs={Need.ROWS},
    domain=Graph,
    headline=5,
    heading="Communities changed",
    reference="newman2006",
)
class CommunityLoss(GraphMeasure):
    r"""How much less the original's communities explain the masked graph, and the masked graph's the original.

    Communities are found in either graph by greedy gain of modularity. The figure is the mean decrease of modularity
    when each graph is divided by the other's communities instead of its own; it is 0 where they fit as well. The
    details give both modularities and the adjusted Rand index of the two partitions.

    Formula: $\frac{1}{2} (\max(Q(G, c) - Q(G, c'), 0) + \max(Q(G', c') - Q(G', c), 0))$,  $Q$ the modularity of
    communities $c$ in $G$

    Use it when groups in the network are analysed.
    """

    drawn: ClassVar[bool] = True

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        original, masked = in_original_order(release)
        graphs = (original, drawn(masked, seed))
        found = [communities(graph.indptr, graph.indices) for graph in graphs]
        own = [modularity(graph.indptr, graph.indices, each) for graph, each in zip(graphs, found, strict=True)]
        other = [modularity(graph.indptr, graph.indices, each) for graph, each in zip(graphs, found[::-1], strict=True)]
        fall = [max(mine - theirs, 0.0) for mine, theirs in zip(own, other, strict=True)]
        return Score(
            float(np.mean(fall)),
            details={
                "modularity": own[0],
                "masked_modularity": own[1],
                "communities": int(found[0].max(initial=-1)) + 1,
                "masked_communities": int(found[1].max(initial=-1)) + 1,
                "adjusted_rand": adjusted_rand(found[0], found[1]),
            },
        )


def adjusted_rand(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """The agreement of two partitions beyond that of random ones: 1 where they are equal."""
    table = np.zeros((one.max() + 1, other.max() + 1))
    np.add.at(table, (one, other), 1)

    def pairs(counts: NDArray[np.float64]) -> float:
        return float((counts * (counts - 1) / 2).sum())

    together, rows, columns = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    total = pairs(np.array([float(len(one))]))
    expected = rows * columns / total if total else 0.0
    highest = (rows + columns) / 2
    return 1.0 if highest == expected else (together - expected) / (highest - expected)
