"""GraphMasking: the contract graph → graph of a masking that changes edges; the attributes of nodes stay."""

from collections.abc import Sequence
from enum import Enum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.masking import Masking
from sdckit.microdata import Kind, Microdata


class Weights(Enum):
    """What a masking does with the weights of edges."""

    REFUSED = "refused"  # what it promises would not hold for edges with weights
    CARRIED = "carried"  # an edge that stays keeps its weight; new edges get those of the deleted ones at random
    SHUFFLED = "shuffled"  # all weights of the original, in random order
    OWN = "own"  # it says itself what becomes of them


class GraphMasking(Masking):
    """A function from a graph to a graph with the same nodes, in the same order.

    A method defines `masked_graph`. It masks edges, so it takes no attributes: those of the nodes are masked by steps
    of their own in the same recipe.

    `directions`  whether it masks directed graphs; otherwise they are refused
    `weights`     what it does with the weights of edges
    `searches`    whether it searches so long that an intruder masks again only a few times
    """

    domain: ClassVar[type] = Graph
    kinds: ClassVar[Kind] = Kind.ANY
    directions: ClassVar[bool] = False
    weights: ClassVar[Weights] = Weights.REFUSED
    searches: ClassVar[bool] = False

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """The graph with other edges."""
        raise TypeError(f"{type(self).__name__} must define masked_graph")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Graph:
        """The masked graph."""
        graph = self.graph(data, attributes)
        self.refuse_edges(graph)
        masked = self.masked_graph(graph, draws.generator())
        if graph.weight is None or self.weights is Weights.OWN:
            return masked
        rng = draws.child("weights").generator()
        weights = graph.of_edges(graph.weight)
        if self.weights is Weights.SHUFFLED:
            return masked.with_weights(_as_many(rng.permutation(weights), weights, masked.edge_count, rng))
        return masked.with_weights(carried_weights(graph.edge_keys, weights, masked.edge_keys, rng))

    def graph(self, data: Microdata, attributes: Sequence[str] = ()) -> Graph:
        """The data as the graph that this masks, checked."""
        if not isinstance(data, Graph):
            raise SchemaError(
                f"{self.name} masks the edges of a graph, and the file has none; give an edge list or a GraphML file"
            )
        if not len(data):
            raise SchemaError(
                f"the graph has no nodes, so that {self.name} has nothing to mask; give a file with edges"
            )
        for name in attributes:
            data.attribute(name)
            raise SchemaError(
                f"{self.name} masks the edges and not {name!r}; leave out the attributes, or mask them in another step"
            )
        if data.probability is not None:
            raise SchemaError(f"{self.name} masks certain edges, and this graph is uncertain; mask the original")
        return data

    def refuse_edges(self, graph: Graph) -> None:
        """Refuse directions or weights that this does not mask; an earlier step of the recipe may drop them."""
        if graph.directed and not self.directions:
            raise SchemaError(
                f"{self.name} masks edges without directions, and these have some; put the step drop-directions before "
                "it, or use edge-randomisation or edge-switching"
            )
        if graph.weight is not None and self.weights is Weights.REFUSED:
            raise SchemaError(
                f"{self.name} does not protect the weights of edges, and these have some; put the step drop-weights "
                "before it, or use edge-randomisation or edge-switching"
            )

    def idle(self, graph: Graph) -> str | None:
        """Why this changes nothing in a graph; None where it may."""
        return None

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """That the step had nothing to mask."""
        reason = self.idle(original) if isinstance(original, Graph) else None
        return [f"{self.name} changed nothing: {reason}"] if reason else []

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """No attribute: the edges are masked; an error where there are none to mask."""
        self.graph(data, attributes)
        return ()

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """No attribute: the edges are masked."""
        return ()


def carried_weights(
    keys: NDArray[np.int64], weights: NDArray[np.float64], masked: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """The weights of the masked edges: those of edges that stayed, and for new ones those of deleted ones at random."""
    stayed, new = np.isin(keys, masked, assume_unique=True), ~np.isin(masked, keys, assume_unique=True)
    out = np.empty(len(masked))
    out[~new] = weights[stayed]
    out[new] = _as_many(rng.permutation(weights[~stayed]), weights, int(new.sum()), rng)
    return out


def _as_many(
    values: NDArray[np.float64], pool: NDArray[np.float64], count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The first values, and where they are too few draws from a pool."""
    missing = max(count - len(values), 0)
    return np.concatenate([values[:count], rng.choice(pool, missing)]) if missing else values[:count]
