"""Prosecutor risk: the target is known to be in the release."""

from sdckit.measure import Score, risk
from sdckit.parameters import param
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.largest_probability import largest_probability
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("prosecutor-risk", reference="elemam2008")
class ProsecutorRisk(KeyMeasure):
    r"""Largest probability of a correct match for somebody who is known to be in the release.

    A pick among the records that agree is correct with probability 1 / f. The largest probability is that of the person
    most at risk; the mean and the share of records above a threshold are in the details. It has no interval, since it
    is computed for this file and not estimated. Where keys are missing, the details give the figure by both readings of
    a missing key, and the higher one counts. A record without any key is not safe: if it is the only one, an intruder
    who sees that no other row can be the person's has found it.

    Formula: $\max_i \frac{1}{f_i}$,  $f_i$ the number of released records that agree with record $i$ on the keys

    Intruder: looks for a certain person, knows the keys and that the person is in the release.

    Use it when participation is no secret, as in a register, a census or a file about one's own colleagues.
    """

    threshold: float = param(0.2, "probability above which a record counts as at risk", low=0, high=1)

    def of_keys(self, keys: ReleasedKeys) -> Score:
        probability = 1.0 / keys.frequency
        return largest_probability(keys, probability, self.threshold, baseline=1.0 / len(probability))
