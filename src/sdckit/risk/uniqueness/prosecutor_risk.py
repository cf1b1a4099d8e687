"""Prosecutor risk: the target is known to be in the release."""

from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.largest_probability import largest_probability
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("prosecutor-risk", reference="elemam2008")
class ProsecutorRisk(Measure):
    """Largest probability of a correct match for somebody who is known to be in the release.

    A pick among the records that agree is correct with probability 1 / f. The largest probability is that of the
    person most at risk; the mean and the share of records above a threshold are in the details. It has no interval: it
    is a fact of this file.

    Formula: maxᵢ 1 / fᵢ,  fᵢ = the number of released records that agree with record i on the keys

    Intruder: looks for a certain person, knows the keys and that the person is in the release.

    Use it when participation is no secret, as in a register, a census or a file about one's own colleagues.
    """

    threshold: float = param(0.2, "probability above which a record counts as at risk", low=0, high=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release)
        probability = 1.0 / keys.frequency
        return largest_probability(keys, probability, self.threshold, baseline=1.0 / len(probability))
