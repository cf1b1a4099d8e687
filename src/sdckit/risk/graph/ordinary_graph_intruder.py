"""Ordinary graph intruder: the best attack by degrees without knowing how the graph was masked."""

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw
from sdckit.intruder import Intruder
from sdckit.measure import Finds, Need, risk
from sdckit.release import Release
from sdckit.risk.graph.fitted_graph_law import fitted_law
from sdckit.risk.graph.graph_intruder import GraphIntruder
from sdckit.risk.graph.known_graph import KnownGraph


@risk(
    "ordinary-graph-intruder",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    domain=Graph,
    headline=2,
    heading="Re-identified without the method",
    reference="hay2008",
)
class OrdinaryGraphIntruder(GraphIntruder):
    r"""Share of nodes re-identified by an intruder who knows the original links and not how the graph was masked.

    A released node is weighed by its degree and by those of its neighbours, allowing for errors in both: how large
    these are is fitted to the release. Up to 5,000 nodes all are matched one to one jointly; in larger graphs the
    targets are judged one by one.

    Formula: $\frac{1}{n} \sum_i [\operatorname{argmax}_r P(r \mid i, G') = \text{row of } i]$,  ties share the credit

    Intruder: knows the links of the original, such as a crawl of the same network at another time.

    Use it when you want one figure for what the links disclose to an intruder who does not know the method.
    """

    def law(self, view: KnownGraph, release: Release, intruder: Intruder, rng: np.random.Generator) -> GraphLaw:
        return fitted_law(view, rng)
