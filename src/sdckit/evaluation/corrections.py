"""Corrections: what transparency gives to researchers.

A researcher who knows method and parameters can remove the bias that a masking puts on variances, correlations and
regressions, from the released file and the published recipe alone. Standard errors come from a parametric bootstrap: a
stand-in for the original, with the corrected covariances, is resampled, masked by the published recipe and corrected
again, many times. The deviations of these estimates from the stand-in's own figures give standard errors and intervals
for the population of the original; they include both the sampling error and the noise of the masking.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import CorrectsMoments
from sdckit.draws import Draws
from sdckit.errors import NotApplicableError, ParameterError, SchemaError
from sdckit.kernels.moments import means_and_covariances
from sdckit.measure import number
from sdckit.microdata import Kind, Microdata
from sdckit.randomness import child, generator
from sdckit.recipe import Recipe

REPLICATES, FEWEST = 400, 50
MOST_VALUES = 40_000_000  # drawn for the standard errors: a large file is repeated less often
Moments = tuple[NDArray[np.float64], NDArray[np.float64]]
Statistic = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Estimate:
    """An estimate from the released file, its correction, and the standard error and interval of the correction."""

    name: str
    released: float
    corrected: float
    standard_error: float
    interval: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what the method does not determine is null."""
        return {
            "name": self.name,
            "released": number(self.released),
            "corrected": number(self.corrected),
            "standard_error": number(self.standard_error),
            "interval": [number(end) for end in self.interval],
        }


def corrected_statistics(
    masked: Microdata,
    recipe: Recipe,
    names: Sequence[str] = (),
    *,
    seed: int | None = None,
    replicates: int = REPLICATES,
) -> list[Estimate]:
    """Means, variances and correlations of the original, from the released file and the recipe.

    Parameters
    ----------
    names
        The attributes, by default the ordered ones that the recipe masks: the others need no correction.
    seed
        Seed of the resampling behind the standard errors.
    replicates
        How often the file is resampled, at least 50; a large file is resampled less often, but 50 times at least.

    Returns
    -------
    Each statistic as released and corrected, with the standard error and the 95 % interval of the correction.

    Example
    -------
    >>> from sdckit.datasets import simulate_business
    >>> from sdckit.release import protect
    >>> release = protect(simulate_business(60, seed=1), "additive-noise:variance_share=0.25", ["wages"], seed=1)
    >>> mean, variance = corrected_statistics(release.masked, release.recipe, seed=1)
    >>> variance.name, round(variance.released / variance.corrected, 9)
    ('variance of wages', 1.25)
    """
    chosen = tuple(names) or masked_attributes(masked, recipe)
    if not chosen:
        raise NotApplicableError(
            "the recipe masks no ordered attribute of the released file; means and correlations need one"
        )
    moments = _Moments.of(masked, recipe, chosen, seed, replicates)
    pairs = [(i, j) for j in range(len(chosen)) for i in range(j)]
    return [
        *(moments.estimate(f"mean of {name}", _mean(j)) for j, name in enumerate(chosen)),
        *(moments.estimate(f"variance of {name}", _variance(j), (0.0, np.inf)) for j, name in enumerate(chosen)),
        *(
            moments.estimate(f"correlation of {chosen[i]} and {chosen[j]}", _correlation(i, j), (-1.0, 1.0))
            for i, j in pairs
        ),
    ]


def masked_attributes(masked: Microdata, recipe: Recipe) -> tuple[str, ...]:
    """The ordered attributes of a released file whose values a step of the recipe changes.

    A step that only leaves values or records out changes none, and bands are no numbers to correct.
    """
    steps = zip(recipe.steps, recipe.touched(masked), strict=True)
    touched = {name for step, names in steps if not step.masking.leaves_out for name in names}
    return tuple(
        name for name in masked.names(kind=Kind.ORDERED) if name in touched and masked.attribute(name).bands is None
    )


def corrected_regression(
    masked: Microdata,
    recipe: Recipe,
    outcome: str,
    predictors: Sequence[str],
    *,
    seed: int | None = None,
    replicates: int = REPLICATES,
) -> list[Estimate]:
    """The slopes of a linear regression in the original, from the released file and the recipe.

    Noise on a predictor pulls its slope towards zero; the correction takes the noise out of the covariances first.
    """
    if outcome in predictors or not predictors:
        raise SchemaError("a regression needs predictors, and the outcome is none of them")
    names = (*predictors, outcome)
    moments = _Moments.of(masked, recipe, names, seed, replicates)
    return [moments.estimate(name, _slope(j, len(predictors))) for j, name in enumerate(predictors)]


def require_enough(replicates: int) -> None:
    """Refuse fewer replicates than a standard error needs."""
    if replicates < FEWEST:
        raise ParameterError(f"replicates is {replicates}; a standard error needs at least {FEWEST}")


def _mean(j: int) -> Statistic:
    return lambda means, covariances: means[:, j]


def _variance(j: int) -> Statistic:
    return lambda means, covariances: covariances[:, j, j]


def _correlation(i: int, j: int) -> Statistic:
    def of(means: NDArray[np.float64], covariances: NDArray[np.float64]) -> NDArray[np.float64]:
        scale = covariances[:, i, i] * covariances[:, j, j]
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: NDArray[np.float64] = covariances[:, i, j] / np.sqrt(np.where(scale > 0, scale, np.nan))
        return np.clip(shares, -1.0, 1.0)

    return of


