"""Strength loss: how far the sums of the weights of nodes' edges changed."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.loss.graph.graph_pair import in_original_order
from sdckit.measure import Need, Score, loss
from sdckit.release import Release


@loss(
    "strength-loss",
    needs={Need.ROWS},
    domain=Graph,
    heading="Strengths of nodes changed",
    reference="barrat2004",
)
class StrengthLoss(GraphMeasure):
    r"""Mean change of the sum of the weights of a node's edges, as a share of its mean in the original.

    Edges from and to a node are counted separately where they have directions. Without weights the strength of a node
    is its degree; where weights were not released, every edge counts as one of mean weight. In an uncertain graph every
    edge counts by its probability.

    Formula: $\frac{\sum_v |s'_v - s_v|}{\sum_v |s_v|}$,  $s_v = \sum_{u \sim v} w_{uv}$

    Use it when totals by node are analysed, such as traffic, calls or trade.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        original, masked = in_original_order(release, plain=False)
        weights = original.of_edges(original.weight)
        mean = float(weights.mean()) if len(weights) else 1.0
        after = masked.of_edges(masked.weight) if masked.weight is not None else np.full(masked.edge_count, mean)
        before, now = _sums(original, weights), _sums(masked, after * masked.of_edges(masked.probability))
        size, moved = float(np.abs(before).sum()), float(np.abs(now - before).sum())
        return Score(
            moved / size if size else float(moved > 0),
            details={"weighted": original.weight is not None, "weights_released": masked.weight is not None},
        )


def _sums(graph: Graph, weights: np.ndarray) -> np.ndarray:
    low, high = graph.edges
    out, into = (np.bincount(end, weights=weights, minlength=len(graph)) for end in (low, high))
    return np.column_stack([out, into] if graph.directed else [out + into])
