"""GraphLaw: what a published graph masking says of each node, for an intruder who knows the original links."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph

Floats = NDArray[np.float64]
IMPOSSIBLE = -np.inf
LEAST_DEVIATION = 0.2  # of a degree that is assumed to be about exact
TINY = 1e-200  # probability below which a normal tail is taken for an integral


@dataclass(frozen=True, eq=False)
class GraphLaw:
    """How likely released degrees are given known ones, and what became of the edges.

    `log_degree`      log-probabilities, one row for each known degree and one column for each released degree; −∞ is
                      promised to be impossible. Both are matrices: a degree has one column, or where edges have
                      directions two, the edges from and to a node
    `kept`            the probability that an edge of the original is in the release
    `statistic`       what stands for the degree of each released node, where that is not its degree: a row for each
    `given_released`  `log_degree` are those of the known degree given the released node instead
    `exists`          for each entry of an uncertain graph's adjacency, the probability that the original has the edge
    `weight_noise`    the standard deviation of a released weight as a share of the weight; None where released
                      weights say nothing of the original ones
    `blocks`          the published block of each released node, within which nodes are exchangeable
    `block_size`      nodes of a block, at least
    `common`          how many edges both graphs have, where all graphs with as many are equally likely
    """

    log_degree: Callable[[Floats, Floats], Floats]
    kept: float
    statistic: Floats | None = None
    given_released: bool = False
    exists: Floats | None = None
    weight_noise: float | None = 0.0
    blocks: NDArray[np.int64] | None = None
    block_size: int = 1
    common: int | None = None


@runtime_checkable
class HasGraphLaw(Protocol):
    """The published method and parameters fix the law of released degrees and edges."""

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """The law; `known` is the original as far as an intruder who knows it whole can use it."""
        ...


def unchanged_degrees(known: Floats, released: Floats) -> Floats:
    """Every node has its degree, in each direction."""
    same = np.abs(known[:, None, :] - released[None, :, :]).max(axis=2) < 0.5
    return np.where(same, 0.0, IMPOSSIBLE)


def any_degrees(known: Floats, released: Floats) -> Floats:
    """A node may have any degree."""
    return np.zeros((len(known), len(released)))


def exchanged_degrees(share: float, graph: Graph) -> Callable[[Floats, Floats], Floats]:
    """The law of degrees where a share of the edges is deleted at random and as many random ones are added.

    Of d edges a binomial number stays, and each of the other nodes is added with one probability.
    """
    nodes, edges = len(graph), graph.edge_count
    pairs = nodes * (nodes - 1) // (1 if graph.directed else 2)
    added = share * edges / max(pairs - edges, 1)

    def one_side(known: Floats, released: Floats) -> Floats:
        others = np.maximum(nodes - 1 - known, 0)
        mean = known * (1 - share) + others * added
        return normal_degrees(mean, np.sqrt(known * share * (1 - share) + others * added), released)

    return by_direction(one_side)


def by_direction(one_side: Callable[[Floats, Floats], Floats]) -> Callable[[Floats, Floats], Floats]:
    """The law of degrees in all directions, which change independently, from that of one direction."""

    def log_degree(known: Floats, released: Floats) -> Floats:
        total: Floats = np.sum([one_side(*pair) for pair in zip(known.T, released.T, strict=True)], axis=0)
        return total

    return log_degree


def degrees_by_probability(released: Graph, exists: Floats) -> tuple[Callable[[Floats, Floats], Floats], Floats]:
    """The law of an original degree given the probability of each edge, and the mean and variance that it needs.

    Edges are independent, so that a degree is a Poisson binomial number; it is about normal, and no more than the
    number of possible edges. Means and variances are rounded a little, so that nodes share them.
    """
    rows = np.repeat(np.arange(len(released)), np.diff(released.indptr))
    mean, variance, most = (
        np.bincount(rows, weights=values, minlength=len(released))
        for values in (exists, exists * (1 - exists), (exists > 0).astype(np.float64))
    )
    statistic = np.column_stack([np.round(2 * mean) / 2, np.round(8 * np.log2(variance + 0.1)) / 8, most])

    def log_degree(known: Floats, row: Floats) -> Floats:
        deviation = np.sqrt(np.maximum(2 ** row[:, 1] - 0.1, 0.0) + 1 / 48)  # 1/48: the mean is rounded
        chances = normal_degrees(row[:, 0], deviation, known[:, 0]).T
        return np.where(known[:, :1] > row[None, :, 2], IMPOSSIBLE, chances)

    return log_degree, statistic


def normal_degrees(mean: Floats, deviation: Floats, released: Floats) -> Floats:
    """Released degrees that are about normal around a mean for each known degree; nothing is promised impossible."""
    from scipy.special import ndtr

    scale = np.maximum(deviation, LEAST_DEVIATION)[:, None]
    off = np.abs(released[None, :] - mean[:, None])
    inside = ndtr(-(off - 0.5) / scale) - ndtr(-(off + 0.5) / scale)
    far = -0.5 * (off / scale) ** 2 - np.log(scale)
    return np.where(inside > TINY, np.log(np.maximum(inside, TINY)), far)
