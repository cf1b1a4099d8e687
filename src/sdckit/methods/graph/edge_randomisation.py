"""Edge randomisation: random edges are deleted and as many random ones are added."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, exchanged_degrees
from sdckit.graph_masking import GraphMasking
from sdckit.kernels.random_pairs import absent_pairs
from sdckit.masking import masking
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("edge-randomisation", kind=Kind.ANY, reference="hay2007", domain=Graph)
class EdgeRandomisation(GraphMasking):
    r"""Delete a share of the edges at random and add as many between random pairs of nodes that had none.

    The number of edges is unchanged. Degrees of hubs fall and those of others rise; the spectrum moves fast. An
    intruder who knows the share weighs every candidate by how likely its degree became what it is.

    Formula: $E' = (E \setminus D) \cup A$,  $|D| = |A| = \text{share} \cdot |E|$,  $D \subset E$ and $A \subset V^2
    \setminus E$ uniform

    Use it when a simple method with a law that everybody can compute is worth some structure.

    Excludes nothing: any pair of nodes may be linked or not.
    """

    share: float = param(
        0.1, "edges deleted and added, as a share of all edges", low=0, high=1, grid=(0.02, 0.05, 0.1, 0.3)
    )

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        keys = graph.edge_keys
        count = min(round(self.share * len(keys)), pairs_of(len(graph)) - len(keys))
        if count <= 0:
            return graph.with_keys(keys)
        kept = np.ones(len(keys), dtype=bool)
        kept[rng.choice(len(keys), count, replace=False)] = False
        return graph.with_keys(np.concatenate([keys[kept], absent_pairs(len(graph), keys, count, rng)]))

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Of d edges a binomial number stays, and each of the other nodes is added with one probability."""
        return GraphLaw(exchanged_degrees(self.share, len(released), released.edge_count), 1 - self.share)


def pairs_of(nodes: int) -> int:
    """The number of pairs of nodes."""
    return nodes * (nodes - 1) // 2
