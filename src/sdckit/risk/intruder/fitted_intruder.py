"""The intruder between: knows the method, but not its parameters, and fits them to the release."""

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.laws.fitted import fitted_law
from sdckit.laws.release_law import ReleaseLaw
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.parameters import param
from sdckit.risk.intruder.joint_attack import JointAttack


@risk(
    "fitted-intruder",
    reference="nin2008a",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.RECIPE},
    cost=Cost.SLOW,
)
class FittedIntruder(JointAttack):
    r"""Share of records whose likeliest row is theirs, by an intruder who knows the method and not its parameters.

    The parameters are fitted: of the values that a sweep would try, those are taken under which the release is
    likeliest. With `at_most` the published parameters are known as upper bounds. In all other respects this is the
    informed intruder, so the differences between ordinary, fitted and informed show what publishing the method and what
    publishing its parameters discloses.

    Formula: as of informed-intruder, with $\hat{\theta} = \operatorname{argmax}_\theta \sum_{\pi} \prod_x
    \ell_\theta(\pi(x) \mid x)$ over matchings $\pi$ instead of the published parameters

    Intruder: knows some attributes of some records, and which methods were applied to which attributes.

    Use it when the method is to be published but its parameters are to be kept secret, to see how much this protects.
    """

    at_most: bool = param(False, "the published parameters are known as upper bounds")

    def law(self, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        return fitted_law(view, rng, at_most=self.at_most)[0]
