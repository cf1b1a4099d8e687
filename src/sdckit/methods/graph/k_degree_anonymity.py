"""k-degree anonymity: every degree occurs at least k times."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.graph_masking import GraphMasking
from sdckit.kernels.degree_realisation import extended
from sdckit.kernels.degree_sequences import anonymous_degrees, realised, violation
from sdckit.masking import masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param

PROBED = 0.05  # weight of a degree that the programme does not give, because it was probed
KEPT = 0.97  # about the share of edges that stay: some are moved where nodes that miss edges are joined already
PROBES = 200  # sequences tried, each a little higher, before all nodes get one degree


@masking("k-degree-anonymity", kind=Kind.ANY, reference="liu2008", domain=Graph)
class KDegreeAnonymity(GraphMasking):
    r"""Add edges so that every degree occurs at least `group_size` times, as few as possible.

    A dynamic programme finds the anonymous degree sequence of least change; edges are added between the nodes that need
    most of them. Where no graph with the original's edges has the sequence, single edges are moved, and where none has
    it at all, the lowest degrees are raised by one and the programme runs again (probing).

    Formula: $\min \sum_v (d'_v - d_v)$,  $d'_v \ge d_v$ and $|\{u : d'_u = d'_v\}| \ge k$ for every $v$

    Use it when an intruder may know how many links people have, and the links themselves should stay.

    Excludes nothing by itself: a node that needs an edge may get one to any other node. Degrees only rise.
    """

    group_size: int = param(5, "nodes that share each degree, at least (the paper's k)", low=1, grid=(2, 5, 10, 20))

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """No attribute; an error where there are fewer nodes than a group needs."""
        graph = self.graph(data, attributes)
        if len(graph) < self.group_size:
            raise SchemaError(
                f"{self.name} needs groups of {self.group_size} nodes, and the graph has {len(graph)}; use a smaller "
                "group_size"
            )
        return ()

    def masked_graph(self, graph: Graph, rng: np.random.Generator) -> Graph:
        self.applicable(graph, ())
        wanted = graph.degrees
        for probe in range(PROBES):
            target = anonymous_degrees(wanted, self.group_size)
            broken = violation(target)
            if broken is None:
                keys = extended(len(graph), graph.edge_keys, target - graph.degrees, rng)
                if keys is not None:
                    return graph.with_keys(keys)
            short = broken.needed - broken.available if broken is not None and broken.largest else 0
            wanted = _raised(wanted, max(short, 1 + probe), rng)
        return graph.with_keys(_regular(graph))

    def graph_law(self, released: Graph, known: Graph) -> GraphLaw:
        """The dynamic programme is replayed: a degree becomes that of its group, or a higher one after probing."""
        replayed = anonymous_degrees(known.degrees, min(self.group_size, max(len(known), 1)))

        def log_degree(known_values: Floats, released_values: Floats) -> Floats:
            known_degree, released_degree = known_values[:, 0], released_values[:, 0]
            expected = (known.degrees[None, :] == known_degree[:, None]).astype(float) @ (
                replayed[:, None] == released_degree[None, :]
            )
            above = released_degree[None, :] - known_degree[:, None]
            likely = expected / np.maximum(expected.sum(axis=1, keepdims=True), 1.0)
            with np.errstate(divide="ignore"):
                return np.log(np.where(above >= 0, likely + PROBED / (1.0 + np.maximum(above, 0.0)) ** 2, 0.0))

        return GraphLaw(log_degree, KEPT)


def _raised(degrees: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The degrees with this number of the lowest ones raised by one, drawn among those of equal degree."""
    raised = degrees.copy()
    room = np.flatnonzero(raised < len(raised) - 1)
    order = room[np.lexsort((rng.random(len(room)), raised[room]))]
    raised[order[:count]] += 1
    return raised


def _regular(graph: Graph) -> NDArray[np.int64]:
    """The edges of a graph in which every node has one degree, no lower than the highest one."""
    degree = int(graph.degrees.max(initial=0))
    degree += degree * len(graph) % 2
    if degree >= len(graph):
        degree = len(graph) - 1
    return realised(np.full(len(graph), degree, dtype=np.int64))
