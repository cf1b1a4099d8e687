"""Configuration graph: a random simple graph with the degrees of the original."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, unchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.kernels.degree_realisation import random_realisation
from sdckit.masking import masking
from sdckit.microdata import Kind


@masking("configuration-graph", kind=Kind.ANY, reference="molloy1995", domain=Graph)
class ConfigurationGraph(GraphMasking):
    """Draw a random simple graph in which every node has the degree that it has in the original.

    Ends of edges are paired at random; self-loops and repeated edges are exchanged with random other edges. Degrees are
    exact, and nothing else of the structure is kept: no link can be inferred, but a node of a rare degree is still
    recognised by it, with its attributes.

    Formula: $P(G')$ uniform over simple graphs with $d'_v = d_v$, up to the exchange of repeated edges

    Use it when only degrees matter, or as a baseline for what degrees alone disclose.

    Weights are those of the original's edges, in random order.

    Excludes nothing: any two nodes may be linked.
    """

    weights = Weights.SHUFFLED

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        return graph.with_keys(random_realisation(graph.degrees, rng))

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Degrees are unchanged; the edges are drawn anew."""
        return GraphLaw(unchanged_degrees, 0.0, weight_noise=None)
