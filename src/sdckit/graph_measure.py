"""GraphMeasure: what a measure of graphs declares beyond what every measure does."""

from typing import ClassVar

from sdckit.graph import Graph
from sdckit.measure import Measure


class GraphMeasure(Measure):
    """A function from a release of a graph to a score.

    `drawn`        its figure is estimated from draws, so the order of the nodes changes it within their error
    `knows_nodes`  the intruder knows which released nodes some people are, so that nobody else is found by a guess
    """

    domain: ClassVar[type] = Graph
    drawn: ClassVar[bool] = False
    knows_nodes: ClassVar[bool] = False
