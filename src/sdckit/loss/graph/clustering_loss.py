"""Clustering loss: how far triangles among neighbours changed."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.expected_clustering import expected_clustering, expected_transitivity
from sdckit.kernels.triangles import clustering, transitivity, triangles
from sdckit.loss.graph.graph_pair import graph_pair
from sdckit.measure import Score, loss
from sdckit.release import Release


@loss("clustering-loss", domain=Graph, headline=3, heading="Clustering changed", reference="watts1998")
class ClusteringLoss(GraphMeasure):
    r"""Change of the mean clustering coefficient and of transitivity, on average.

    The clustering coefficient of a node is the share of the pairs of its neighbours that are linked; transitivity is
    the share of all paths of two edges that are closed. Random changes of edges destroy triangles before they affect
    other statistics. For an uncertain graph the mean coefficient is the expected one, and transitivity the share of the
    expected number of such paths that are closed.

    Formula: $\frac{1}{2} (|\bar{c} - \bar{c}'| + |t - t'|)$,  $\bar{c}$ the mean local clustering coefficient, $t$ the
    transitivity

    Use it when groups, cliques or friends of friends are analysed.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        means, closed = zip(*(_clustering(graph) for graph in graph_pair(release)), strict=True)
        return Score(
            (abs(means[0] - means[1]) + abs(closed[0] - closed[1])) / 2,
            details={
                "mean_clustering": means[0],
                "masked_mean_clustering": means[1],
                "transitivity": closed[0],
                "masked_transitivity": closed[1],
            },
        )


def _clustering(graph: Graph) -> tuple[float, float]:
    """The mean clustering coefficient and the transitivity; sums do not show the order of the nodes."""
    if graph.probability is not None:
        adjacency = graph.indptr, graph.indices, graph.probability
        return float(np.sort(expected_clustering(*adjacency)).mean()), expected_transitivity(*adjacency)
    count = triangles(graph.indptr, graph.indices)
    return float(np.sort(clustering(count, graph.degrees)).mean()), transitivity(count, graph.degrees)
