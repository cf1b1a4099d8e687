"""Recovered models: what an intruder who knows the method finds out about the regressions behind a release.

Rows that are predictions lie on the regressions exactly, so that these can be read off the release. An intruder who
knows the whole file fits them again, and takes the fit that explains the release best. Where no fit gives the released
rows, as with many models, who knows the whole file learns the law by masking it again, and who knows less takes a
record to lie about its own prediction.
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
from sdckit.normal_law import lacking_covariances

if TYPE_CHECKING:
    from sdckit.methods.synthesis.fuzzy_regression_synthesis import FuzzyRegressionSynthesis

Floats = NDArray[np.float64]
TRIALS = 4  # fits of which the one is taken that explains the release best
LEAST = 1e-6  # variance, in those of the outcomes, that rounding may give published predictions
EXACT = 1e-3  # mean squared error of released predictions, in the variances of the outcomes, that rounding explains


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
    """The mixture law of a release; with one component about each row, or None, where no fit explains it."""
    known_values = known.matrix(attributes)
    centre, scale = mean_and_deviation(known_values)
    scale = np.where(scale > 0, scale, 1.0)
    rows, predictors = (released.matrix(attributes) - centre) / scale, standardise(masking.design(released, attributes))
    published = Published(masking.choice.value)
    mixed = masking.residuals or published is Published.WEIGHTED
    fits = [_from_release(masking, rows, predictors, trial, crisp=not mixed) for trial in range(TRIALS)]
    if original is not None:
        points = (original.matrix(attributes) - centre) / scale
        design = standardise(masking.design(original, attributes))
        again = [_fitted_again(masking, points, design, rows, predictors, trial) for trial in range(TRIALS)]
        fits = again if mixed else [*fits, *again]
    best = min(fits, key=lambda each: float(each.error.sum()))
    lacking = lacking_covariances((known_values - centre) / scale, rows)
    if not mixed and best.error.mean() > EXACT * rows.shape[1]:
        if original is not None:
            return None
        best = _Recovered(best.models, rows[:, None], np.zeros(len(rows)))
        return _law(masking, best, rows, np.ones(1), lacking[None], centre, scale, published)
    if original is not None:
        degrees = best.models.memberships(design, points)
        gaps = points[:, None] - best.models.predictions(design)
    else:
        degrees = best.models.memberships(predictors, rows)
        gaps = None
    noise = np.tile(lacking, (degrees.shape[1], 1, 1)) if gaps is None else _noise(degrees, gaps)
    return _law(masking, best, rows, degrees.mean(axis=0), noise, centre, scale, published)


def _law(
    masking: "FuzzyRegressionSynthesis",
    best: _Recovered,
    rows: Floats,
    shares: Floats,
    noise: Floats,
    centre: Floats,
    scale: Floats,
    published: Published,
) -> MixtureRowLaw:
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


def _noise(degrees: Floats, gaps: Floats) -> Floats:
    """The covariances of the outcomes of the known file about each model."""
    weights = degrees / np.maximum(degrees.sum(axis=0), 1e-300)
    within: Floats = np.einsum("nc,ncp,ncq->cpq", weights, gaps, gaps)
    return within + LEAST * np.eye(gaps.shape[2])


def _rounding(error: Floats, outcomes: int) -> Floats:
    return np.asarray(max(float(np.median(error)), LEAST) * np.eye(outcomes), dtype=np.float64)
