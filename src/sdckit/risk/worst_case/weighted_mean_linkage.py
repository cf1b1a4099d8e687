"""The best weighted mean of attribute differences."""

from sdckit.linear_distances import WeightedMean
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk(
    "weighted-mean-linkage",
    headline=6,
    reference="abril2012",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.TRUTH},
    cost=Cost.SLOW,
)
class WeightedMeanLinkage(LearnedLinkage):
    r"""Share of records that the best weighted mean of the attribute differences links to their own row.

    The weights say which attributes disclose most. Standardised numbers differ by their squared difference, categories
    by their distance in the tree, or by 0 and 1 without a tree. Where the release lacks a value, the difference is the
    mean one of the known value from all released values. In a file with categories absolute differences of numbers are
    tried too, as in mixed linkage, whose distance is the one with equal weights. Rows that no weights distinguish share
    a link, in the figure and in its proven bound; any other tie is no link.

    Formula: $\max_w |\{i : d_w(a_i, b_i) < d_w(a_i, b_j) \text{ for all } j \ne i\}|$,  $d_w(a, b) = \sum_l w_l \,
    \text{diff}_l(a, b)$,  $w \ge 0$

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the worst case of distance linkage is needed, with a proof and weights that say where to mask more.
    """

    model = WeightedMean()
