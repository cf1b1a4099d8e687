"""Seed propagation attack: matches propagate from known pairs through the graph."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Cost, Finds, Need, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.graph.known_graph import known_graph

ROUNDS = 20  # after which propagation stops, if it has not before
SHARED = 2  # matched neighbours that two nodes must have in common, at least
BLOCK = 512  # nodes compared at a time: bounds memory


@risk(
    "seed-propagation-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    cost=Cost.SLOW,
    domain=Graph,
    heading="Re-identified from a few known pairs",
    reference="narayanan2009",
)
class SeedPropagationAttack(GraphMeasure):
    r"""Share of nodes re-identified by an intruder who starts from a few known pairs and matches their neighbours.

    Two nodes are matched where they have more matched neighbours in common than any other pair of either of them, by a
    clear margin; then their neighbours are compared again. The seeds are not counted.

    Formula: $\text{score}(i, r) = \frac{|\{(s, s') \text{ matched} : i \sim s, r \sim s'\}|}{\sqrt{d_i \cdot
    d'_r}}$,  matched where the best exceeds the second by `margin`, both ways

    Intruder: knows the links of the original, and who a few of the released nodes are.

    Use it when the release may be combined with another network of the same people.
    """

    drawn: ClassVar[bool] = True
    knows_nodes: ClassVar[bool] = True

    seeds: int = param(20, "pairs known from the start", low=1, grid=(5, 20, 50))
    margin: float = param(0.02, "by how much the best score must exceed the second", low=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed)
        rows = release.true_rows(np.arange(len(view.known)))
        there = np.flatnonzero(rows >= 0)
        rng = child(generator(seed or 0), "seeds")
        start = rng.choice(there, min(self.seeds, max(len(there) - 1, 0)), replace=False)
        targets = np.setdiff1d(view.targets, start)
        if not len(targets) or not len(start):
            raise NotApplicableError("there is no node left to look for beside the seeds")
        matched = np.full(len(view.known), -1, dtype=np.int64)
        matched[start] = rows[start]
        matched = propagated(view.known, view.released, matched, self.margin)
        correct = ((matched[targets] >= 0) & (matched[targets] == rows[targets])).astype(np.float64)
        claimed = matched[targets] >= 0
        return Score(
            float(correct.mean()),
            by_record=release.on_records(targets, correct),
            interval=wilson(float(correct.sum()), len(targets)),
            baseline=1.0 / len(view.released),
            details={
                "seeds": len(start),
                "claimed": float(claimed.mean()),
                "claims_correct": float(correct[claimed].mean()) if claimed.any() else 0.0,
            },
        )


def propagated(known: Graph, released: Graph, matched: NDArray[np.int64], margin: float) -> NDArray[np.int64]:
    """The matches after propagation: the released node of each known one, −1 where none is claimed."""
    ours, theirs = known.to_scipy(), released.to_scipy()
    scale = 1 / np.sqrt(np.maximum(released.degrees, 1.0))
    for _ in range(ROUNDS):
        pairs = np.flatnonzero(matched >= 0)
        free = np.flatnonzero((matched < 0) & (np.asarray((ours[:, pairs]).sum(axis=1)).ravel() >= SHARED))
        taken = np.zeros(len(released), dtype=bool)
        taken[matched[pairs]] = True
        best = np.full(len(known), -1, dtype=np.int64)
        height = np.zeros(len(known))
        column_best = np.zeros(len(released))
        bridge = theirs[matched[pairs]]
        for at in range(0, len(free), BLOCK):
            nodes = free[at : at + BLOCK]
            common = (ours[nodes][:, pairs] @ bridge).toarray()
            score = np.where((common >= SHARED) & ~taken, common * scale, 0.0)
            score /= np.sqrt(np.maximum(known.degrees[nodes], 1.0))[:, None]
            top = score.max(axis=1)
            second = np.partition(score, -2, axis=1)[:, -2] if score.shape[1] > 1 else np.zeros(len(nodes))
            clear = (top > 0) & (top - second > margin)
            best[nodes[clear]] = score.argmax(axis=1)[clear]
            height[nodes] = top
            column_best = np.maximum(column_best, score.max(axis=0))
        claims = np.flatnonzero(best >= 0)
        claims = claims[height[claims] >= column_best[best[claims]]]
        _, times = np.unique(best[claims], return_counts=True)
        alone = np.isin(best[claims], np.unique(best[claims])[times == 1])
        if not alone.any():
            break
        matched[claims[alone]] = best[claims[alone]]
    return matched
