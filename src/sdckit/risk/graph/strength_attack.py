"""Strength attack: a node is looked for by the sum of the weights of its links."""

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Finds, Need, Score, risk
from sdckit.release import Release
from sdckit.risk.graph.known_graph import drawn_world, known_graph

BLOCK = 256  # targets compared at a time: bounds memory


@risk(
    "strength-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    by_default=False,
    domain=Graph,
    heading="Re-identified by the sum of weights",
    reference="barrat2004",
)
class StrengthAttack(GraphMeasure):
    r"""Share of nodes re-identified by an intruder who knows the sum of the weights of each node's links.

    The intruder links each node to the released one of nearest strength, from and to it where links have directions;
    nodes that are equally near share the credit. Without weights the strength of a node is its degree.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) =
    \operatorname{argmin}_r |s'_r - s_i|$,  $s_v = \sum_{u \sim v} w_{uv}$

    Intruder: knows totals, such as calls made, money sent or trips between places.

    Use it when edges have weights whose sum by node may be known.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed, plain=False)
        truth = release.true_rows(view.targets)
        known, released = strengths(view.known), strengths(drawn_world(view.released))
        _, first, of, sizes = np.unique(released, axis=0, return_index=True, return_inverse=True, return_counts=True)
        places, of = released[first], of.ravel()
        found = np.zeros(len(view.targets))
        for start in range(0, len(found), BLOCK):
            some = slice(start, start + BLOCK)
            distance = np.abs(known[view.targets[some]][:, None, :] - places[None, :, :]).sum(axis=2)
            nearest = distance <= distance.min(axis=1, keepdims=True) * (1 + 1e-9) + 1e-12
            hit = nearest[np.arange(len(distance)), of[np.maximum(truth[some], 0)]] & (truth[some] >= 0)
            found[some] = np.where(hit, 1.0 / (nearest @ sizes), 0.0)
        return Score(
            float(found.mean()),
            by_record=release.on_records(view.targets, found),
            interval=wilson(float(found.sum()), len(found)),
            baseline=1.0 / len(view.released),
            details={"distinct_strengths": len(places), "weighted": view.released.weight is not None},
        )


def strengths(graph: Graph) -> NDArray[np.float64]:
    """The sums of the weights of the edges from and to each node, in two columns; one without directions."""
    low, high = graph.edges
    weights = graph.of_edges(graph.weight)
    out, into = (np.bincount(end, weights=weights, minlength=len(graph)) for end in (low, high))
    return np.column_stack([out, into] if graph.directed else [out + into])
