"""The best weighted mean of attribute differences."""

from sdckit.linear_distances import WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk(
    "weighted-mean-linkage",
    headline=6,
    reference="abril2015",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.TRUTH},
    cost=Cost.SLOW,
)
class WeightedMeanLinkage(LearnedLinkage):
    """Share of records that the best weighted Euclidean distance links to their own row.

    The weights say which attributes give most away. The optimum is mostly proven within seconds.

    Formula: max_w #{i : d_w(aᵢ, bᵢ) < d_w(aᵢ, bⱼ) for all j ≠ i},  d_w(a, b) = Σₗ wₗ (aₗ − bₗ)²,  w ≥ 0

    Intruder: knows the best distance of this kind beforehand; nobody does, so no real intruder of this kind
    re-identifies more.

    Use it when the worst case of distance linkage is needed, with a proof and weights that say where to mask more.
    """

    model = WeightedMean()
