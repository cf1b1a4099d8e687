"""GraphLaw: what a published graph masking says of each node, for an intruder who knows the original degrees."""

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

    `log_degree`  log-probabilities, one row for each known degree and one column for each released degree; −∞ is
                  promised to be impossible
    `kept`        the probability that an edge of the original is in the release
    `statistic`   what stands for the degree of each released node, where that is not its degree, such as the mean
                  degree of its block
    """

    log_degree: Callable[[Floats, Floats], Floats]
    kept: float
    statistic: Floats | None = None


@runtime_checkable
class HasGraphLaw(Protocol):
    """The published method and parameters fix the law of released degrees and edges."""

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """The law; `known` is the original as far as an intruder who knows it whole can use it."""
        ...


def unchanged_degrees(known: Floats, released: Floats) -> Floats:
    """Every node has its degree."""
    return np.where(np.abs(known[:, None] - released[None, :]) < 0.5, 0.0, IMPOSSIBLE)


def exchanged_degrees(share: float, nodes: int, edges: int) -> Callable[[Floats, Floats], Floats]:
    """The law of degrees where a share of the edges is deleted at random and as many random ones are added.

    Of d edges a binomial number stays, and each of the other nodes is added with one probability.
    """
    added = share * edges / max(nodes * (nodes - 1) // 2 - edges, 1)

    def log_degree(known: Floats, released: Floats) -> Floats:
        others = np.maximum(nodes - 1 - known, 0)
        mean = known * (1 - share) + others * added
        return normal_degrees(mean, np.sqrt(known * share * (1 - share) + others * added), released)

    return log_degree


def normal_degrees(mean: Floats, deviation: Floats, released: Floats) -> Floats:
    """Released degrees that are about normal around a mean for each known degree; nothing is promised impossible."""
    from scipy.special import ndtr

    scale = np.maximum(deviation, LEAST_DEVIATION)[:, None]
    off = np.abs(released[None, :] - mean[:, None])
    inside = ndtr(-(off - 0.5) / scale) - ndtr(-(off + 0.5) / scale)
    far = -0.5 * (off / scale) ** 2 - np.log(scale)
    return np.where(inside > TINY, np.log(np.maximum(inside, TINY)), far)
