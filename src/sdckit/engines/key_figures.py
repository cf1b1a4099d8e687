"""Risks that follow from the classes of keys: the same figures as in memory, without those of single records."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sdckit.engines.key_classes import KeyClasses
from sdckit.kernels.individual_risk import individual_risks
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score
from sdckit.risk.uniqueness.individual_risk import IndividualRisk
from sdckit.risk.uniqueness.k_anonymity import KAnonymity
from sdckit.risk.uniqueness.key_measure import BOTH, KeyMeasure, side_by_side
from sdckit.risk.uniqueness.prosecutor_risk import ProsecutorRisk
from sdckit.risk.uniqueness.uniqueness import Uniqueness

Figure = Callable[[KeyClasses], Score]


def figure_of(measure: Measure) -> Figure | None:
    """The score of a measure by the classes of keys; None where it needs more than these."""
    if isinstance(measure, KAnonymity) and measure.holes in KeyMeasure.readings:
        smallest = measure.group_size
        return lambda classes: _share_below(classes, smallest)
    if isinstance(measure, Uniqueness):
        return _uniqueness
    if isinstance(measure, ProsecutorRisk):
        threshold = measure.threshold
        return lambda classes: _prosecutor(classes, threshold)
    return _individual if isinstance(measure, IndividualRisk) else None


def score_of(measure: Measure, classes: KeyClasses) -> Score:
    """The score by the reading of missing keys that the measure asks for."""
    figure = figure_of(measure)
    assert figure is not None
    assert isinstance(measure, KeyMeasure)
    if not classes.has_holes:
        return figure(classes)
    score = side_by_side(figure(classes.any_value), figure(classes), measure.holes, classes.suppressed_records)
    if not isinstance(measure, KAnonymity):
        return score
    own = score.details["smallest_class_by_holes"][str(BOTH[1])]
    return replace(score, details={**score.details, "smallest_class_of_equal_rows": own})


def _share_below(classes: KeyClasses, smallest: int) -> Score:
    exposed = int(classes.sizes[classes.frequency < smallest].sum())
    return Score(
        exposed / classes.records,
        interval=wilson(float(exposed), classes.records),
        details={
            "attributes": classes.names,
            "smallest_class": int(classes.frequency.min()),
            "records_in_smaller_classes": exposed,
        },
    )


def _uniqueness(classes: KeyClasses) -> Score:
    unique = int(classes.sizes[classes.frequency == 1].sum())
    return Score(
        unique / classes.records,
        interval=wilson(float(unique), classes.records),
        details={
            "attributes": classes.names,
            "smallest_class": int(classes.frequency.min()),
            "mean_class": classes.mean(classes.frequency.astype(np.float64)),
        },
    )


def _prosecutor(classes: KeyClasses, threshold: float) -> Score:
    probability = 1.0 / classes.frequency
    return Score(
        float(probability.max()),
        baseline=1.0 / classes.records,
        details={
            "attributes": classes.names,
            "mean": classes.mean(probability),
            "share_above_threshold": int(classes.sizes[probability > threshold].sum()) / classes.records,
        },
    )


def _individual(classes: KeyClasses) -> Score:
    population = classes.population
    assert classes.weights is not None
    size = max(float(classes.weights.sum()), float(classes.records))
    probability = individual_risks(classes.frequency, population)
    return Score(
        classes.mean(probability),
        baseline=1.0 / size,
        details={
            "attributes": classes.names,
            "expected_matches": classes.mean(probability) * classes.records,
            "largest": float(probability.max()),
            "population": size,
        },
    )
