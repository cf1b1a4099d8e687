"""Hub fingerprint attack: a node is looked for by its distances to the hubs."""

from typing import ClassVar

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.neighbourhood_refinement import mixed, refined
from sdckit.kernels.path_lengths import distances
from sdckit.measure import Finds, Need, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.graph.known_graph import candidate_score, known_graph


@risk(
    "hub-fingerprint-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    by_default=False,
    domain=Graph,
    heading="Re-identified by distances to hubs",
    reference="hay2008",
)
class HubFingerprintAttack(GraphMeasure):
    r"""Share of nodes re-identified by their distances to the hubs, which everybody can identify.

    Hubs are the nodes of highest degree. A fingerprint is the distance of a node to each hub as far as the radius; the
    candidates of a node are the released nodes with the same fingerprint.

    Formula: $\frac{1}{n} \sum_i \frac{[F'(i) = F(i)]}{|\{r : F'(r) = F(i)\}|}$,  $F(v) = (\text{dist}(v, h) : h \in
    \text{hubs})$, where a distance above the radius is $\infty$

    Intruder: knows which nodes are the hubs, and at what distance somebody is from each of them.

    Use it when some nodes are public figures.
    """

    drawn: ClassVar[bool] = True
    knows_nodes: ClassVar[bool] = True

    hubs: int = param(5, "nodes of highest degree that the intruder has identified", low=1, grid=(3, 5, 10))
    radius: int = param(2, "distances that are known, at most (the paper's i)", low=1, grid=(1, 2))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed)
        rows = release.true_rows(np.arange(len(view.known)))
        there = np.flatnonzero(rows >= 0)
        pattern = refined(view.known.indptr, view.known.indices, 3)[-1][there]
        order = there[np.lexsort((pattern, -view.known.degrees[there]))]
        hubs = order[: min(self.hubs, max(len(order) - 1, 0))]
        targets = np.setdiff1d(view.targets, hubs)
        if not len(targets) or not len(hubs):
            raise NotApplicableError("there is no node left to look for beside the hubs")
        prints = []
        for graph, sources in ((view.known, hubs), (view.released, rows[hubs])):
            found = distances(graph.indptr, graph.indices, sources.astype(np.int64), self.radius)
            total = np.zeros(len(graph), dtype=np.uint64)
            for number, row in enumerate(found):
                marks = [mixed(np.uint64((number + 1) * 1000 + step)) for step in range(self.radius + 2)]
                total += np.array(marks, dtype=np.uint64)[row]
            prints.append(total)
        prints[1][rows[hubs]] = np.uint64(2**64 - 1)  # a hub is nobody else
        return candidate_score(release, targets, prints[0], prints[1], {"hubs": len(hubs)})
