"""Drop weights: edges are released without their weights."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, unchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.masking import masking
from sdckit.microdata import Kind


@masking("drop-weights", kind=Kind.ANY, reference="liu2009", domain=Graph)
class DropWeights(GraphMasking):
    r"""Release who is linked with whom and not how strongly.

    The edges and their directions stay. A graph without weights is unchanged. A weight that few other edges have
    identifies its two ends, so weights that are not analysed should not be released.

    Formula: $E' = E$, $w'$ is not released

    Use it when strengths of links are not analysed, before a method that does not protect weights.

    Excludes nothing: an edge may have had any weight.
    """

    directions = True
    weights = Weights.OWN

    def idle(self, graph: Graph) -> str | None:
        return "the edges have no weights" if graph.weight is None else None

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        return graph.with_weights(None)

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Every edge stays, without its weight."""
        return GraphLaw(unchanged_degrees, 1.0, weight_noise=None)
