"""Centrality loss: how far the betweenness of nodes changed."""

from typing import ClassVar

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.betweenness import betweenness
from sdckit.loss.graph.certain_graph import drawn
from sdckit.loss.graph.graph_pair import in_original_order
from sdckit.measure import Cost, Need, Score, loss
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release


@loss(
    "centrality-loss",
    needs={Need.ROWS},
    cost=Cost.SLOW,
    domain=Graph,
    heading="Centrality changed",
    reference="brandes2007",
)
class CentralityLoss(GraphMeasure):
    r"""Root mean squared change of the betweenness of nodes, as a share of its root mean square in the original.

    Betweenness counts the shortest paths through a node. In large graphs it is estimated from paths that start at some
    nodes, drawn at random and the same in both graphs; the standard error of the figure is in the details.

    Formula: $\sqrt{\frac{\sum_v (b'_v - b_v)^2}{\sum_v b_v^2}}$,  $b_v$ the betweenness of vertex $v$

    Use it when brokers, bottlenecks or influence are analysed.
    """

    drawn: ClassVar[bool] = True

    sources: int = param(200, "nodes from which paths start; 0: all", low=0, every=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        original, masked = in_original_order(release)
        masked = drawn(masked, seed)
        nodes = np.arange(len(original))
        sampled = bool(self.sources) and len(nodes) > self.sources
        if sampled:
            nodes = np.sort(child(generator(seed or 0), "sources").choice(nodes, self.sources, replace=False))
        halves = [nodes[0::2], nodes[1::2]]
        before, after = (
            [betweenness(each.indptr, each.indices, half) for half in halves] for each in (original, masked)
        )
        figure = _change(before[0] + before[1], after[0] + after[1])
        parts = [_change(one, other) for one, other in zip(before, after, strict=True)]
        return Score(
            figure,
            details={
                "sources": len(nodes),
                "standard_error": abs(parts[0] - parts[1]) / 2 if sampled else 0.0,
                "largest_betweenness": float((before[0] + before[1]).max(initial=0.0)),
                "masked_largest_betweenness": float((after[0] + after[1]).max(initial=0.0)),
            },
        )


def _change(before: np.ndarray, after: np.ndarray) -> float:
    size = float(np.sqrt((before**2).sum()))
    moved = float(np.sqrt(((after - before) ** 2).sum()))
    return moved / size if size else float(moved > 0)
