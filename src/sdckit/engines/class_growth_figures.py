"""Losses by the growth of the classes of keys: the same figures as in memory."""

from collections.abc import Callable

import numpy as np

from sdckit.engines.key_classes import KeyClasses
from sdckit.loss.categorical.average_class_size import AverageClassSize
from sdckit.loss.categorical.class_growth import growth
from sdckit.loss.categorical.discernibility import Discernibility
from sdckit.measure import Measure, Score

Figure = Callable[[KeyClasses, KeyClasses], Score]


def figure_of(measure: Measure) -> Figure | None:
    """The score of a loss by the classes of the original and of the masked file; None where it needs more."""
    if isinstance(measure, AverageClassSize):
        smallest = measure.group_size
        return lambda before, after: _average_class_size(before, after, smallest)
    return _discernibility if isinstance(measure, Discernibility) else None


def _discernibility(before: KeyClasses, after: KeyClasses) -> Score:
    first, second = (float(np.dot(each.any_value.frequency, each.sizes)) for each in (before, after))
    return Score(
        growth(first / before.records**2, second / after.records**2),
        baseline=0.0,
        details={"metric_before": first, "metric_after": second},
    )


def _average_class_size(before: KeyClasses, after: KeyClasses, smallest: int) -> Score:
    first, second = (float(np.dot(1 / each.any_value.frequency, each.sizes)) for each in (before, after))
    return Score(
        growth(1 / first, 1 / second),
        baseline=0.0,
        details={
            "mean_class_before": before.records / first,
            "mean_class_after": after.records / second,
            "c_avg": after.records / second / smallest,
        },
    )
