"""Maskings of a known graph that an intruder who does not know the method can try: they leave what the release left.

Where the released degrees are those of the known graph, edges are switched, and within equal degrees where the numbers
of edges between degrees are the same too. Otherwise edges are deleted, and as many added as the release has.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw, degrees_by_probability
from sdckit.graph_masking import carried_weights
from sdckit.kernels.edge_switching import switched

ANEW = 5.0  # switches of each edge, after which none is left where it was


def imitated(known: Graph, released: Graph, kept: float, rng: np.random.Generator) -> Graph:
    """The known graph with this share of its edges kept, and the rest as in the release; nodes keep their numbers."""
    if _same(known.degrees_by_direction, released.degrees_by_direction):
        keys = _switched(known, released, kept, rng)
    else:
        keys = _exchanged(known, released.edge_count, kept, rng)
    masked = known.with_keys(keys)
    if known.weight is None or released.weight is None:
        return masked
    return masked.with_weights(carried_weights(known.edge_keys, known.of_edges(known.weight), masked.edge_keys, rng))


def imitated_probabilities(
    known: Graph, released: Graph, law: GraphLaw, rng: np.random.Generator
) -> tuple[Graph, GraphLaw]:
    """The known graph with the released probabilities, each on an edge as often as it says; the law of degrees too."""
    values = rng.permutation(released.of_edges(released.probability))
    is_edge = rng.random(len(values)) < values
    edges = rng.permutation(known.edge_keys)[: int(is_edge.sum())]
    nodes = len(known)
    one, other = (rng.integers(nodes, size=4 * len(values)) for _ in range(2))
    pairs = np.unique((np.minimum(one, other) * nodes + np.maximum(one, other))[one != other])
    others = rng.permutation(np.setdiff1d(pairs, known.edge_keys))[: int((~is_edge).sum())]
    keys = np.concatenate([edges, others])
    probability = np.concatenate([values[is_edge][: len(edges)], values[~is_edge][: len(others)]])
    masked = known.plain.with_keys(keys).with_probabilities(probability[np.argsort(keys)])
    assert masked.probability is not None
    log_degree, statistic = degrees_by_probability(masked, masked.probability)
    return masked, replace(law, log_degree=log_degree, statistic=statistic, exists=masked.probability)


def _same(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Whether two graphs have the same degrees, in whatever order."""
    return one.shape == other.shape and np.array_equal(one[np.lexsort(one.T)], other[np.lexsort(other.T)])


def _between_degrees(graph: Graph) -> NDArray[np.int64]:
    """The degrees of the ends of all edges, sorted: the joint degree distribution."""
    one, other = (graph.degrees[end] for end in graph.edges)
    return np.sort(np.minimum(one, other) * (len(graph) + 1) + np.maximum(one, other))


def _switched(known: Graph, released: Graph, kept: float, rng: np.random.Generator) -> NDArray[np.int64]:
    wanted = round(min(-np.log(kept) / 2 if kept > 0 else ANEW, ANEW) * known.edge_count)
    if not known.directed and np.array_equal(_between_degrees(known), _between_degrees(released)):
        return switched(len(known), known.edge_keys, wanted, rng, known.degrees, trials=20 * wanted)[0]
    return switched(len(known), known.edge_keys, wanted, rng, directed=known.directed)[0]


def _exchanged(known: Graph, edges: int, kept: float, rng: np.random.Generator) -> NDArray[np.int64]:
    nodes, keys = len(known), known.edge_keys
    stay = keys[rng.random(len(keys)) < kept]
    one, other = (rng.integers(nodes, size=2 * edges + 10) for _ in range(2))
    low, high = (one, other) if known.directed else (np.minimum(one, other), np.maximum(one, other))
    pairs = rng.permutation(np.setdiff1d((low * nodes + high)[one != other], keys))
    return np.concatenate([stay, pairs[: max(edges - len(stay), 0)]])
