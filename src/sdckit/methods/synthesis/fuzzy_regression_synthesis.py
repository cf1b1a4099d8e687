"""Fuzzy regression synthesis: predictions of several regression models at once (Cano and Torra 2009)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.fuzzy.c_regression import RegressionModels, c_regression
from sdckit.fuzzy.starts import distant_records
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.moments import square_root
from sdckit.kernels.standardisation import mean_and_deviation, standardise
from sdckit.masking import masking
from sdckit.methods.synthesis.model_choice import ModelChoice
from sdckit.methods.synthesis.recovered_models import recovered_law
from sdckit.methods.synthesis.regression_synthesis import RegressionSynthesis
from sdckit.microdata import Kind, Microdata
from sdckit.mixture_law import MixtureRowLaw
from sdckit.parameters import param

TOLERANCE, ROUNDS = 1e-6, 100  # predictions are rounded or drawn: a finer fit does not show
FEWEST = 10  # known records by which the scale of the original is estimated
ROWS = 4096  # records compared with the starts at a time: bounds memory


@masking("fuzzy-regression-synthesis", kind=Kind.ORDERED, reference="cano2009")
class FuzzyRegressionSynthesis(RegressionSynthesis):
    r"""Fit several regressions at once, each record belonging to each by degrees, and publish what they predict.

    The number of models controls the trade-off between loss and risk: one model is plain regression (`fitted-values`),
    and with more models predictions come nearer to the original values. A record gets the prediction of one model,
    drawn with its memberships, of the model that fits it best, or of all weighted by memberships; with `residuals` a
    normal draw with the residual covariances of that model is added. Of several starts the fit with the lowest
    objective is taken.

    Formula: $\min \sum_i \sum_k u_{ik}^m \lVert y_k - x_k \Theta_i \rVert^2$,  $y'_k = x_k \Theta_i$ with probability
    $u_{ik}$

    Use it when one regression loses too much, and a single parameter should control loss and risk.

    Excludes nothing: residuals of any size are possible.
    """

    models: int = param(4, "number of regression models (the papers' c)", low=1, grid=(1, 2, 4, 8))
    fuzziness: float = param(1.5, "fuzziness of the memberships (the papers' m)", low=1, high=float("inf"))
    choice: ModelChoice = param(ModelChoice.DRAWN, "model that predicts a record: drawn, best or weighted")
    residuals: bool = param(False, "whether draws with the residual covariances of the model are added")
    starts: int = param(3, "number of starts of which the best fit is taken", low=1)

    @property
    def kept_share(self) -> None:
        """None: the release does not show the residual variance."""
        return

    def records_needed(self, predictors: int, outcomes: int) -> int:
        return self.models * predictors + 1

    def require_records(self, data: Microdata, names: Sequence[str], predictors: int) -> None:
        if len(data) < self.records_needed(predictors, len(names)):
            raise SchemaError(
                f"{self.name} needs at least {self.records_needed(predictors, len(names))} records for {self.models} "
                f"models of {predictors} coefficients, and the file has {len(data)}; use fewer models, or list fewer "
                "attributes in given"
            )

    def synthesised(
        self, outcomes: NDArray[np.float64], design: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        mean, deviation = mean_and_deviation(outcomes)
        targets, predictors = standardise(outcomes), standardise(design)
        fit = self.fitted(targets, predictors, draws.generator())
        memberships = fit.memberships(predictors, targets)
        predictions = fit.predictions(predictors)[equal_rows(design).representatives()]  # equal to the last bit
        chosen = self.chosen_models(memberships, draws)
        if self.choice is ModelChoice.WEIGHTED:
            values = np.einsum("nc,ncq->nq", memberships, predictions)
        else:
            values = predictions[np.arange(len(predictions)), chosen]
        if self.residuals:
            values = values + self.drawn_residuals(targets, predictions, memberships, chosen, draws)
        return np.asarray(mean + values * deviation, dtype=np.float64)

    def fitted(
        self, targets: NDArray[np.float64], predictors: NDArray[np.float64], rng: np.random.Generator
    ) -> RegressionModels:
        """The fit with the lowest objective; the first labels are those of the nearest of some distant records."""
        points = np.column_stack([predictors, targets])
        best: RegressionModels | None = None
        for _ in range(self.starts if self.models > 1 else 1):
            labels = _nearest(points, distant_records(points, self.models, rng))
            found = c_regression(predictors, targets, labels, self.fuzziness, tolerance=TOLERANCE, max_rounds=ROUNDS)
            if best is None or found.objective[-1] < best.objective[-1]:
                best = found
        assert best is not None
        return best

    def chosen_models(self, memberships: NDArray[np.float64], draws: Draws) -> NDArray[np.int64]:
        """The model of each record: drawn with the memberships, else the one of the largest."""
        if self.choice is not ModelChoice.DRAWN:
            return np.asarray(memberships.argmax(axis=1), dtype=np.int64)
        cumulated = np.cumsum(memberships, axis=1)
        uniform = draws.child("model").uniform(1) * cumulated[:, -1:]
        return np.asarray(np.minimum((cumulated <= uniform).sum(axis=1), self.models - 1), dtype=np.int64)

    def mixture_law(
        self, released: Microdata, attributes: Sequence[str], known: Microdata, original: Microdata | None = None
    ) -> MixtureRowLaw | None:
        """Models fitted again to the known file, or read off the release: its rows lie on their predictions."""
        if any(released.missing(name) for name in attributes) or len(known) < FEWEST:
            return None
        if len(released) < self.records_needed(self.design(released, attributes).shape[1] + 1, len(attributes)):
            return None
        return recovered_law(self, released, attributes, known, original)

    def drawn_residuals(
        self,
        targets: NDArray[np.float64],
        predictions: NDArray[np.float64],
        memberships: NDArray[np.float64],
        chosen: NDArray[np.int64],
        draws: Draws,
    ) -> NDArray[np.float64]:
        """Normal draws with the covariances of the residuals about each record's model, weighted by memberships."""
        drawn = draws.normal(targets.shape[1])
        for model in range(self.models):
            rest = targets - predictions[:, model]
            weight = memberships[:, model]
            covariances = (rest * weight[:, None]).T @ rest / max(float(weight.sum()), 1e-300)
            own = chosen == model
            drawn[own] = drawn[own] @ square_root(covariances).T
        return drawn


def _nearest(points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.int64]:
    """The nearest centre of each record; where one has no record, the first records begin one model each."""
    labels = np.empty(len(points), dtype=np.int64)
    for start in range(0, len(points), ROWS):
        part = points[start : start + ROWS]
        labels[start : start + ROWS] = ((part[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
    if len(np.unique(labels)) < len(centres):
        labels[: len(centres)] = np.arange(len(centres))
    return labels
