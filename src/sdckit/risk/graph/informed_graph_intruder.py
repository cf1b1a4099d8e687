"""Informed graph intruder: the best attack by links that knows method and parameters."""

from dataclasses import replace

import numpy as np

from sdckit.errors import NotApplicableError, SdcError
from sdckit.graph import Graph
from sdckit.graph_law import GraphLaw
from sdckit.graph_masking import GraphMasking
from sdckit.intruder import AttackerView, Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw
from sdckit.measure import Finds, Need, risk
from sdckit.randomness import child
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.risk.graph.fitted_graph_law import fitted_law, recipe_law
from sdckit.risk.graph.graph_intruder import GraphIntruder
from sdckit.risk.graph.known_graph import KnownGraph
from sdckit.risk.graph.neighbour_refinement import preserved

FEW_AGAIN = 2  # graphs that are masked again by a method that takes long


@risk(
    "informed-graph-intruder",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.RECIPE},
    domain=Graph,
    headline=1,
    extends="informed-intruder",
    heading="Re-identified with method known",
    reference="hay2008",
)
class InformedGraphIntruder(GraphIntruder):
    r"""Share of nodes re-identified by an intruder who knows links, attributes, the method and its parameters.

    The published method says how likely each released degree is for each known one and what share of the edges stayed:
    the posterior under the rates of added and deleted edges. A neighbour is recognised by its degree first and then by
    the released nodes that it is likely to be, round by round, as far as that helps in graphs that the intruder masks
    again; no two nodes share one. Known attributes of nodes count with the law of the informed intruder of microdata:
    what the links and what the attributes say of a pair is added up. Where rounds get stuck they begin again from a
    part that fits together. What is expected to be found is what was found there. Beyond 5,000 nodes only the likeliest
    candidates are compared; graphs with millions of links are attacked one by one, by the degrees of neighbours, which
    finds far fewer. Of up to 8 nodes whose edges were replaced at random, every matching is compared.

    Formula: $P(r \mid i) \propto P(d'_r \mid d_i) \cdot \ell(r \mid i) \cdot \prod_{u \in N'(r)} (\kappa \cdot
    \frac{P(u \mid N(i))}{P(u)} + 1 - \kappa)$,  $\kappa$ the share of edges kept, $\ell$ the likelihood of the
    attributes

    Intruder: knows the links of the original, the keys of its nodes and the recipe, which is published with the graph.

    Use it when the method is published, as it should be.
    """

    def law(self, view: KnownGraph, release: Release, intruder: Intruder, rng: np.random.Generator) -> GraphLaw:
        if release.recipe is None or not intruder.knows_method:
            raise NotApplicableError("the intruder does not know how the graph was masked; give the recipe")
        law = recipe_law(release.recipe, view.released, view.known)
        return law if law is not None else fitted_law(view, rng)

    def attribute_law(self, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        return informed_law(view, rng)

    def graphs_again(
        self, view: KnownGraph, law: GraphLaw, release: Release, count: int, rng: np.random.Generator
    ) -> tuple[GraphLaw, list[tuple[Graph, GraphLaw]]]:
        """The known graph masked by the published recipe, by which the share of edges kept is measured too."""
        assert release.recipe is not None
        maskings = [step.masking for step in release.recipe.steps]
        if any(isinstance(each, GraphMasking) and each.searches for each in maskings):
            count = min(count, FEW_AGAIN)
        made = [self._masked_again(view, law, release, child(rng, "masked", number)) for number in range(count)]
        again = [each for each in made if each is not None and len(each[0]) == len(view.known)]
        if not again or law.exists is not None:
            return law, again
        nodes = np.arange(len(view.known))
        kept = float(np.mean([preserved(view.known, graph, nodes) for graph, _ in again]))
        return replace(law, kept=kept), [(graph, replace(each, kept=kept)) for graph, each in again]

    def _masked_again(
        self, view: KnownGraph, law: GraphLaw, release: Release, rng: np.random.Generator
    ) -> tuple[Graph, GraphLaw] | None:
        assert release.recipe is not None
        steps = Recipe(tuple(step for step in release.recipe.steps if step.masking.domain is Graph))
        try:
            again = protect(view.known.only(()), steps, seed=int(rng.integers(2**62)))
        except SdcError:
            return None
        masked, rows = again.masked, again.true_rows(np.arange(len(view.known)))
        if not isinstance(masked, Graph) or (rows < 0).any():
            return None
        masked = masked.take(rows)
        found = recipe_law(steps, masked, view.known)
        return masked, law if found is None else found
