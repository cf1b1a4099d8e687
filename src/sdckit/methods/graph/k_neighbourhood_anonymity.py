"""k-neighbourhood anonymity: every pattern of links among neighbours occurs at least k times."""

from collections.abc import Sequence

import numpy as np

from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.graph_masking import GraphMasking
from sdckit.kernels.neighbourhood_anonymity import anonymous_neighbourhoods
from sdckit.masking import masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param

LARGEST = 2_000  # nodes up to which the search ends in minutes


@masking("k-neighbourhood-anonymity", kind=Kind.ANY, reference="zhou2008", domain=Graph)
class KNeighbourhoodAnonymity(GraphMasking):
    r"""Add edges so that for every node at least `group_size` − 1 others have neighbours linked in the same way.

    Nodes of large neighbourhoods come first: each is grouped with similar ones, and the links that one member has among
    its neighbours are added to the others. An added edge may change groups that were complete, so that in dense graphs
    many edges are added. Patterns are compared by refinement, which is exact up to five neighbours and nearly so above.

    Formula: $E' \supseteq E$ with $|\{u : G'[N'(u)] \cong G'[N'(v)]\}| \ge k$ for every $v$

    Use it when whole neighbourhoods may be known, in sparse graphs of up to 2,000 nodes.

    Excludes nothing: any two nodes may have been linked. Degrees only rise.
    """

    searches = True

    group_size: int = param(3, "nodes with the same neighbourhood, at least (the paper's k)", low=1, grid=(2, 3))

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """No attribute; an error where there are too few nodes for a group, or too many for the search."""
        graph = self.graph(data, attributes)
        if len(graph) < self.group_size:
            raise SchemaError(
                f"{self.name} needs groups of {self.group_size} nodes, and the graph has {len(graph)}; use a smaller "
                "group_size"
            )
        if len(graph) > LARGEST:
            raise SchemaError(
                f"{self.name} compares all neighbourhoods with each other, and {len(graph):,} nodes are too many; use "
                "k-degree-anonymity or graph-generalisation"
            )
        return ()

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        self.applicable(graph, ())
        return graph.with_keys(anonymous_neighbourhoods(graph.indptr, graph.indices, self.group_size, rng))

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """Degrees never fall, and small rises are likelier; every edge of the original stays."""
        mean_rise = max(float(released.degrees.mean() - known.degrees.mean()), 0.1) if len(known) else 1.0

        def log_degree(known_degree: Floats, released_degree: Floats) -> Floats:
            rise = released_degree.T - known_degree
            return np.where(rise >= 0, -np.maximum(rise, 0.0) / mean_rise, -np.inf)

        return GraphLaw(log_degree, 1.0)
