"""Degree attack: a node is looked for by its number of neighbours."""

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.neighbourhood_refinement import refined_by_direction
from sdckit.measure import Finds, Need, Score, risk
from sdckit.release import Release
from sdckit.risk.graph.known_graph import candidate_score, drawn_world, known_graph


@risk(
    "degree-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    domain=Graph,
    headline=4,
    heading="Re-identified by the degree",
    reference="hay2008",
)
class DegreeAttack(GraphMeasure):
    r"""Share of nodes re-identified by an intruder who knows how many links each has.

    The intruder guesses among the released nodes of that degree, or where links have directions with as many from and
    as many to them. The details say how many nodes have one candidate
    only, and how large the candidate sets are.

    Formula: $\frac{1}{n} \sum_i \frac{[d'(i) = d(i)]}{|\{r : d'(r) = d(i)\}|}$

    Intruder: knows the number of links of somebody, such as a number of friends that a profile shows.

    Use it when only counts of links are likely to be known.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed, plain=False)
        graphs = (view.known, drawn_world(view.released))
        known, released = (refined_by_direction(graph.adjacencies, 1)[0] for graph in graphs)
        return candidate_score(release, view.targets, known, released)
