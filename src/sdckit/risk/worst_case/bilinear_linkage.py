"""The best symmetric bilinear form of attribute differences."""

from sdckit.linear_distances import Bilinear, WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk("bilinear-linkage", reference="abril2015", finds=Finds.RECORDS, needs={Need.ROWS, Need.TRUTH}, cost=Cost.SLOW)
class BilinearLinkage(LearnedLinkage):
    """Share of records that the best symmetric bilinear form of the differences links to their own row.

    Differences weigh in pairs, so the noise of one attribute can be read off another's. Any linear change of the
    attributes leaves the figure unchanged.

    Formula: as weighted-mean-linkage, with d_Σ(a, b) = (a − b)ᵀ Σ (a − b),  Σ symmetric

    Intruder: knows the best distance of this kind beforehand; nobody does, so no real intruder of this kind
    re-identifies more.

    Use it when attributes are correlated, as the Mahalanobis distance and every distance in between are of this kind.
    """

    model = Bilinear()
    contained = WeightedMean()
