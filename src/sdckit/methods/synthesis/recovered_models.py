"""Recovered models: what an intruder who knows the method finds out about the regressions behind a release.

Rows that are predictions lie on the regressions exactly, so that these can be read off the release. An intruder who
knows the whole file fits them again, and takes the fit that explains the release best.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_regression import RegressionModels
from sdckit.kernels.standardisation import mean_and_deviation, standardise
from sdckit.microdata import Microdata
from sdckit.mixture_law import MixtureRowLaw, Published

if TYPE_CHECKING:
    from sdckit.methods.synthesis.fuzzy_regression_synthesis import FuzzyRegressionSynthesis

Floats = NDArray[np.float64]
TRIALS = 4  # fits of which the one is taken that explains the release best
LEAST = 1e-6  # variance, in those of the outcomes, that rounding may give published predictions
EXPLAINED = 0.05  # share of the variance that the models of a release without residuals may leave unexplained
WITHIN = 0.02  # variance about a model, in those of the outcomes, at least


class _Recovered(NamedTuple):
    models: RegressionModels
    predictions: Floats
    error: Floats  # of each row, to the nearest prediction


def recovered_law(
    masking: "FuzzyRegressionSynthesis",
    released: Microdata,
    attributes: Sequence[str],
    known: Microdata,
    original: Microdata | None,
) -> MixtureRowLaw | None:
    """The mixture law of a release; None where no fit explains it."""
    centre, scale = mean_and_deviation(known.matrix(attributes))
    scale = np.where(scale > 0, scale, 1.0)
    rows, predictors = (released.matrix(attributes) - centre) / scale, standardise(masking.design(released, attributes))
    published = Published(masking.choice.value)
    mixed = masking.residuals or published is Published.WEIGHTED
    fits = [_from_release(masking, rows, predictors, trial, crisp=not mixed) for trial in range(TRIALS)]
    if original is not None:
        points = (original.matrix(attributes) - centre) / scale
        design = standardise(masking.design(original, attributes))
        fits = [_fitted_again(masking, points, design, rows, predictors, trial) for trial in range(TRIALS)]
    best = min(fits, key=lambda each: float(each.error.sum()))
    if not mixed and best.error.mean() > EXPLAINED * rows.shape[1]:
        return None
    if original is not None:
        degrees = best.models.memberships(design, points)
        gaps = points[:, None] - best.models.predictions(design)
    else:
        degrees = best.models.memberships(predictors, rows)
        gaps = None
    shares = degrees.mean(axis=0)
    noise = _noise(best, rows, degrees, gaps)
    disturbance = noise if masking.residuals else np.tile(_rounding(best.error, rows.shape[1]), (len(shares), 1, 1))
    return MixtureRowLaw(
        best.predictions, rows, shares, noise, disturbance, centre, scale, masking.fuzziness, published
    )


def _from_release(
    masking: "FuzzyRegressionSynthesis", rows: Floats, predictors: Floats, trial: int, *, crisp: bool
) -> _Recovered:
    """Models of the released rows; crisp where each row lies on one of them."""
    way = replace(masking, fuzziness=1.0) if crisp else masking
    return _of(way.fitted(rows, predictors, np.random.default_rng(trial)), rows, predictors)


def _fitted_again(
    masking: "FuzzyRegressionSynthesis",
    points: Floats,
    design: Floats,
    rows: Floats,
    predictors: Floats,
    trial: int,
) -> _Recovered:
    """Models of the original, as the method fits them."""
    return _of(masking.fitted(points, design, np.random.default_rng(trial)), rows, predictors)


def _of(models: RegressionModels, rows: Floats, predictors: Floats) -> _Recovered:
    predictions = models.predictions(predictors)
    return _Recovered(models, predictions, ((rows[:, None] - predictions) ** 2).sum(axis=2).min(axis=1))


def _noise(best: _Recovered, rows: Floats, degrees: Floats, gaps: Floats | None) -> Floats:
    """The covariances of the outcomes about each model: those of the known file, or what the release lacks."""
    outcomes = rows.shape[1]
    if gaps is None:
        lacking = np.maximum(1.0 - rows.var(axis=0), WITHIN)  # the outcomes have unit variance
        return np.tile(np.diag(lacking), (degrees.shape[1], 1, 1))
    weights = degrees / np.maximum(degrees.sum(axis=0), 1e-300)
    within: Floats = np.einsum("nc,ncp,ncq->cpq", weights, gaps, gaps)
    return within + LEAST * np.eye(outcomes)


def _rounding(error: Floats, outcomes: int) -> Floats:
    return np.asarray(max(float(np.median(error)), LEAST) * np.eye(outcomes), dtype=np.float64)
