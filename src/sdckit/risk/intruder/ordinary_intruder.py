"""The ordinary intruder: has the release and the known attributes, and does not know how the file was masked."""

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.laws.agreement_fit import agreement_law
from sdckit.laws.release_law import ReleaseLaw
from sdckit.measure import Finds, Need, risk
from sdckit.risk.intruder.joint_attack import JointAttack


@risk(
    "ordinary-intruder",
    headline=2,
    heading="Re-identified, method unknown",
    reference="jaro1989",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
)
class OrdinaryIntruder(JointAttack):
    r"""Share of records whose likeliest row is theirs, by an intruder who does not know the method.

    How well each attribute agrees between a record and its row is learned from the two files alone, by EM: combinations
    of values that both files have show which attributes are unchanged, and pairs that fit well on some attributes show
    how far the others have moved. Inference is that of the informed intruder, so the difference between the two is what
    publishing the method discloses.

    Formula: $\frac{1}{m} \sum_x [\operatorname{argmax}_r \Pr(r \text{ belongs to } x \mid \text{release}) \text{
    belongs to } x]$,  $\ell(r \mid x)$ by mixtures fitted with EM

    Intruder: knows some attributes of some records, and that no two records share a row.

    Use it when the method is kept secret, and beside the informed intruder to see how much secrecy protects.
    """

    def law(self, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        return agreement_law(view, rng)
