"""Fuzzy c-regression models: several linear regressions at once, each record belonging to each by degrees.

E = ‖y − Θᵀx‖² takes the part of the distance: u = E^−p / Σ E^−p, p = 1 / (m − 1), and each model is the regression with
weights u^m (Hathaway and Bezdek 1993). The objective Σ u^m E has many local minima: take several starts.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import check_fuzziness, exponent_of, power_of

ROWS = 4096  # records at a time: bounds memory
RIDGE = 1e-10  # of the mean diagonal, so that predictors that add up to another leave the model one solution


@dataclass(frozen=True, eq=False)
class RegressionModels:
    """The result: coefficients of each model (models, predictors + 1, outcomes), the intercept first.

    `objective`   the objective before each step; it never rises
    `empty`       models that no record has a weight for
    """

    coefficients: NDArray[np.float64]
    objective: NDArray[np.float64]
    converged: bool
    empty: NDArray[np.int64]
    fuzziness: float

    def predictions(self, predictors: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each model predicts for each record: (records, models, outcomes)."""
        return np.asarray(np.einsum("np,cpq->ncq", _with_intercept(predictors), self.coefficients), dtype=np.float64)

    def memberships(self, predictors: NDArray[np.float64], outcomes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each record belongs to each model; rows sum to 1."""
        errors = _errors(_with_intercept(predictors), _columns(outcomes), self.coefficients)
        return np.exp(_log_memberships(errors, self.fuzziness))


def c_regression(
    predictors: NDArray[np.float64],
    outcomes: NDArray[np.float64],
    labels: NDArray[np.int64],
    fuzziness: float = 2.0,
    *,
    weights: NDArray[np.float64] | None = None,
    tolerance: float = 1e-9,
    max_rounds: int = 300,
) -> RegressionModels:
    """Fuzzy c-regression models, from an initial model of each record.

    `labels` say which of the models 0 … c − 1 a record belongs to at first. The iteration ends when the objective falls
    by less than a share `tolerance` of it. One model is the ordinary regression.

    Example
    -------
    >>> x = np.arange(6.0)
    >>> y = np.where(x < 3, x, 10 - x)
    >>> found = c_regression(x[:, None], y, (x > 2).astype(int), fuzziness=1.5)
    >>> found.coefficients[1, :, 0].round(6)  # y = 10 − x
    array([10., -1.])
    """
    check_fuzziness(fuzziness)
    design, targets = _with_intercept(predictors), _columns(outcomes)
    models = _checked(design, targets, labels)
    share = np.ones(len(design)) if weights is None else np.asarray(weights, dtype=np.float64)
    influence = np.zeros((len(design), models))
    influence[np.arange(len(design)), labels] = share
    coefficients = np.zeros((models, design.shape[1], targets.shape[1]))
    coefficients, _ = _fitted(design, targets, lambda rows: influence[rows], coefficients)
    path: list[float] = []
    converged, empty = False, np.empty(0, dtype=np.int64)
    for _ in range(max_rounds):
        step = _Step(design, targets, share, coefficients, fuzziness)
        coefficients, empty = _fitted(design, targets, step, coefficients)
        path.append(step.objective)
        if len(path) > 1 and path[-2] - path[-1] <= tolerance * max(path[0], np.finfo(float).tiny):
            converged = True
            break
    return RegressionModels(coefficients, np.array(path), converged, empty, fuzziness)


@dataclass
class _Step:
    """The weights u^m of a block of records under the present models; the objective adds up along the way."""

    design: NDArray[np.float64]
    targets: NDArray[np.float64]
    share: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    fuzziness: float
    objective: float = 0.0

    def __call__(self, rows: slice) -> NDArray[np.float64]:
        errors = _errors(self.design[rows], self.targets[rows], self.coefficients)
        raised = _raised(errors, self.fuzziness) * self.share[rows, None]
        self.objective += float((raised * errors).sum())
        return raised


def _checked(design: NDArray[np.float64], targets: NDArray[np.float64], labels: NDArray[np.int64]) -> int:
    if np.isnan(design).any() or np.isnan(targets).any():
        raise ValueError("a regression needs all values; fill or drop records with missing ones first")
    if len(labels) != len(design) or len(targets) != len(design):
        raise ValueError(f"{len(design)} records, {len(targets)} outcomes and {len(labels)} labels do not fit")
    models = int(labels.max()) + 1
    if len(design) < models * design.shape[1]:
        raise ValueError(
            f"{len(design)} records cannot determine {models} models of {design.shape[1]} coefficients; "
            f"ask for at most {len(design) // design.shape[1]} models"
        )
    return models


def _with_intercept(predictors: NDArray[np.float64]) -> NDArray[np.float64]:
    columns = _columns(predictors)
    return np.column_stack([np.ones(len(columns)), columns])


def _columns(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64).reshape(len(values), -1)


def _errors(
    design: NDArray[np.float64], targets: NDArray[np.float64], coefficients: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The squared error of each model for each record."""
    models, width, outcomes = coefficients.shape
    predicted = design @ coefficients.transpose(1, 0, 2).reshape(width, models * outcomes)
    gaps = predicted.reshape(len(design), models, outcomes) - targets[:, None]
    return np.asarray((gaps**2).sum(axis=2), dtype=np.float64)


def _log_memberships(errors: NDArray[np.float64], fuzziness: float) -> NDArray[np.float64]:
    """Logarithms of the memberships; records without error in some models belong to these equally."""
    least = errors.min(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(errors <= least, 0.0, np.log(least) - np.log(errors))
        power = power_of(fuzziness)
        logs = np.where(logs == 0, 0.0, logs * power) if power > 0 else np.zeros(errors.shape)
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True), dtype=np.float64)


def _raised(errors: NDArray[np.float64], fuzziness: float) -> NDArray[np.float64]:
    """u^m; at an infinite m all memberships are equal, whatever the exponent."""
    return np.exp(exponent_of(fuzziness) * _log_memberships(errors, fuzziness))


def _fitted(
    design: NDArray[np.float64],
    targets: NDArray[np.float64],
    weights_of: Callable[[slice], NDArray[np.float64]],
    previous: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The weighted regression of each model, and the models without weight, which stay what they were."""
    models, width, _ = previous.shape
    both = np.column_stack([design, targets])
    moments = np.zeros((models, both.shape[1], both.shape[1]))
    for start in range(0, len(design), ROWS):
        rows = slice(start, min(start + ROWS, len(design)))
        products = (both[rows, :, None] * both[rows, None, :]).reshape(-1, both.shape[1] ** 2)
        moments += (weights_of(rows).T @ products).reshape(moments.shape)
    empty = np.flatnonzero(~(moments[:, 0, 0] > 0))
    fitted = previous.copy()
    for model in np.flatnonzero(moments[:, 0, 0] > 0):
        moment = moments[model] / moments[model, 0, 0]
        gram = moment[:width, :width]
        ridge = RIDGE * np.trace(gram) / width * np.eye(width)
        fitted[model] = np.linalg.solve(gram + ridge, moment[:width, width:] + ridge @ previous[model])
    return fitted, empty
