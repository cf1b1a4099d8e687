"""The best symmetric bilinear form of attribute differences that is negative for no pair of records."""

from sdckit.linear_distances import NonNegativeBilinear, WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk(
    "non-negative-bilinear-linkage",
    reference="abril2015",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.TRUTH},
    cost=Cost.SLOW,
)
class NonNegativeBilinearLinkage(LearnedLinkage):
    r"""Share of records that the best bilinear form without negative distances links to their own row.

    As bilinear-linkage, restricted to forms that are not negative for any known and any released record. The matrix
    need not be positive semidefinite: only the pairs of the two files count.

    Formula: as bilinear-linkage, with $\delta^\top \Sigma \delta \ge 0$ for every pair of a known and a released record

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when bilinear-linkage is to be compared with forms that can be read as squared distances.
    """

    model = NonNegativeBilinear()
    contained = WeightedMean()
