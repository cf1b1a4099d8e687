"""Losses that follow from sums over the parts: the same figures as in memory to about twelve digits."""

import math
from collections.abc import Callable

import numpy as np

from sdckit.attribute import Kind
from sdckit.engines.pair_statistics import PairStatistics
from sdckit.errors import NotApplicableError
from sdckit.loss.statistics.il1 import Il1
from sdckit.loss.statistics.il1s import Il1s
from sdckit.loss.statistics.il2 import Il2
from sdckit.loss.statistics.il3 import Il3
from sdckit.loss.statistics.il4 import Il4
from sdckit.loss.statistics.il5 import Il5
from sdckit.loss.statistics.il5_variation import Il5Variation
from sdckit.loss.statistics.variables_loss import VariablesLoss
from sdckit.measure import Measure, Score

Figure = Callable[[PairStatistics], Score]


def figure_of(measure: Measure) -> Figure | None:
    """The score of a loss by sums over the parts; None where it needs more than these."""
    if isinstance(measure, Il2 | Il3 | Il4):
        by_moments = measure.of_moments
        return lambda found: by_moments(found.names, found.files[0].moments, found.files[1].moments)
    if isinstance(measure, Il5):
        by_correlations = measure.of_correlations
        return lambda found: by_correlations(_two(found), found.files[0].correlations, found.files[1].correlations)
    if isinstance(measure, Il5Variation):
        variation_of = measure.of_correlations
        return lambda found: variation_of(_two(found), found.files[0].correlations, found.files[1].correlations)
    if isinstance(measure, Il1):
        cap = measure.cap
        return lambda found: _il1(found, cap)
    if isinstance(measure, VariablesLoss):
        standardised = measure.standardised
        return lambda found: _variables_loss(found, standardised)
    return _il1s if isinstance(measure, Il1s) else None


def _two(found: PairStatistics) -> tuple[str, ...]:
    if len(found.names) < 2:
        raise NotApplicableError("correlations need at least two ordered attributes")
    return found.names


def _il1(found: PairStatistics, cap: float) -> Score:
    sums = found.moved(cap)
    ratios = sums["ratios"].sum()
    value = math.fsum(sums["ratio"]) / ratios if ratios else float(sums["differing"][0] > 0)
    return Score(
        value,
        by_attribute=dict(zip(found.names, (sums["ratio"] / np.maximum(sums["ratios"], 1)).tolist(), strict=True)),
        baseline=0.0,
        details={"zeros_skipped": int(sums["zeros"][0]), "cells": found.pair.records * len(found.names)},
    )


def _il1s(found: PairStatistics) -> Score:
    sums, deviation = found.moved(), found.files[0].deviations
    moving = deviation > 0
    total = np.where(moving, sums["distance"] / np.where(moving, np.sqrt(2) * deviation, 1.0) + sums["removed"], 0.0)
    counts = np.where(moving, sums["both"] + sums["removed"], 0.0)
    value = math.fsum(total) / counts.sum() if counts.any() else float(sums["differing"][0] > 0)
    return Score(
        value,
        by_attribute=dict(zip(found.names, (total / np.maximum(counts, 1)).tolist(), strict=True)),
        baseline=0.0,
        details={"constant_attributes": int((~moving).sum())},
    )


def _variables_loss(found: PairStatistics, standardised: bool) -> Score:
    names = found.pair.evaluated(Kind.ANY)
    own = dict(zip(found.names, found.files[0].deviations.tolist(), strict=True)) if standardised else {}
    sums = found.changed(names, {name: own.get(name, 1.0) for name in names})
    return Score(
        math.fsum(sums["sums"]) / max(sums["counts"].sum(), 1.0),
        by_attribute=dict(zip(names, (sums["sums"] / np.maximum(sums["counts"], 1)).tolist(), strict=True)),
        baseline=0.0,
    )
