"""Ordinary graph intruder: the best attack by links without knowing how the graph was masked."""

from dataclasses import replace

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw
from sdckit.intruder import AttackerView, Intruder
from sdckit.laws.agreement_fit import agreement_law
from sdckit.laws.release_law import ReleaseLaw
from sdckit.measure import Finds, Need, risk
from sdckit.randomness import child
from sdckit.release import Release
from sdckit.risk.graph.fitted_graph_law import fitted_law
from sdckit.risk.graph.graph_intruder import GraphIntruder
from sdckit.risk.graph.imitated_masking import imitated, imitated_probabilities
from sdckit.risk.graph.known_graph import KnownGraph
from sdckit.risk.graph.neighbour_refinement import JOINT, AllPairs, preserved, rounds_from

FITS = 2  # times that the share of edges kept is fitted to what the likeliest nodes preserve
FITTING = 0.4  # of the share kept that the likeliest nodes preserve at least, where the law fits


@risk(
    "ordinary-graph-intruder",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    domain=Graph,
    headline=2,
    extends="ordinary-intruder",
    heading="Re-identified without the method",
    reference="hay2008",
)
class OrdinaryGraphIntruder(GraphIntruder):
    r"""Share of nodes re-identified by an intruder who knows links and attributes and not how the graph was masked.

    A released node is weighed by its degree and by its neighbours, allowing for errors in both: how large these are is
    fitted to the release. Neighbours are recognised by their own candidates, round by round, as far as that helps in
    graphs that the intruder masks again with more and fewer of their edges kept, and no two nodes share one. Where
    rounds get stuck they begin again from a part that fits together. What is expected to be found is what was found in
    those that look like the release. How well known attributes of nodes agree is learned from the two graphs, and what
    they say of a pair is added to what the links say. Beyond 5,000 nodes only the likeliest candidates are compared;
    graphs with millions of links are attacked one by one, by the degrees of neighbours, which finds far fewer.

    Formula: $\frac{1}{n} \sum_i [\operatorname{argmax}_r P(r \mid i, G') = \text{row of } i]$,  ties share the credit

    Intruder: knows the links of the original and the keys of its nodes, such as a crawl of the same network.

    Use it when you want one figure for what the links disclose to an intruder who does not know the method.
    """

    def law(self, view: KnownGraph, release: Release, intruder: Intruder, rng: np.random.Generator) -> GraphLaw:
        law = fitted_law(view, rng)
        if not len(view.known) == len(view.released) <= JOINT:
            return law
        for _ in range(FITS):
            if law.kept <= 0:
                break
            refinement = AllPairs.of_graphs(view.known, view.released, law)
            last = rounds_from(refinement, refinement.first)[-1]
            share = preserved(view.known, view.released, last.likeliest)
            if share >= FITTING * law.kept:
                break
            law = replace(law, kept=share)  # who fits best preserves fewer edges than were kept: it is another law
        return law

    def attribute_law(self, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        return agreement_law(view, rng)

    def graphs_again(
        self, view: KnownGraph, law: GraphLaw, release: Release, count: int, rng: np.random.Generator
    ) -> tuple[GraphLaw, list[tuple[Graph, GraphLaw]]]:
        """The known graph with more and fewer of its edges kept: how many were is not known."""
        if not view.known.edge_count:
            return law, []
        if law.exists is not None:
            return law, [
                imitated_probabilities(view.known, view.released, law, child(rng, "masked", number))
                for number in range(count)
            ]
        shares = np.linspace(0.0, 1.0, count) if count > 1 else [law.kept]
        return law, [
            (imitated(view.known, view.released, share, child(rng, "masked", number)), law)
            for number, share in enumerate(shares)
        ]
