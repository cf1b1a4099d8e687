"""Path length loss: how far the distances between nodes changed."""

from typing import ClassVar

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.path_lengths import distances
from sdckit.loss.graph.certain_graph import certain_pair
from sdckit.loss.graph.graph_pair import relative_change
from sdckit.measure import Score, loss
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release


@loss("path-length-loss", domain=Graph, headline=4, heading="Path lengths changed", reference="newman2003")
class PathLengthLoss(GraphMeasure):
    r"""Relative change of the harmonic mean distance between nodes.

    The harmonic mean counts a pair without a path as infinitely far, so that disconnected graphs have a figure. In
    large graphs distances are measured from some nodes only, drawn at random, and the details give the standard error.

    Formula: $\frac{|h - h'|}{h}$,  $\frac{1}{h}$ the mean over pairs of $\frac{1}{\text{dist}(u, v)}$

    Use it when spreading, reach or centrality is analysed.
    """

    drawn: ClassVar[bool] = True

    sources: int = param(300, "nodes from which distances are measured; 0: all", low=0, every=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        lengths, errors, longest = [], [], []
        for graph in certain_pair(release, seed):
            closeness, far = self._closeness(graph, seed)
            mean = float(closeness.mean()) if len(closeness) else 0.0
            lengths.append(1 / mean if mean else 0.0)
            sampled = 0 < self.sources < len(graph)
            errors.append(float(closeness.std() / np.sqrt(len(closeness)) / mean**2) if sampled and mean else 0.0)
            longest.append(far)
        return Score(
            relative_change(lengths[0], lengths[1]),
            details={
                "harmonic_mean": lengths[0],
                "masked_harmonic_mean": lengths[1],
                "standard_errors": errors,
                "longest_path_seen": longest[0],
                "masked_longest_path_seen": longest[1],
            },
        )

    def _closeness(self, graph: Graph, seed: int | None) -> tuple[np.ndarray, int]:
        """The mean of 1 / distance from each source to the others, and the longest distance."""
        nodes = np.arange(len(graph))
        if self.sources and len(nodes) > self.sources:
            nodes = np.sort(child(generator(seed or 0), "sources").choice(nodes, self.sources, replace=False))
        found = distances(graph.indptr, graph.indices, nodes, len(graph))
        with np.errstate(divide="ignore"):
            inverse = np.where(found > 0, 1.0 / np.maximum(found, 1), 0.0)
        return np.sort(inverse.sum(axis=1)) / max(len(graph) - 1, 1), int(found.max(initial=0))
