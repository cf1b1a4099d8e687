"""Small graphs made on the spot, each with something that a method may stumble over, and releases of them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.kernels.random_pairs import absent_pairs
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release, protect
from sdckit.rows import in_order

SEED = 20


def a_graph(nodes: int, edges: int, seed: int = 0) -> Graph:
    """A graph with hubs and triangles: half of the edges at random, half closing paths or joining the first nodes."""
    rng = np.random.default_rng(seed)
    half = absent_pairs(nodes, np.zeros(0, dtype=np.int64), edges // 2, rng)
    low, high = half // nodes, half % nodes
    hubs = rng.integers(0, max(nodes // 10, 1), edges // 4)
    others = rng.integers(0, nodes, edges // 4)
    steps = rng.integers(0, max(nodes - 2, 1), edges // 4)
    return Graph.from_edges(
        nodes, np.concatenate([low, hubs, steps]), np.concatenate([high, others, (steps + 2) % nodes])
    )


def a_directed_graph(nodes: int, edges: int, seed: int = 0) -> Graph:
    """A graph whose edges lead one way or the other, some both ways."""
    low, high = a_graph(nodes, edges, seed).edges
    way = np.arange(len(low)) % 3
    first, second = np.where(way == 0, high, low), np.where(way == 0, low, high)
    both = way == 2
    ends = np.concatenate([first, second[both]]), np.concatenate([second, first[both]])
    return Graph.from_edges(nodes, *ends, directed=True)


def with_some_weights(graph: Graph) -> Graph:
    """The graph with weights from 1 to 9."""
    return graph.with_weights((1 + np.arange(graph.edge_count) * 7 % 9).astype(np.float64))


@lru_cache(maxsize=1)
def ordinary_graph() -> Graph:
    """Sixty nodes with two attributes and a label."""
    graph = a_graph(60, 160)
    file = Microdata(
        (
            Attribute("age", Kind.DISCRETE, Role.KEY, integral=True),
            Attribute("town", Kind.UNORDERED, Role.CONFIDENTIAL, categories=("Ely", "Rye", "Wells")),
        ),
        {"age": 20 + np.arange(60) % 37, "town": np.arange(60) % 3},
    )
    low, high = graph.edges
    return Graph.from_edges(60, low, high, attributes=file, labels=[f"person {node}" for node in range(60)])


@lru_cache(maxsize=1)
def odd_graphs() -> Mapping[str, Graph]:
    """Graphs that a component must mask or measure, or refuse with a reason; by what is odd about them."""
    ring = np.arange(12)
    triangle = [[0, 1, 0], [1, 2, 2]]
    return MappingProxyType(
        {
            "one node": Graph.from_edges(1, [], []),
            "two nodes, one edge": Graph.from_edges(2, [0], [1]),
            "no edges": Graph.from_edges(10, [], []),
            "a triangle and isolated nodes": Graph.from_edges(8, *triangle),
            "a ring": Graph.from_edges(12, ring, (ring + 1) % 12),
            "a star": Graph.from_edges(9, np.zeros(8, dtype=int), np.arange(1, 9)),
            "a complete graph": Graph.from_edges(7, *np.triu_indices(7, 1)),
            "two components": Graph.from_edges(20, [*range(9), *range(10, 19)], [*range(1, 10), *range(11, 20)]),
            "no attributes": a_graph(40, 90, seed=3),
            "directed edges": a_directed_graph(30, 90),
            "weighted edges": with_some_weights(a_graph(30, 70, seed=4)),
            "directed, weighted edges": with_some_weights(a_directed_graph(25, 60)),
        }
    )


def snapshot(graph: Graph) -> tuple[NDArray[Any], ...]:
    """A copy of the adjacency and the weights, to see later whether they changed."""
    return graph.indptr.copy(), graph.indices.copy(), graph.of_edges(graph.weight).copy()


def same_edges(one: Graph, other: Graph) -> bool:
    """Whether two graphs have the same edges, with their weights, between the same numbers of nodes."""
    if (len(one), one.directed) != (len(other), other.directed) or not np.array_equal(one.edge_keys, other.edge_keys):
        return False
    pairs = (one.probability, other.probability), (one.weight, other.weight)
    return all(
        first is second if first is None or second is None else np.array_equal(first, second) for first, second in pairs
    )


def untouched(graph: Graph) -> Release:
    """The graph released unchanged."""
    return Release.in_order(graph, graph.without(graph.names(role=Role.IDENTIFIER)))


@lru_cache(maxsize=1)
def ordinary_release() -> Release:
    """The ordinary graph with a tenth of its edges exchanged."""
    return protect(ordinary_graph(), "edge-randomisation:share=0.1", seed=SEED)


@lru_cache(maxsize=1)
def odd_releases() -> tuple[tuple[str, Release], ...]:
    """Releases that a measure must measure or decline: of odd graphs, of a part of the nodes, and of other methods."""
    plain = ordinary_release()
    half = plain.masked.take(np.arange(0, len(plain.masked), 2))
    emptied = ordinary_graph().with_keys(np.zeros(0, dtype=np.int64)).without(("node",))
    made = [
        ("degrees anonymised", protect(ordinary_graph(), "k-degree-anonymity", seed=SEED)),
        ("edges switched", protect(ordinary_graph(), "edge-switching", seed=SEED)),
        ("untouched", untouched(ordinary_graph())),
        ("half of the nodes", Release(plain.original, half, plain.recipe)),
        ("all edges deleted", Release.in_order(ordinary_graph(), emptied)),
    ]
    made.append(("uncertain edges", protect(ordinary_graph(), "uncertain-graph", seed=SEED)))
    made.append(("blocks", protect(ordinary_graph(), "graph-generalisation", seed=SEED)))
    made.append(("directions dropped", protect(odd_graphs()["directed, weighted edges"], "drop-directions", seed=SEED)))
    for label, graph in odd_graphs().items():
        made.append((label, protect(graph, "edge-randomisation:share=0.3", seed=SEED)))
    return tuple(made)


def relabelled(release: Release, seed: int = SEED) -> Release:
    """The same release with the nodes of both graphs in another order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(release.original))
    original = replace(release.original.take(order), lineage=None)
    masked = replace(release.masked.take(order), lineage=None)
    return Release(original, masked, release.recipe, in_order(len(original)))
