"""Degree distribution loss: how far the distribution of degrees moved."""

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.loss.graph.graph_pair import expected_degrees, graph_pair
from sdckit.measure import Score, loss
from sdckit.release import Release


@loss("degree-distribution-loss", domain=Graph, headline=2, heading="Degrees moved", reference="newman2003")
class DegreeDistributionLoss(GraphMeasure):
    r"""Mean distance that degrees move from one distribution to the other, as a share of the mean degree.

    It is the earth mover's distance of the two distributions. The details give the Kolmogorov–Smirnov distance, which
    the tail hardly changes, and the mean degrees. Edges from and to a node are counted separately where both graphs
    have directions, and the two distances are averaged.

    Formula: $\frac{1}{\bar{d}} \int |F(x) - F'(x)| \, dx$,  $F$ the distribution of the degrees, $\bar{d}$ their mean

    Use it when the distribution of the numbers of links is analysed, and not which node has how many.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        before, after = (expected_degrees(graph) for graph in graph_pair(release, plain=False))
        moves = [_moved(one, other) for one, other in zip(before.T, after.T, strict=True)]
        moved, mean = float(np.mean([move for move, _ in moves])), float(before.mean())
        return Score(
            moved / mean if mean else moved,
            details={
                "kolmogorov_smirnov": max(gap for _, gap in moves),
                "mean_degree": mean,
                "masked_mean_degree": float(after.mean()),
                "max_degree": float(before.max()),
                "masked_max_degree": float(after.max()),
            },
        )


def _moved(before: NDArray[np.float64], after: NDArray[np.float64]) -> tuple[float, float]:
    """The earth mover's distance of two distributions, and the Kolmogorov–Smirnov distance."""
    before, after = np.sort(before), np.sort(after)
    values = np.union1d(before, after)
    gap = np.abs(
        np.searchsorted(before, values, side="right") / len(before)
        - np.searchsorted(after, values, side="right") / len(after)
    )
    return float((gap[:-1] * np.diff(values)).sum()), float(gap.max())
