"""Both graphs of a release, for losses that compare them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.graph import Graph
from sdckit.release import Release


def graph_pair(release: Release, *, plain: bool = True, both_ways: bool = False) -> tuple[Graph, Graph]:
    """The original and the masked graph; an error where the release has no edges.

    Plain graphs have no directions and weights. Otherwise both have directions or none: where one of them has none,
    those of the other are dropped, or with `both_ways` each of its edges leads both ways.
    """
    original, masked = release.original, release.masked
    if not isinstance(original, Graph) or not isinstance(masked, Graph):
        raise NotApplicableError("this measures the edges of graphs, and the release has none")
    if plain:
        return original.plain, masked.plain
    if original.directed == masked.directed:
        return original, masked
    if both_ways:
        return replace(original, directed=True), replace(masked, directed=True)
    return original.undirected, masked.undirected


def in_original_order(release: Release, *, plain: bool = True, both_ways: bool = False) -> tuple[Graph, Graph]:
    """The nodes that both graphs have, in the order of the original; an error where rows are not known."""
    original, masked = graph_pair(release, plain=plain, both_ways=both_ways)
    rows = release.true_rows(np.arange(len(original)))
    both = np.flatnonzero(rows >= 0)
    if not len(both):
        raise NotApplicableError("no node of the masked graph came from one of the original")
    same = len(both) == len(original) == len(masked) and np.array_equal(rows, both)
    return (original, masked) if same else (original.take(both), masked.take(rows[both]))


def edge_weights(graph: Graph) -> NDArray[np.float64]:
    """The probability of each edge, in the order of `edges`; 1 where all are certain."""
    return graph.of_edges(graph.probability)


def expected_degrees(graph: Graph) -> NDArray[np.float64]:
    """The expected numbers of edges from and to each node, in two columns; one where edges have no direction."""
    if graph.probability is None:
        return graph.degrees_by_direction.astype(np.float64)
    rows = np.repeat(np.arange(len(graph)), graph.degrees)
    return np.bincount(rows, weights=graph.probability, minlength=len(graph)).astype(np.float64)[:, None]


def relative_change(before: float, after: float) -> float:
    """The change of a figure as a share of it; without any before, 1 where there is some after."""
    if before == after:
        return 0.0
    return abs(after - before) / abs(before) if before else 1.0
