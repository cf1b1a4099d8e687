"""Edge randomisation: random edges are deleted and as many random ones are added."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, exchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.kernels.random_pairs import absent_pairs
from sdckit.masking import masking
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("edge-randomisation", kind=Kind.ANY, reference="hay2007", domain=Graph)
class EdgeRandomisation(GraphMasking):
    r"""Delete a share of the edges at random and add as many between random pairs of nodes that had none.

    The number of edges is unchanged. Degrees of hubs fall and those of other nodes rise; the spectrum changes quickly.
    An intruder who knows the share weights every candidate by the probability that the known degree became the released
    one.

    Formula: $E' = (E \setminus D) \cup A$,  $|D| = |A| = \text{share} \cdot |E|$,  $D \subset E$ and $A \subset V^2
    \setminus E$ uniform

    Use it when a simple method with known probabilities is wanted and some loss of structure is acceptable.

    Directions are kept, and added edges lead from a random node to another. Edges that stay keep their weights, and
    added ones get those of the deleted ones in random order.

    Excludes nothing: any pair of nodes may be linked or not.
    """

    directions = True
    weights = Weights.CARRIED

    share: float = param(
        0.1, "edges deleted and added, as a share of all edges", low=0, high=1, grid=(0.02, 0.05, 0.1, 0.3)
    )

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        keys = graph.edge_keys
        count = self._exchanged(graph)
        if count <= 0:
            return graph.with_keys(keys)
        kept = np.ones(len(keys), dtype=bool)
        kept[rng.choice(len(keys), count, replace=False)] = False
        added = absent_pairs(len(graph), keys, count, rng, directed=graph.directed)
        return graph.with_keys(np.concatenate([keys[kept], added]))

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Of d edges a binomial number stays, and each of the other nodes is added with one probability."""
        common = known.edge_count - self._exchanged(known)
        return GraphLaw(exchanged_degrees(self.share, released), 1 - self.share, common=common)

    def _exchanged(self, graph: Graph) -> int:
        """How many edges are deleted, and as many added."""
        pairs = len(graph) * (len(graph) - 1) // (1 if graph.directed else 2)
        return min(round(self.share * graph.edge_count), pairs - graph.edge_count)
