"""Edge weight noise: the weights of edges are multiplied by random factors; the edges stay."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, unchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.masking import masking
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("edge-weight-noise", kind=Kind.ANY, reference="liu2009", domain=Graph)
class EdgeWeightNoise(GraphMasking):
    r"""Multiply the weight of every edge by a random factor around 1.

    Weights that are all whole numbers are rounded to whole numbers again, and none changes its sign. Sums of weights
    over many edges are approximately unchanged, and so are shortest paths where weights differ much. Edges and degrees
    are exact, so it protects weights only: combine it with a method that masks edges. A graph without weights is
    unchanged.

    Formula: $w'_e = w_e \cdot \max(1 + \varepsilon_e, 0)$,  $\varepsilon_e \sim N(0, \text{noise}^2)$

    Use it when strengths of links are confidential and approximate strengths are sufficient.

    Excludes nothing: a weight may have been any other of the same sign.
    """

    directions = True
    weights = Weights.OWN

    noise: float = param(0.2, "standard deviation of the factor of a weight (σ)", low=0, grid=(0.05, 0.1, 0.2, 0.5))

    def idle(self, graph: Graph) -> str | None:
        return "the edges have no weights" if graph.weight is None else None

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        if graph.weight is None:
            return graph
        weights = graph.of_edges(graph.weight)
        noisy = weights * np.maximum(1 + self.noise * rng.standard_normal(len(weights)), 0.0)
        whole = bool((weights == np.round(weights)).all())
        return graph.with_weights(np.round(noisy) if whole else noisy)

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Every edge stays, and weights have an error in proportion to them."""
        return GraphLaw(unchanged_degrees, 1.0, weight_noise=self.noise)
