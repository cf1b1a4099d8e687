"""Drop directions: edges are released without saying which way they lead."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, unchanged_degrees
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.masking import masking
from sdckit.microdata import Kind


@masking("drop-directions", kind=Kind.ANY, reference="hay2008", domain=Graph)
class DropDirections(GraphMasking):
    r"""Release who is linked with whom and not in which direction.

    Two edges that lead both ways between two nodes become one; their weights are added up. A graph without directions
    is unchanged. Incoming and outgoing links can no longer be distinguished, and methods that need edges without
    directions can follow.

    Formula: $E' = \{\{u, v\} : (u, v) \in E \text{ or } (v, u) \in E\}$

    Use it when directions are not analysed, before a method that masks edges without directions.

    Excludes nothing: an edge may have led either way.
    """

    directions = True
    weights = Weights.OWN

    def idle(self, graph: Graph) -> str | None:
        return None if graph.directed else "the edges have no directions"

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        return graph.undirected

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Every link stays, and its directions are no part of what is compared."""
        return GraphLaw(unchanged_degrees, 1.0)
