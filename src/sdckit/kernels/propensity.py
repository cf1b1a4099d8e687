"""Propensity: how well a model discriminates between the records of two files."""

import numpy as np
from numpy.typing import NDArray

PENALTY = 1e-6  # a little shrinkage keeps the fit finite where the files are perfectly separable
STEPS = 100
SETTLED = 1e-10


def propensities(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability, by logistic regression, that a row is of the other file: the rows of one, then of the other."""
    from scipy.linalg import solve
    from scipy.special import expit

    rows = np.concatenate([one, other])
    deviation = rows.std(axis=0)
    varying = deviation > 1e-12 * np.abs(rows).max(axis=0, initial=0.0)
    rows = (rows[:, varying] - rows[:, varying].mean(axis=0)) / deviation[varying]
    rows = np.column_stack([np.ones(len(rows)), rows])
    is_other = np.repeat([0.0, 1.0], [len(one), len(other)])
    penalty = np.append(0.0, np.full(rows.shape[1] - 1, PENALTY))
    weights = np.zeros(rows.shape[1])
    weights[0] = np.log(len(other) / len(one))
    for _ in range(STEPS):
        probability = expit(rows @ weights)
        gradient = rows.T @ (probability - is_other) / len(rows) + penalty * weights
        if np.abs(gradient).max() < SETTLED:
            break
        hessian = (rows * (probability * (1 - probability))[:, None]).T @ rows / len(rows) + np.diag(penalty + SETTLED)
        step = solve(hessian, gradient, assume_a="pos")
        cost = _cost(rows, is_other, weights, penalty)
        while _cost(rows, is_other, weights - step, penalty) > cost and np.abs(step).max() > SETTLED:
            step = step / 2
        weights = weights - step
    return np.asarray(expit(rows @ weights), dtype=np.float64)


def tree_propensities(one: NDArray[np.float64], other: NDArray[np.float64], leaf: int) -> NDArray[np.float64]:
    """The same by a tree of decisions whose leaves have at least so many rows."""
    from sklearn.tree import DecisionTreeClassifier

    rows = np.concatenate([one, other])
    is_other = np.repeat([0, 1], [len(one), len(other)])
    tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(rows, is_other)
    return np.asarray(tree.predict_proba(rows)[:, 1], dtype=np.float64)


def _cost(
    rows: NDArray[np.float64], is_other: NDArray[np.float64], weights: NDArray[np.float64], penalty: NDArray[np.float64]
) -> float:
    predictor = rows @ weights
    return float((np.logaddexp(0, predictor) - is_other * predictor).mean() + (penalty * weights**2).sum() / 2)


def propensity_mean_squared_error(propensity: NDArray[np.float64], share: float) -> float:
    """pMSE: the mean squared difference of the propensities from the share of rows of the other file."""
    return float(((propensity - share) ** 2).mean())


def expected_when_synthesised(terms: int, share: float, rows: int) -> float:
    """The expected pMSE of a file drawn from the correct model fitted to the other file: (k − 1)·(1 − c)²·c / N.

    Two files drawn from one population, neither of them fitted to the other, have 1 / (1 − c) times as much.
    """
    return terms * (1 - share) ** 2 * share / rows
