"""Risks that follow from the classes of keys: the same figures as in memory, without those of single records."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from sdckit.engines.hole_classes import AgreeingClasses
from sdckit.engines.key_classes import KeyClasses, Reading
from sdckit.kernels.individual_risk import individual_risks
from sdckit.kernels.intervals import wilson
from sdckit.kernels.population_classes import MeanInverse, mean_inverse
from sdckit.measure import Measure, Score
from sdckit.risk.uniqueness.individual_risk import IndividualRisk
from sdckit.risk.uniqueness.k_anonymity import KAnonymity
from sdckit.risk.uniqueness.key_measure import BOTH, KeyMeasure, side_by_side
from sdckit.risk.uniqueness.population_classes import chosen_model, within_interval
from sdckit.risk.uniqueness.prosecutor_risk import ProsecutorRisk
from sdckit.risk.uniqueness.uniqueness import Uniqueness

Figure = Callable[[Reading], Score]

MODELLED = 8_192  # classes whose population frequency is modelled at a time: bounds memory


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
        return figure(classes.own_value)
    score = side_by_side(
        figure(classes.any_value), figure(classes.own_value), measure.holes, classes.suppressed_records
    )
    if not isinstance(measure, KAnonymity):
        return score
    own = score.details["smallest_class_by_holes"][str(BOTH[1])]
    return replace(score, details={**score.details, "smallest_class_of_equal_rows": own})


def _share_below(classes: Reading, smallest: int) -> Score:
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


def _uniqueness(classes: Reading) -> Score:
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


def _prosecutor(classes: Reading, threshold: float) -> Score:
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


def _individual(classes: Reading) -> Score:
    size = max(classes.classes.total_weight, float(classes.records))
    estimate = mean_inverse(classes.partition(), size) if size > classes.records else None
    sums: list[float] = []
    largest: list[float] = []
    modelled: list[tuple[float, ...]] = []
    for each in classes.weighted():
        probability = individual_risks(each.frequency, each.population)
        sums.append(float(np.dot(probability, each.sizes)))
        largest.append(float(probability.max()))
        if estimate is not None:
            modelled.extend(_sums_by_model(estimate, each, classes.records))
    matches = math.fsum(sums)
    return Score(
        matches / classes.records,
        baseline=1.0 / size,
        details={
            "attributes": classes.names,
            "expected_matches": matches,
            "largest": max(largest),
            "by_class_sizes": _by_class_sizes(classes, estimate, modelled),
            "population": size,
        },
    )


def _sums_by_model(estimate: MeanInverse, classes: AgreeingClasses, records: int) -> Iterator[tuple[float, ...]]:
    """The sum over the records of E(1/F) by either model, for some classes after the other."""
    weight = classes.population / classes.frequency
    for start in range(0, len(weight), MODELLED):
        some = slice(start, start + MODELLED)
        frequency = classes.frequency[some].astype(np.float64)
        yield tuple(
            float(np.dot(fit.model.expected_inverse(frequency, weight[some], float(records)), classes.sizes[some]))
            for fit in (estimate.many, estimate.limited)
        )


def _by_class_sizes(classes: Reading, estimate: MeanInverse | None, sums: list[tuple[float, ...]]) -> float:
    """The mean of E(1/F) by the model of class sizes that fits better; without others in the population, of 1/f."""
    highest = classes.mean(1.0 / classes.frequency)
    if estimate is None:
        return highest
    names = (fit.model.name for fit in (estimate.many, estimate.limited))
    totals = (math.fsum(column) for column in zip(*sums, strict=True))
    means = {name: total / classes.records for name, total in zip(names, totals, strict=True)}
    mean = means[chosen_model(estimate, means).name]
    return float(within_interval(np.array([mean]), np.array([highest]), estimate.interval)[0])
