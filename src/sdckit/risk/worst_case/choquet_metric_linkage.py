"""The best Choquet integral that is a distance."""

from sdckit.linear_distances import ChoquetMetric, WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk(
    "choquet-metric-linkage",
    reference="abril2012choquet",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.TRUTH},
    cost=Cost.SLOW,
)
class ChoquetMetricLinkage(LearnedLinkage):
    r"""Share of records that the best Choquet integral with a submodular measure links to their own row.

    A submodular measure makes the root of the integral a distance: the triangle inequality holds.

    Formula: as choquet-linkage, with $\mu(A \cup i) + \mu(A \cup j) \ge \mu(A \cup ij) + \mu(A)$

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the intruder is supposed to use a proper distance.
    """

    model = ChoquetMetric()
    contained = WeightedMean()
    most_attributes = 8
