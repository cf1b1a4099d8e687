"""Ego network attack: a node is looked for by the links among its neighbours."""

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.ego_networks import ego_signatures
from sdckit.measure import Finds, Need, Score, risk
from sdckit.release import Release
from sdckit.risk.graph.known_graph import candidate_score, known_graph

ROUNDS = 5  # of refinement inside an ego network


@risk(
    "ego-network-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    by_default=False,
    domain=Graph,
    heading="Re-identified by the links among neighbours",
    reference="zhou2008",
)
class EgoNetworkAttack(GraphMeasure):
    r"""Share of nodes re-identified by an intruder who knows how the neighbours of each are linked with each other.

    The candidates of a node are the released nodes whose neighbours form the same pattern. Patterns are compared by
    refinement, which distinguishes all patterns of up to five neighbours and nearly all larger ones: no candidate set
    is too small, and a few may be too large.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) = \{r : G'[N'(r)] \cong G[N(i)]\}$

    Intruder: knows the friends of somebody and which of them are friends of each other, and nothing else.

    Use it when whole neighbourhoods may be known, as in a class or an office.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed)
        known, released = (ego_signatures(each.indptr, each.indices, ROUNDS) for each in (view.known, view.released))
        return candidate_score(release, view.targets, known, released)
