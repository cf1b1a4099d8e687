"""Uncertain graph: edges are released with probabilities."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw, any_degrees, degrees_by_probability
from sdckit.graph_masking import GraphMasking
from sdckit.kernels.random_pairs import absent_pairs
from sdckit.masking import masking
from sdckit.microdata import Kind
from sdckit.parameters import param

DECIMALS = 6  # of a released probability
LEAST_DOUBT = 1e-9  # about an edge, where any probability may be that of an edge


@masking("uncertain-graph", kind=Kind.ANY, reference="boldi2012", domain=Graph)
class UncertainGraph(GraphMasking):
    r"""Release edges with probabilities: those of the original lose some, and as many pairs without an edge get some.

    Every edge e gets 1 − rₑ and every added pair rₑ, where rₑ is half normal, cut at 1, with standard deviation
    `noise`. Some pairs (`white_noise`) get a uniform rₑ instead, so that no probability is conclusive. Degrees are near
    the original's in expectation; whether two nodes are linked becomes uncertain.

    Formula: $p(e) = 1 - r_e$ for $e \in E$, $r_e$ for as many $e \notin E$;  $r_e \sim |N(0, \text{noise}^2)|$ on $[0,
    1]$

    Use it when analyses can take expectations over many possible graphs.

    Excludes nothing: a pair with any probability may be linked or not.
    """

    noise: float = param(0.2, "standard deviation of the change of a probability (σ)", low=0, grid=(0.05, 0.2, 0.5))
    white_noise: float = param(0.01, "share of the pairs whose probability is uniform", low=0, high=1)
    added: float = param(1.0, "pairs without an edge that get a probability, as a share of the edges", low=0)

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        keys, nodes = graph.edge_keys, len(graph)
        room = nodes * (nodes - 1) // 2 - len(keys)
        pairs = absent_pairs(nodes, keys, min(round(self.added * len(keys)), room), rng)
        moved = self._moved(len(keys) + len(pairs), rng)
        probability = np.concatenate([1 - moved[: len(keys)], moved[len(keys) :]]).round(DECIMALS)
        together = np.concatenate([keys, pairs])
        possible = probability > 0
        order = np.argsort(together[possible])
        return graph.with_keys(together[possible]).with_probabilities(probability[possible][order])

    def _moved(self, count: int, rng: np.random.Generator) -> Floats:
        """Half-normal numbers cut at 1, some of them uniform: drawn again where they exceed 1."""
        moved = np.abs(rng.standard_normal(count)) * self.noise
        while (over := moved > 1).any():
            moved[over] = np.abs(rng.standard_normal(int(over.sum()))) * self.noise
        uniform = rng.random(count) < self.white_noise
        return np.where(uniform, rng.random(count), moved)

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """A released probability says how likely the pair was an edge; degrees are sums over the pairs of a node."""
        if released.probability is None:
            return GraphLaw(any_degrees, 0.0)
        edge, pair = self._density(1 - released.probability), self.added * self._density(released.probability)
        exists = edge / np.maximum(edge + pair, 1e-300)
        exists = np.clip(exists, LEAST_DOUBT, 1 - LEAST_DOUBT) if self.white_noise else exists
        log_degree, statistic = degrees_by_probability(released, exists)
        return GraphLaw(log_degree, 1.0, statistic, True, exists, None)

    def _density(self, moved: Floats) -> Floats:
        """How likely a probability moves by this, up to a factor; rounded probabilities have a width."""
        from scipy.special import ndtr

        width, scale = 0.5 * 10.0**-DECIMALS, max(self.noise, 1e-9)
        high, low = np.minimum(moved + width, 1.0), np.maximum(moved - width, 0.0)
        half_normal = (ndtr(high / scale) - ndtr(low / scale)) / (ndtr(1 / scale) - 0.5)
        density: Floats = (1 - self.white_noise) * half_normal + self.white_noise * (high - low)
        return density
