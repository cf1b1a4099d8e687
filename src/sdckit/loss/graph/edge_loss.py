"""Edge loss: edges that are not in both graphs."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.loss.graph.graph_pair import edge_weights, in_original_order
from sdckit.measure import Need, Score, loss
from sdckit.release import Release


@loss(
    "edge-loss",
    needs={Need.ROWS},
    domain=Graph,
    headline=1,
    heading="Edges that differ",
    reference="liu2008",
)
class EdgeLoss(GraphMeasure):
    r"""Share of the edges of either graph that the other one lacks.

    In an uncertain graph every edge counts by its probability. Where directions were dropped, every released edge
    counts as one in each direction, so that an edge in one direction becomes two, one of which is new. The details give
    the share of the original's edges that are kept and the share of the masked graph's edges that are new.

    Formula: $1 - \frac{|E \cap E'|}{|E \cup E'|}$

    Use it when single links are analysed.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        original, masked = in_original_order(release, plain=False, both_ways=True)
        keys, others = original.edge_keys, masked.edge_keys
        weights = edge_weights(masked)
        at = np.searchsorted(keys, others)
        shared = (at < len(keys)) & (keys[np.minimum(at, len(keys) - 1)] == others) if len(keys) else others < 0
        both, new = float(weights[shared].sum()), float(weights[~shared].sum())
        union = len(keys) + new
        return Score(
            1 - both / union if union else 0.0,
            details={
                "edges": len(keys),
                "masked_edges": float(weights.sum()),
                "kept": both / len(keys) if len(keys) else 1.0,
                "new": new / (both + new) if both + new else 0.0,
            },
        )
