"""The best symmetric bilinear form of attribute differences."""

from sdckit.linear_distances import Bilinear, WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk("bilinear-linkage", reference="abril2015", finds=Finds.RECORDS, needs={Need.ROWS, Need.TRUTH}, cost=Cost.SLOW)
class BilinearLinkage(LearnedLinkage):
    r"""Share of records that the best symmetric bilinear form of the differences links to their own row.

    Pairs of differences have weights, so that the noise of one attribute is inferred from that of another. Any linear
    change of numeric attributes leaves the figure unchanged. The matrix is unrestricted, so the form may be negative.

    Formula: as weighted-mean-linkage, with $d_\Sigma(a, b) = \delta^\top \Sigma \delta$,  $\delta_l^2 =
    \text{diff}_l(a, b)$,  $\Sigma$ symmetric

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when attributes are correlated, as the Mahalanobis distance and every distance in between are of this kind.
    """

    model = Bilinear()
    contained = WeightedMean()
