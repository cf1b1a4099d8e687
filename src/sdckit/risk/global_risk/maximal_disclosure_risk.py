"""Maximal disclosure risk: a record can be re-identified by guessing within its cluster."""

from sdckit.measure import Cost, Need, risk
from sdckit.risk.global_risk.disclosure_risk import GlobalRisk
from sdckit.risk.global_risk.weights import Weights


@risk("maximal-disclosure-risk", reference="truta2004", needs={Need.ROWS}, cost=Cost.SLOW)
class MaximalDisclosureRisk(GlobalRisk):
    r"""Mean probability of re-identifying a record by guessing in its cluster, reduced by how much the keys changed.

    A record that shares its keys with i records in the release and with j in the original is re-identified with
    probability one in the larger number. No other weighting of clusters gives a larger risk. The figure is that of the
    subset of keys with which it is largest.

    Formula: $\max_v \prod_k (1 - v_k \cdot \mathrm{icf}_k) \cdot \frac{1}{n} \sum_{i, j} \frac{c^v_{ij}}{\max(i, j)}$

    Intruder: knows the keys of everybody in the original, guesses within clusters that agree on them, and picks the
    keys to link by.

    Use it when any release, of one method or of a chain, is to be judged by one cautious figure.
    """

    def cell_weights(self) -> Weights:
        return Weights()
