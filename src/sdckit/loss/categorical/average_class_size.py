"""Average class size: how many records a class has on average."""

from sdckit.intruder import Intruder
from sdckit.loss.categorical.class_growth import growth, key_frequencies
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release


@loss("average-class-size", reference="lefevre2006")
class AverageClassSize(Measure):
    r"""Growth of the average size of classes that agree on all keys, as a share of the largest possible growth.

    The average class has n / |classes| records; with suppressed keys, which agree with every value, Σ 1 / f counts the
    classes. C_avg, the average divided by the required k, is in the details: 1 is the best that k-anonymity
    can do. The loss is 0 where classes are no larger than in the original, and 1 where there is one class.

    Formula: $\frac{A' - A}{1 - A}$,  $A = \frac{1}{\sum_i 1 / f_i}$,  $f_i$ the number of records that agree with
    record $i$ on the keys

    Use it when classes of at least k records were formed, to see how much larger than needed they are.
    """

    group_size: int = param(3, "the required number of records (k)", low=1, grid=(2, 3, 5, 10))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        before, after = key_frequencies(release)
        classes_before, classes_after = float((1 / before).sum()), float((1 / after).sum())
        return Score(
            growth(1 / classes_before, 1 / classes_after),
            baseline=0.0,
            details={
                "mean_class_before": len(before) / classes_before,
                "mean_class_after": len(after) / classes_after,
                "c_avg": len(after) / classes_after / self.group_size,
            },
        )
