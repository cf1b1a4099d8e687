"""How likely each released node is that of each known one, by its degree and by the degrees of its neighbours."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.kernels.neighbourhood_refinement import refined

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_KEPT = 0.999  # so that one neighbour that does not fit never excludes a candidate


@dataclass(frozen=True, eq=False)
class Profiles:
    """The nodes of a graph by class: nodes of one class have the same degree and neighbours of the same degrees.

    `of`        the class of each node, numbered by structure and not by the order of the nodes
    `sizes`     the number of nodes in each class
    `value`     the degree, or what stands for it, as a position in `values`
    `neighbours` how many neighbours of each value a node of a class has
    """

    of: NDArray[np.int64]
    sizes: NDArray[np.int64]
    value: NDArray[np.int64]
    values: Floats
    neighbours: "csr_array"

    @classmethod
    def of_graph(cls, graph: Graph, statistic: Floats | None = None) -> "Profiles":
        """The profiles by degree, or by another statistic of the nodes."""
        from scipy.sparse import csr_array

        numbers = graph.degrees.astype(np.float64) if statistic is None else statistic
        values, value_of = np.unique(numbers, return_inverse=True)
        start = None if statistic is None else value_of.astype(np.uint64)
        colours = refined(graph.indptr, graph.indices, 2 if start is None else 1, start)[-1]
        _, first, of, sizes = np.unique(colours, return_index=True, return_inverse=True, return_counts=True)
        rows = np.repeat(np.arange(len(graph)), graph.degrees)
        counts = csr_array((np.ones(len(rows)), (rows, value_of[graph.indices])), shape=(len(graph), len(values)))
        return cls(of, sizes, value_of[first], values, counts[first])


def log_likelihoods(
    known: Profiles,
    released: Profiles,
    law: GraphLaw,
    classes: NDArray[np.int64],
    among: NDArray[np.int64] | None = None,
) -> Floats:
    """Log-likelihood ratios of released classes, all or some, for these known classes, against a random node."""
    rows = np.arange(len(released.sizes)) if among is None else among
    degree = law.log_degree(known.values, released.values)
    with np.errstate(divide="ignore"):
        share = np.log(np.bincount(released.value, weights=released.sizes, minlength=len(released.values)))
    value = released.value[rows]
    out: Floats = degree[known.value[classes]][:, value] - (share - np.log(released.sizes.sum()))[value][None, :]
    kept = min(law.kept, MOST_KEPT)
    if kept <= 0 or not released.neighbours.nnz:
        return out
    probability = np.exp(degree - degree.max(axis=1, initial=-700.0, keepdims=True))
    probability /= np.maximum(probability.sum(axis=1, keepdims=True), 1e-300)
    ends = released.neighbours.T @ released.sizes.astype(np.float64)
    background = ends / ends.sum()
    mine = known.neighbours[classes]
    total = np.maximum(mine.sum(axis=1), 1.0)
    expected = (mine @ probability) / np.asarray(total).reshape(-1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(background > 0, expected / background, 0.0)
    gain = np.log(kept * ratio + (1 - kept))
    neighbours: Floats = np.asarray(released.neighbours[rows] @ gain.T).T
    return out + neighbours
