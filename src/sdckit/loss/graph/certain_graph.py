"""Both graphs of a release with certain edges: of an uncertain graph one world is drawn."""

from dataclasses import replace

import numpy as np

from sdckit.graph import Graph
from sdckit.loss.graph.graph_pair import graph_pair
from sdckit.randomness import child, generator
from sdckit.release import Release


def certain_pair(release: Release, seed: int | None) -> tuple[Graph, Graph]:
    """The original and the masked graph; the edges of an uncertain one are drawn by their probabilities."""
    original, masked = graph_pair(release)
    return original, drawn(masked, seed)


def drawn(graph: Graph, seed: int | None) -> Graph:
    """A graph in which every uncertain edge exists with its probability; a certain graph is unchanged."""
    if graph.probability is None:
        return graph
    rows = np.repeat(np.arange(len(graph)), graph.degrees)
    once = rows < graph.indices
    exists = child(generator(seed or 0), "world").random(int(once.sum())) < graph.probability[once]
    return replace(graph.with_edges(rows[once][exists], graph.indices[once][exists]), lineage=graph.lineage)
