"""Edge switching: pairs of edges exchange their ends, so that every degree stays."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, unchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.kernels.edge_switching import switched
from sdckit.masking import masking
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("edge-switching", kind=Kind.ANY, reference="ying2008", domain=Graph)
class EdgeSwitching(GraphMasking):
    r"""Exchange the ends of random pairs of edges, so that every node has as many neighbours as before.

    Two edges with four different ends are replaced where neither new edge exists. Every degree is unchanged, so an
    intruder who knows degrees learns as much as before; who is linked with whom becomes uncertain. Paths get shorter
    and clustering falls with the share of switches.

    Formula: $(a, b), (c, d) \to (a, d), (c, b)$

    Use it when degrees must be exact and links are what is to be hidden.

    Where edges have directions, as many lead from and to every node as before. Edges that are not switched keep their
    weights, and the others exchange theirs at random.

    Excludes nothing: any edge may have been switched.
    """

    directions = True
    weights = Weights.CARRIED

    share: float = param(0.5, "successful switches, as a share of the edges", low=0, grid=(0.1, 0.3, 0.5, 1.0))

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        wanted = round(self.share * graph.edge_count)
        keys, _ = switched(len(graph), graph.edge_keys, wanted, rng, directed=graph.directed)
        return graph.with_keys(keys)

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Degrees are unchanged; an edge is in none of the switches with probability exp(−2 · share)."""
        return GraphLaw(unchanged_degrees, float(np.exp(-2 * self.share)))
