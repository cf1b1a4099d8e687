"""dK-2 graph: a random graph with the degrees of the original and as many edges between any two degrees."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, unchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.kernels.edge_switching import switched
from sdckit.masking import masking
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("dk2-graph", kind=Kind.ANY, reference="mahadevan2006", domain=Graph)
class Dk2Graph(GraphMasking):
    r"""Draw a random graph with the joint degree distribution of the original: its dK-2 series.

    Edges are switched at random wherever the number of edges between any two degrees stays. Degrees and assortativity
    are exact; clustering and communities are lost. An intruder who knows degrees and degrees of neighbours learns how
    common each combination is.

    Formula: $(a, b), (c, d) \to (a, d), (c, b)$ where $d_a = d_c$ or $d_b = d_d$;  $m'(j, k) = m(j, k)$ for all degrees
    $j, k$

    Use it when mixing by degree is analysed, such as who links to hubs.

    Weights are those of the original's edges, in random order.

    Excludes nothing: any two nodes whose degrees were linked somewhere may be linked.
    """

    weights = Weights.SHUFFLED

    switches: float = param(10.0, "successful switches for each edge", low=0, grid=(1.0, 10.0))

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        wanted = round(self.switches * graph.edge_count)
        keys, _ = switched(len(graph), graph.edge_keys, wanted, rng, graph.degrees, trials=20 * wanted)
        return graph.with_keys(keys)

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Degrees are unchanged; an edge that has partners to switch with stays with probability exp(−2 · switches)."""
        return GraphLaw(unchanged_degrees, max(float(np.exp(-2 * self.switches)), 0.05), weight_noise=None)
