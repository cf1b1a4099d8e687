"""The best Mahalanobis-like distance."""

from sdckit.linear_distances import BilinearMetric, WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk(
    "bilinear-metric-linkage", reference="abril2015", finds=Finds.RECORDS, needs={Need.ROWS, Need.TRUTH}, cost=Cost.SLOW
)
class BilinearMetricLinkage(LearnedLinkage):
    r"""Share of records that the best positive semidefinite form of the differences links to their own row.

    As bilinear-linkage, restricted to forms whose root is a distance of records of numbers: generalised Mahalanobis
    distances.

    Formula: as bilinear-linkage, with $\Sigma$ positive semidefinite

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the intruder is supposed to use a proper distance.
    """

    model = BilinearMetric()
    contained = WeightedMean()
