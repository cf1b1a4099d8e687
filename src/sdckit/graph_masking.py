"""GraphMasking: the contract graph → graph of a masking that changes edges; the attributes of nodes stay."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.masking import Masking
from sdckit.microdata import Kind, Microdata


class GraphMasking(Masking):
    """A function from a graph to a graph with the same nodes, in the same order.

    A method defines `masked_graph`. It masks edges, so it takes no attributes: those of the nodes are masked by steps
    of their own in the same recipe.
    """

    domain: ClassVar[type] = Graph
    kinds: ClassVar[Kind] = Kind.ANY

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """The graph with other edges."""
        raise TypeError(f"{type(self).__name__} must define masked_graph")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Graph:
        """The masked graph."""
        return self.masked_graph(self.graph(data, attributes), draws.generator())

    def graph(self, data: Microdata, attributes: Sequence[str] = ()) -> Graph:
        """The data as the graph that this masks, checked."""
        if not isinstance(data, Graph):
            raise SchemaError(
                f"{self.name} masks the edges of a graph, and the file has none; give an edge list or a GraphML file"
            )
        for name in attributes:
            data.attribute(name)
            raise SchemaError(
                f"{self.name} masks the edges and not {name!r}; leave out the attributes, or mask them in another step"
            )
        if data.probability is not None:
            raise SchemaError(f"{self.name} masks certain edges, and this graph is uncertain; mask the original")
        return data

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """No attribute: the edges are masked; an error where there are none to mask."""
        self.graph(data, attributes)
        return ()

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """No attribute: the edges are masked."""
        return ()
