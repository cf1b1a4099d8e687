"""The best weighted mean of attribute differences in which every attribute counts."""

from sdckit.linear_distances import WeightedMeanMetric
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk(
    "weighted-mean-metric-linkage",
    reference="abril2012",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.TRUTH},
    cost=Cost.SLOW,
)
class WeightedMeanMetricLinkage(LearnedLinkage):
    """Share of records that the best weighted mean with positive weights links to their own row.

    With positive weights only identical records are at distance 0, so the root of the mean of squared differences is a
    distance. The most links are those of weighted-mean-linkage, as small weights change no link that has a margin.

    Formula: as weighted-mean-linkage, with $w > 0$

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the intruder is supposed to use a proper distance of all known attributes.
    """

    model = WeightedMeanMetric()
