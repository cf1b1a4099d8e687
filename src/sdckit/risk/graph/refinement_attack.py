"""Refinement attack: a node is looked for by the degrees around it (H₁, H₂, H₃)."""

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.neighbourhood_refinement import refined_by_direction
from sdckit.measure import Finds, Need, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.graph.known_graph import candidate_score, drawn_world, known_graph


@risk(
    "refinement-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    domain=Graph,
    headline=3,
    heading="Re-identified by the degrees around them",
    reference="hay2008",
)
class RefinementAttack(GraphMeasure):
    r"""Share of nodes re-identified by an intruder who knows the degrees around each: H₁, H₂ or H₃.

    H₁ is the degree of a node, H₂ the degrees of its neighbours, H₃ the neighbours' H₂, and so on; where links have
    directions, those from and to a node are distinguished in each. The figure is that of the last round; the details
    give every round, because a graph that hides degrees often does not hide the degrees of neighbours.

    Formula: $\frac{1}{n} \sum_i \frac{[H'(i) = H(i)]}{|\{r : H'(r) = H(i)\}|}$,  $H_t(v)$ the multiset $\{H_{t-1}(u) :
    u \in N(v)\}$

    Intruder: knows the links around somebody, as far out as the number of rounds.

    Use it when links are released unchanged for most nodes; where edges are masked at random, exact patterns seldom
    survive, and an intruder who weighs likely changes finds more (`informed-graph-intruder`).
    """

    rounds: int = param(3, "rounds of refinement (the paper's i)", low=1, high=20, grid=(1, 2, 3))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed, plain=False)
        graphs = (view.known, drawn_world(view.released))
        known, released = (refined_by_direction(each.adjacencies, self.rounds) for each in graphs)
        scores = [candidate_score(release, view.targets, *pair) for pair in zip(known, released, strict=True)]
        by_round = {
            f"H{number}": {"found": score.value, "unique": score.details["unique"]}
            for number, score in enumerate(scores, start=1)
        }
        return candidate_score(release, view.targets, known[-1], released[-1], {"by_round": by_round})
