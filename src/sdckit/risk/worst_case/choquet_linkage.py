"""The best Choquet integral of attribute differences."""

from sdckit.linear_distances import Choquet, WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk(
    "choquet-linkage", reference="abril2012choquet", finds=Finds.RECORDS, needs={Need.ROWS, Need.TRUTH}, cost=Cost.SLOW
)
class ChoquetLinkage(LearnedLinkage):
    r"""Share of records that the best Choquet integral of the differences links to their own row.

    Sets of attributes have weights, not single ones: the interactions show which attributes were masked together.

    Formula: as weighted-mean-linkage, with $d_\mu(a, b) = \sum_t (d_{(t)} - d_{(t + 1)}) \cdot \mu(\text{the } t \text{
    largest})$,  $\mu$ monotone

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when blocks of attributes were masked together, as in blockwise microaggregation.
    """

    model = Choquet()
    contained = WeightedMean()
    most_attributes = 8
