"""Degree distribution loss: how far the distribution of degrees moved."""

import numpy as np

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
    the tail hardly changes, and the mean degrees.

    Formula: $\frac{1}{\bar{d}} \int |F(x) - F'(x)| \, dx$,  $F$ the distribution of the degrees, $\bar{d}$ their mean

    Use it when numbers of links are analysed, whoever has them.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        before, after = (np.sort(expected_degrees(graph)) for graph in graph_pair(release))
        values = np.union1d(before, after)
        gap = np.abs(
            np.searchsorted(before, values, side="right") / len(before)
            - np.searchsorted(after, values, side="right") / len(after)
        )
        moved = float((gap[:-1] * np.diff(values)).sum())
        mean = float(before.mean())
        return Score(
            moved / mean if mean else moved,
            details={
                "kolmogorov_smirnov": float(gap.max()),
                "mean_degree": mean,
                "masked_mean_degree": float(after.mean()),
                "max_degree": float(before[-1]),
                "masked_max_degree": float(after[-1]),
            },
        )