def _slope(j: int, predictors: int) -> Statistic:
    def of(means: NDArray[np.float64], covariances: NDArray[np.float64]) -> NDArray[np.float64]:
        known = np.isfinite(covariances.reshape(len(covariances), -1)).all(axis=1)
        slopes = np.full(len(covariances), np.nan)
        left, right = covariances[known][:, :predictors, :predictors], covariances[known][:, :predictors, predictors:]
        slopes[known] = (np.linalg.pinv(left) @ right)[:, j, 0]
        return slopes

    return of


@dataclass(frozen=True, eq=False)
class _Moments:
    """Means and covariances, each with an axis of one or many files in front."""

    released: Moments
    corrected: Moments
    stand_in: Moments
    repeated: Moments

    @classmethod
    def of(
        cls, masked: Microdata, recipe: Recipe, names: Sequence[str], seed: int | None, replicates: int
    ) -> "_Moments":
        require_enough(replicates)
        values = masked.matrix(names)
        values = values[~np.isnan(values).any(axis=1)]
        if len(values) < 2:
            raise NotApplicableError("fewer than two released records have values for all these attributes")
        released = moments_of(values)
        corrected = corrected_through(recipe, masked, names, *released)
        original = stand_in(values, released[1][0], corrected[1][0])
        rng = child(generator(seed or 0), "corrections")
        means, covariances = [], []
        for _ in range(min(replicates, max(FEWEST, MOST_VALUES // values.size))):
            sample = masked_again(original[rng.integers(0, len(original), len(original))], recipe, masked, names, rng)
            mean, covariance = corrected_through(recipe, masked, names, *moments_of(sample))
            means.append(mean[0])
            covariances.append(covariance[0])
        return cls(released, corrected, moments_of(original), (np.array(means), np.array(covariances)))

    def estimate(self, name: str, statistic: Statistic, within: tuple[float, float] = (-np.inf, np.inf)) -> Estimate:
        """A statistic of the moments with its standard error and 95 % interval, cut off at its possible values."""
        released, corrected = float(statistic(*self.released)[0]), float(statistic(*self.corrected)[0])
        errors = statistic(*self.repeated) - statistic(*self.stand_in)[0]
        errors = errors[np.isfinite(errors)]
        if not np.isfinite(corrected) or len(errors) < FEWEST // 2:
            return Estimate(name, released, np.nan, np.nan, (np.nan, np.nan))
        low, high = np.quantile(errors, [0.025, 0.975])
        ends = np.clip([corrected - high, corrected - low], *within)
        return Estimate(name, released, corrected, float(errors.std(ddof=1)), (float(ends[0]), float(ends[1])))


def moments_of(values: NDArray[np.float64]) -> Moments:
    """Means and covariances of one complete file."""
    means, covariances = means_and_covariances(values)
    return means[None], covariances[None]


def stand_in(
    values: NDArray[np.float64], released: NDArray[np.float64], corrected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The released records, transformed linearly to the corrected covariances, or variances if only these are known."""
    mean = values.mean(axis=0)
    if np.isfinite(corrected).all() and np.linalg.eigvalsh(corrected)[0] > 0 and np.linalg.eigvalsh(released)[0] > 0:
        turn = np.linalg.cholesky(corrected) @ np.linalg.inv(np.linalg.cholesky(released))
        turned: NDArray[np.float64] = mean + (values - mean) @ turn.T
        return turned
    variances, target_variances = np.diag(released), np.diag(corrected)
    usable = np.isfinite(target_variances) & (target_variances > 0) & (variances > 0)
    scale = np.sqrt(np.where(usable, target_variances, 1.0) / np.where(usable, variances, 1.0))
    scaled: NDArray[np.float64] = mean + (values - mean) * scale
    return scaled


def masked_again(
    values: NDArray[np.float64], recipe: Recipe, masked: Microdata, names: Sequence[str], rng: np.random.Generator
) -> NDArray[np.float64]:
    """A file after the steps of the recipe that draw noise; the others leave what is estimated unchanged."""
    values = values.copy()
    for step, touched in zip(recipe.steps, recipe.touched(masked), strict=True):
        columns = [column for column, name in enumerate(names) if name in touched]
        if columns and step.masking.draws_values:
            values[:, columns] = step.masking.transform(values[:, columns], Draws.from_generator(rng, len(values)))
    return values


def corrected_through(
    recipe: Recipe,
    masked: Microdata,
    names: Sequence[str],
    means: NDArray[np.float64],
    covariances: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Undo the steps of a recipe on the moments, the last one first."""
    means, covariances = means.copy(), covariances.copy()
    for step, touched in reversed(list(zip(recipe.steps, recipe.touched(masked), strict=True))):
        columns = [column for column, name in enumerate(names) if name in touched]
        if not columns:
            continue
        block = np.ix_(range(len(means)), columns, columns)
        moments: Moments = (means[:, columns], covariances[block])
        if isinstance(step.masking, CorrectsMoments):
            moments = step.masking.corrected_moments(*moments)
        else:
            moments = (np.full_like(moments[0], np.nan), np.full_like(moments[1], np.nan))
        means[:, columns], covariances[block] = moments
        if np.isnan(covariances[block]).any():  # then the covariances with unmasked attributes are unknown too
            others = [column for column in range(len(names)) if column not in columns]
            covariances[np.ix_(range(len(means)), columns, others)] = np.nan
            covariances[np.ix_(range(len(means)), others, columns)] = np.nan
    return means, covariances
