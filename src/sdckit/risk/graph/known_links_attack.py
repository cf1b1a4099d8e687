"""Known links attack: a node is looked for by its links and non-links to nodes that are identified."""

from typing import ClassVar

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.neighbourhood_refinement import mixed
from sdckit.measure import Cost, Finds, Need, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.graph.known_graph import candidate_score, drawn_world, known_graph


@risk(
    "known-links-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    cost=Cost.QUICK,
    by_default=False,
    domain=Graph,
    heading="Re-identified by links to known nodes",
    reference="backstrom2007",
)
class KnownLinksAttack(GraphMeasure):
    r"""Share of nodes re-identified by their links and non-links to some nodes that the intruder has identified.

    The identified nodes are drawn at random. The candidates of a node are the released nodes with the same links and
    non-links to them, in each direction where links have one: the intersection over all that is known of each pair.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) = \{r : [r \sim s'] = [i \sim s]
    \text{ for all } s \in S\}$

    Intruder: has found some people in the release, such as friends who took part, and knows who is linked with them.

    Use it when people in the graph may recognise each other.
    """

    drawn: ClassVar[bool] = True
    knows_nodes: ClassVar[bool] = True

    identified: int = param(20, "nodes that the intruder has identified", low=1, grid=(5, 20))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed, plain=False)
        graphs = (view.known, drawn_world(view.released))
        rows = release.true_rows(np.arange(len(view.known)))
        there = np.flatnonzero(rows >= 0)
        rng = child(generator(seed or 0), "identified")
        anchors = rng.choice(there, min(self.identified, max(len(there) - 1, 0)), replace=False)
        targets = np.setdiff1d(view.targets, anchors)
        if not len(targets) or not len(anchors):
            raise NotApplicableError("there is no node left to look for beside those that are identified")
        known, released = np.zeros(len(view.known), dtype=np.uint64), np.zeros(len(view.released), dtype=np.uint64)
        for graph, nodes, signature in zip(graphs, (anchors, rows[anchors]), (known, released), strict=True):
            for direction, (indptr, indices) in enumerate(graph.adjacencies):
                for number, node in enumerate(nodes):
                    mark = np.uint64(mixed(np.uint64(number + 1 + direction * 2**32)))
                    signature[indices[indptr[node] : indptr[node + 1]]] += mark
        released[rows[anchors]] = np.uint64(2**64 - 1)  # an identified node is nobody else
        return candidate_score(release, targets, known, released, {"identified": len(anchors)})
