"""Estimates from several files of one original: means, shares or those of a model, combined with their errors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import AnalysisError, SchemaError
from sdckit.evaluation.combining_rules import CombinedEstimate, CombiningRule, combine
from sdckit.microdata import Microdata, Role
from sdckit.user_function import FunctionInFile, outcome, title

Estimate = tuple[float, float]  # and its variance


def combined_estimates(
    files: Sequence[Microdata],
    rule: CombiningRule,
    *,
    size: float = 1.0,
    model: Callable[[Any], Any] | FunctionInFile | None = None,
) -> dict[str, CombinedEstimate]:
    """Each estimate that all files give, combined by a rule; by default the means of numbers and shares of categories.

    `model` is a function of a frame that gives a pair, an estimate and its standard error, for each estimate by name.
    """
    found = [estimates(file, model) for file in files]
    shared = [name for name in found[0] if all(name in each for each in found)]
    if not shared:
        raise SchemaError("no estimate is given by all files; check that they have the same columns")
    return {
        name: combine([each[name][0] for each in found], [each[name][1] for each in found], rule, size=size)
        for name in shared
    }


def estimates(file: Microdata, model: Callable[[Any], Any] | FunctionInFile | None = None) -> dict[str, Estimate]:
    """The estimates of one file with their variances, weighted where it has survey weights."""
    if model is not None:
        return _of_model(outcome(model, file.to_frame()), title(model))
    weights = _weights(file)
    found: dict[str, Estimate] = {}
    for attribute in file.attributes:
        if attribute.role in (Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT):
            continue
        column, seen = file.columns[attribute.name], ~file.absent(attribute.name)
        if not seen.any():
            continue
        if attribute.coded:
            for code, category in enumerate(attribute.categories or ()):
                found[f"{attribute.name} = {category}"] = _mean(
                    (column[seen] == code).astype(np.float64), weights[seen]
                )
        else:
            found[attribute.name] = _mean(column[seen], weights[seen])
    return found


def _of_model(result: Any, model: str) -> dict[str, Estimate]:
    if not isinstance(result, Mapping) or not result:
        raise AnalysisError(f"{model} gives no estimates by name; let it return, for example, {{'age': (0.1, 0.02)}}")
    found = {}
    for name, pair in result.items():
        try:
            value, error = (float(each) for each in pair)
        except (TypeError, ValueError):
            raise AnalysisError(
                f"{model} gives no pair for {name!r}; give two numbers, the estimate and its standard error"
            ) from None
        if not np.isfinite(value) or not error >= 0:
            raise AnalysisError(f"{model} gives {value:g} with a standard error of {error:g} for {name!r}")
        found[str(name)] = (value, error**2)
    return found


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> Estimate:
    """The weighted mean and the variance that it has in a random sample."""
    total = weights.sum()
    mean = float(weights @ values / total)
    n = len(values)
    variance = float((weights**2 @ (values - mean) ** 2) / total**2) * n / (n - 1) if n > 1 else 0.0
    return mean, variance


def _weights(file: Microdata) -> NDArray[np.float64]:
    names = file.names(role=Role.WEIGHT)
    weights = file.matrix(names[:1])[:, 0] if names else np.ones(len(file))
    usable = np.isfinite(weights) & (weights > 0)
    return np.where(usable, weights, 1.0) if usable.any() else np.ones(len(file))
