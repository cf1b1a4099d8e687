"""Weighted disclosure risk: the data steward sets how much a cluster's size matters."""

from sdckit.measure import Cost, Need, risk
from sdckit.parameters import param
from sdckit.risk.global_risk.disclosure_risk import GlobalRisk
from sdckit.risk.global_risk.weights import UpTo, Weights


@risk("weighted-disclosure-risk", reference="truta2004", needs={Need.ROWS}, cost=Cost.SLOW)
class WeightedDisclosureRisk(GlobalRisk):
    r"""Mean probability of re-identifying a record by guessing in its cluster, weighted by cluster sizes in both files.

    Lies between the minimal and the maximal disclosure risk for every matrix that satisfies the rules: weights are
    largest on the diagonal of each row and column and fall along every diagonal. Weights are `up-to(3)` (clusters of
    three count fully, larger ones not), `inverse-size(0.9)`, `equal`, `uniques`, or `matrix(4 2;2 1)`, a matrix of your
    own that is checked rule by rule.

    Formula: $\max_v \prod_k (1 - v_k \cdot \mathrm{icf}_k) \cdot \frac{1}{n \cdot w_{11}} \sum_{i, j} w_{ij} \cdot
    \frac{c^v_{ij}}{\max(i, j)}$

    Intruder: knows the keys of everybody in the original, guesses within clusters that agree on them, and picks the
    keys to link by.

    Use it when a guess among two records counts as a disclosure and a guess among ten does not.
    """

    weights: Weights = param(UpTo(), "weights of cluster sizes: up-to(3), inverse-size(1), equal, uniques or matrix(…)")

    def cell_weights(self) -> Weights:
        return self.weights
