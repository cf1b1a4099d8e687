"""Discernibility: from how many others each record cannot be distinguished."""

from sdckit.intruder import Intruder
from sdckit.loss.categorical.class_growth import growth, key_frequencies
from sdckit.measure import Measure, Score, loss
from sdckit.release import Release


@loss("discernibility", reference="bayardo2005")
class Discernibility(Measure):
    r"""Growth of the number of pairs of records that agree on all keys, as a share of the largest possible growth.

    The discernibility metric Σ |E|² charges each record with the size of its class; it is in the details for both
    files. The loss is 0 where the masked file has no more pairs that agree than the original, and 1 where all records
    agree. A missing or suppressed key agrees with every value, so a record without keys is charged with the whole file.

    Formula: $\frac{\mathrm{DM}' - \mathrm{DM}}{1 - \mathrm{DM}}$,  $\mathrm{DM} = \frac{1}{n^2} \sum_i f_i$,  $f_i$ the
    number of records that agree with record $i$ on the keys

    Use it when classes were formed by recoding, suppression or grouping, to compare ways to the same k.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        before, after = key_frequencies(release)
        return Score(
            growth(float(before.sum()) / len(before) ** 2, float(after.sum()) / len(after) ** 2),
            baseline=0.0,
            details={"metric_before": float(before.sum()), "metric_after": float(after.sum())},
        )
