"""Informed graph intruder: the best attack by degrees that knows method and parameters."""

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw
from sdckit.intruder import Intruder
from sdckit.measure import Finds, Need, risk
from sdckit.release import Release
from sdckit.risk.graph.fitted_graph_law import fitted_law, recipe_law
from sdckit.risk.graph.graph_intruder import GraphIntruder
from sdckit.risk.graph.known_graph import KnownGraph


@risk(
    "informed-graph-intruder",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.RECIPE},
    domain=Graph,
    headline=1,
    heading="Re-identified with method known",
    reference="hay2008",
)
class InformedGraphIntruder(GraphIntruder):
    r"""Share of nodes re-identified by an intruder who knows the original links, the method and its parameters.

    The published method says how likely each released degree is for each known one and what share of the edges stayed:
    the posterior under the rates of added and deleted edges. Up to 5,000 nodes all are matched one to one jointly.

    Formula: $P(r \mid i) \propto P(d'_r \mid d_i) \cdot \prod_{u \in N'(r)} (\kappa \cdot \frac{P(d'_u \mid
    N(i))}{P(d'_u)} + 1 - \kappa)$,  $\kappa$ the share of edges kept

    Intruder: knows the links of the original and the recipe, which is published with the graph.

    Use it when the method is published, as it should be.
    """

    def law(self, view: KnownGraph, release: Release, intruder: Intruder, rng: np.random.Generator) -> GraphLaw:
        if release.recipe is None or not intruder.knows_method:
            raise NotApplicableError("the intruder does not know how the graph was masked; give the recipe")
        law = recipe_law(release.recipe, view.released, view.known)
        return law if law is not None else fitted_law(view, rng)
