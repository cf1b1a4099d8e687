"""Both graphs of a release with certain edges: of an uncertain graph one world is drawn."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.loss.graph.graph_pair import graph_pair
from sdckit.randomness import child, generator
from sdckit.release import Release

ROUNDS = 3  # of refinement, by which edges of equal probability are distinguished


def certain_pair(release: Release, seed: int | None) -> tuple[Graph, Graph]:
    """The original and the masked graph; the edges of an uncertain one are drawn by their probabilities."""
    original, masked = graph_pair(release)
    return original, drawn(masked, seed)


def drawn(graph: Graph, seed: int | None) -> Graph:
    """A graph in which every uncertain edge exists with its probability; a certain graph is unchanged."""
    if graph.probability is None:
        return graph
    probability = graph.of_edges(graph.probability)
    number = np.empty(graph.edge_count)
    number[_order_by_structure(graph, probability)] = child(generator(seed or 0), "world").random(graph.edge_count)
    low, high = graph.edges
    exists = number < probability
    return replace(graph.with_edges(low[exists], high[exists]), lineage=graph.lineage)


def _order_by_structure(graph: Graph, probability: NDArray[np.float64]) -> NDArray[np.int64]:
    """The edges by probability and by the neighbourhoods of their ends, so that the order of nodes changes no draw.

    A released graph has no names of nodes by which draws could be distinguished. Edges that agree in all this keep the
    order of the nodes: they exist with the same probability between nodes that look alike.
    """
    colours = refined(graph.indptr, graph.indices, ROUNDS)[-1]
    ends = np.sort(np.column_stack([colours[end] for end in graph.edges]), axis=1)
    order: NDArray[np.int64] = np.lexsort((ends[:, 0], ends[:, 1], probability))
    return order
