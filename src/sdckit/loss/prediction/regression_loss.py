"""Regression loss: does a linear model of the masked file still predict original records?"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.loss.prediction.held_out import PredictionLoss
from sdckit.measure import Cost, loss
from sdckit.microdata import Kind, Microdata

PENALTY = 1e-6  # of each predictor's variance: attributes that add up to another leave the model one solution


@loss("regression-loss", reference="hundepool2012", cost=Cost.SLOW)
class RegressionLoss(PredictionLoss):
    r"""Share of a linear regression's skill that is lost when it is learnt from the masked file.

    Records are held out in turn. A model learnt from the other original records and one learnt from their masked rows
    both predict them; the skill of either is its R² on the held-out records, so that the best constant, the naive
    guess, has none. An attribute that the others cannot predict in the original is not counted. The interval shows how
    the figure varies with the records on which the models are judged; the variation of the models themselves is not
    included.

    Formula: $\frac{\sum_t \max(R^2_t - \max(R'^2_t, 0), 0)}{\sum_t R^2_t}$,  $t$ the attributes predicted, $R^2$ learnt
    from $x$, $R'^2$ from $x'$

    Use it when the file is released for regressions: it compares the results of an analysis and not single values.
    """

    kinds: ClassVar[Kind] = Kind.ORDERED

    def outcomes(self, original: Microdata, masked: Microdata, name: str) -> tuple[NDArray[np.float64], ...]:
        return original.matrix([name])[:, 0], masked.matrix([name])[:, 0]

    def errors(
        self,
        known: NDArray[np.float64],
        outcome: NDArray[np.float64],
        tested: NDArray[np.float64],
        truth: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        mean, ranges, middle = known.mean(axis=0), np.ptp(known, axis=0), outcome.mean()
        scale = np.where(ranges > 0, ranges, np.inf)
        rows, probe = (known - mean) / scale, (tested - mean) / scale
        gram = rows.T @ rows
        penalised = gram + PENALTY * max(float(np.trace(gram)), 1e-300) / len(gram) * np.eye(len(gram))
        weights = np.linalg.lstsq(penalised, rows.T @ (outcome - middle), rcond=None)[0]
        return np.asarray((middle + probe @ weights - truth) ** 2, dtype=np.float64)

    def least_errors(self, truth: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.square(truth - truth.mean()) if np.ptp(truth) > 0 else np.zeros(len(truth))
