"""Log-linear risk: the sample uniques by a model of the table of keys."""

from math import prod

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import MISSING, class_of
from sdckit.kernels.log_linear import expected_inverse, fitted_means
from sdckit.measure import Cost, Measure, Score, risk
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population

MOST_CELLS = 20_000_000  # a table beyond this takes too much memory to fit


@risk("log-linear-risk", reference="skinner2008", cost=Cost.SLOW)
class LogLinearRisk(Measure):
    r"""Expected share of records that are matched correctly on sample uniques, by a log-linear model of the keys.

    Counts in the population are Poisson with means λ from a log-linear model fitted to the whole table of the sample,
    empty cells included. With `interactions` 1 the keys are independent, which tends to overstate the risk; 2 adds all
    pairs and needs a table of all combinations. Records with missing keys are not judged. The expected number of
    population uniques is in the details (τ₁). Continuous keys make no table and are left out.

    Formula: $\frac{1}{n} \sum_{\text{sample uniques}} \frac{1 - e^{-x}}{x}$,  $x = \lambda (1 - \pi)$,  $\lambda =
    \frac{\mu}{\pi}$,  $\pi = \frac{n}{N}$

    Intruder: finds a sample unique and picks at random among the persons of the population who agree.

    Use it when the file is a sample with few categorical keys: the model borrows strength from cells nearby.
    """

    interactions: int = param(1, "largest number of keys that interact in the model", low=1, high=3, grid=(1, 2))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release, Kind.DISCRETE | Kind.CATEGORICAL)
        population = size_of_population(release)
        complete = np.flatnonzero((keys.codes != MISSING).all(axis=1))
        if not len(complete):
            raise NotApplicableError("no released record has all keys, so there is no table to fit")
        codes = np.column_stack([class_of(column[:, None]).of for column in keys.codes[complete].T])
        shape = tuple(int(column.max()) + 1 for column in codes.T)
        if self.interactions > 1 and prod(shape) > MOST_CELLS:
            raise NotApplicableError(
                f"the table of the keys has {prod(shape)} cells, more than {MOST_CELLS}; "
                "name fewer keys, or take interactions=1"
            )
        share = len(release.masked) / population
        means = fitted_means(codes, shape, self.interactions)
        unique = class_of(codes)
        sample_unique = unique.sizes[unique.of] == 1
        unseen = means * (1 - share) / share
        probability = np.full(len(release.masked), np.nan)
        probability[complete] = np.where(sample_unique, expected_inverse(unseen), 0.0)
        expected = float(np.nansum(probability))
        return Score(
            expected / len(complete),
            by_record=release.by_original_record(probability),
            baseline=1.0 / population,
            details={
                "attributes": keys.names,
                "cells": float(prod(shape)),
                "sample_uniques": int(sample_unique.sum()),
                "tau_1": float(np.exp(-unseen[sample_unique]).sum()),
                "tau_2": expected,
                "sampling_share": share,
            },
        )
