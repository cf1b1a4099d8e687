"""Added edge detection: released edges that were not in the original are distinguished from those that were."""

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Need, Score, risk
from sdckit.release import Release
from sdckit.risk.graph.fitted_graph_law import recipe_law
from sdckit.risk.graph.known_graph import drawn_world, graphs_of


@risk(
    "added-edge-detection",
    needs={Need.ROWS, Need.RECIPE},
    by_default=False,
    domain=Graph,
    heading="Added edges detected",
    reference="ying2008",
)
class AddedEdgeDetection(GraphMeasure):
    r"""Share of correct claims of an intruder who names the released edges that were added by the masking.

    The published method says how many edges were added; the intruder names that many, those whose ends have fewest
    neighbours in common for their degrees. In a clustered network such an edge is rarely an original one: the intruder
    can remove it, which makes further attacks easier. The baseline is a random choice.

    Formula: $\frac{|A \cap \hat{A}|}{|\hat{A}|}$,  $\hat{A}$ the $|E'| \cdot (1 - \kappa)$ edges of lowest $\frac{|N(u)
    \cap N(v)|}{\sqrt{d_u \cdot d_v}}$

    Intruder: has the release and the recipe, and knows nothing of the original.

    Use it when edges are added at random.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        if release.recipe is None or not intruder.knows_method:
            raise NotApplicableError("the intruder does not know how the graph was masked; give the recipe")
        original, masked = graphs_of(release)
        law = recipe_law(release.recipe, masked, original if masked.directed else original.undirected)
        original, masked = original.plain, drawn_world(masked).plain
        named = round((1 - law.kept) * masked.edge_count) if law is not None else 0
        rows = release.true_rows(np.arange(len(original)))
        if not named:
            raise NotApplicableError("the recipe adds no edge, or does not say how many")
        record = np.full(len(masked), -1, dtype=np.int64)
        record[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        low, high = masked.edges
        one, other = record[low], record[high]
        both = (one >= 0) & (other >= 0)
        keys = np.minimum(one, other) * len(original) + np.maximum(one, other)
        added = both & ~np.isin(keys, original.edge_keys)
        matrix = masked.to_scipy()
        common = np.asarray((matrix[low].multiply(matrix[high])).sum(axis=1)).ravel()
        closeness = common / np.sqrt(masked.degrees[low] * masked.degrees[high])
        lowest = np.sort(closeness)[named - 1]
        sure, tied = closeness < lowest, closeness == lowest
        right = float(added[sure].sum()) + (named - int(sure.sum())) * float(added[tied].mean())
        return Score(
            right / named,
            interval=wilson(right, named),
            baseline=float(added.mean()),
            details={"edges_named": named, "edges_added": int(added.sum())},
        )
