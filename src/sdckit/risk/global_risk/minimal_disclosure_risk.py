"""Minimal disclosure risk: only records that are unique in both files can be re-identified."""

from sdckit.measure import Cost, Need, risk
from sdckit.risk.global_risk.disclosure_risk import GlobalRisk
from sdckit.risk.global_risk.weights import Uniques, Weights


@risk("minimal-disclosure-risk", reference="truta2004", needs={Need.ROWS}, cost=Cost.SLOW)
class MinimalDisclosureRisk(GlobalRisk):
    r"""Share of records that are unique by their keys in both files, reduced by how much the keys were changed.

    No other weighting of clusters gives a smaller risk, so this is a lower limit for every weighted disclosure risk.
    The figure is that of the subset of keys with which it is largest, since an intruder would leave out a misleading
    key.

    Formula: $\max_v \prod_k (1 - v_k \cdot \mathrm{icf}_k) \cdot \frac{c^v_{11}}{n}$

    Intruder: knows the keys of everybody in the original, links records that are unique by them in both files, and
    picks the keys to link by.

    Use it when any release, of one method or of a chain, is to be judged by one figure, and to see which keys disclose
    most.
    """

    def cell_weights(self) -> Weights:
        return Uniques()
