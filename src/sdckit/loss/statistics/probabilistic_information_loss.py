"""PIL: the probability that the change of a statistic exceeds sampling error."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.asymptotic_errors import Moments, probability_of_less, quantiles
from sdckit.loss.statistics.mean_variation import with_values
from sdckit.measure import Measure, Score, loss
from sdckit.microdata import Kind
from sdckit.release import Release

PERCENTAGES = np.arange(5, 100, 5)


@loss("probabilistic-information-loss", headline=3, sees=Kind.ORDERED, reference="mateo2005")
class ProbabilisticInformationLoss(Measure):
    r"""Mean probability that a statistic of another sample would differ by less than the masked file does (PIL).

    The statistics are the quantiles (5 %, 10 % … 95 %), means, variances, covariances and correlations of the ordered
    attributes; the figure is the average of these five, each of which is in the details. It lies between 0 and 1
    whatever the attributes, so that losses of different files can be compared. In a large file samples hardly differ,
    and a small change is already beyond sampling error.

    Formula: $\mathrm{PIL}(\theta) = 2 \cdot \Phi(\frac{|\theta - \theta'|}{\sqrt{\mathrm{Var}(\theta)}}) -
    1$,  $\mathrm{Var}(\theta)$ the sampling variance of $\theta$ in the original

    Use it when a bounded figure is needed that compares the change by masking with sampling error.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        parts = _parts(release.original.matrix(names), release.masked.matrix(names))
        figures = {part: _mean(probabilities) for part, probabilities in parts.items()}
        by_column = [
            _mean([_mean(probabilities[:, column]) for probabilities in parts.values()]) for column in range(len(names))
        ]
        return Score(
            float(np.nan_to_num(_mean([*figures.values()]))),
            by_attribute=dict(zip(names, np.nan_to_num(by_column).tolist(), strict=True)),
            baseline=0.0,
            details={part: figure for part, figure in figures.items() if np.isfinite(figure)},
        )


def _parts(original: NDArray[np.float64], masked: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The probabilities of each kind of statistic, one column per attribute; NaN where there is no such statistic."""
    before, after = Moments(original), Moments(masked)
    variances = before.variance()
    deviation = np.sqrt(variances[0])
    scale = np.maximum(np.abs(before.means), deviation)
    ordered, products = quantiles(original, PERCENTAGES), np.outer(deviation, deviation)
    others = np.where(np.eye(original.shape[1], dtype=bool), np.nan, 1.0)
    probabilities = {
        "quantiles": probability_of_less(ordered, quantiles(masked, PERCENTAGES)[0], np.zeros_like(ordered[0])),
        "means": probability_of_less(before.mean(), after.mean()[0], scale)[None, :],
        "variances": probability_of_less(variances, after.variance()[0], variances[0])[None, :],
        "covariances": probability_of_less(before.covariance(), after.covariance()[0], products) * others,
        "correlations": probability_of_less(before.correlation(), after.correlation()[0], np.ones_like(products))
        * others,
    }
    there = np.where(np.isnan(original).all(axis=0), np.nan, 1.0)
    return {part: found * there for part, found in probabilities.items()}


def _mean(probabilities: ArrayLike) -> float:
    """The mean of what there is, NaN where there is nothing."""
    figures = np.asarray(probabilities, dtype=np.float64)
    seen = figures[~np.isnan(figures)]
    return float(seen.mean()) if seen.size else np.nan
