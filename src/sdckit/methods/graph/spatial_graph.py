"""Spatial graph: nodes on a map, linked to near ones, with the degrees of the original."""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, unchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.kernels.degree_realisation import random_realisation
from sdckit.kernels.degree_sequences import violation
from sdckit.kernels.spatial_pairs import spatial_edges
from sdckit.masking import masking
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("spatial-graph", kind=Kind.ANY, reference="torra2018", domain=Graph)
class SpatialGraph(GraphMasking):
    """Draw a synthetic graph with the degrees of the original, whose edges join nodes that are near on a map.

    Nodes are placed by a density with a number of towns; those of high degree first, each is linked to near nodes that
    still need edges. Surplus edges (loops and repeated ones) are exchanged with others at the least added length, so
    degrees are exact. Clustering is high, as in social networks, while no edge of the original is used.

    Formula: $d'_v = d_v$ for every $v$;  edge lengths about least

    Use it when a graph that looks like a social network is needed, with these degrees and no real link.

    Weights are those of the original's edges, in random order.

    Excludes nothing: any two nodes may be near.
    """

    weights = Weights.SHUFFLED

    towns: int = param(10, "towns of the density that places the nodes; 1: one round cloud", low=1, grid=(1, 10))
    reach: float = param(
        0.3, "how far an edge may pass over nearer nodes; 0: the nearest free node", low=0, grid=(0.0, 0.3, 1.0)
    )

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        return graph.with_keys(spatial_graph(graph.degrees, self.towns, self.reach, rng))

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Degrees are unchanged; no edge of the original is used."""
        return GraphLaw(unchanged_degrees, 0.0, weight_noise=None)


def spatial_graph(degrees: NDArray[np.int64], towns: int, reach: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """The edges of a spatial graph with exactly these degrees; an error where no graph has them."""
    broken = violation(degrees)
    if broken is not None:
        raise SchemaError(f"no simple graph has these degrees: {broken}; change the degrees")
    if not degrees.sum():
        return np.zeros(0, dtype=np.int64)
    centres = rng.standard_normal((towns, 2)) * np.sqrt(towns)
    positions = centres[rng.integers(0, towns, len(degrees))] + rng.standard_normal((len(degrees), 2))
    keys = spatial_edges(degrees, positions, reach, rng)
    return keys if keys is not None else random_realisation(degrees, rng)
