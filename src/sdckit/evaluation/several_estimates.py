"""Estimates from several files of one original: means, shares or those of a model, combined with their errors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.digest import content_digest
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
    """Each estimate of the files, combined by a rule; by default the means of numbers and shares of categories.

    `model` is a function of a frame that gives a pair, an estimate and its standard error, for each estimate by name.
    """
    refuse_unlike_files(files)
    categories = _categories(files)
    found = [estimates(file, model, categories) for file in files]
    every = dict.fromkeys(name for each in found for name in each)
    for name in every:
        lacking = [number for number, each in enumerate(found, start=1) if name not in each]
        if lacking:
            raise AnalysisError(
                f"file {lacking[0]} gives no estimate {name!r}, which others give; let every file give the same ones"
            )
    shares = (
        set() if model is not None else {f"{name} = {each}" for name, those in categories.items() for each in those}
    )
    combined = {
        name: combine([each[name][0] for each in found], [each[name][1] for each in found], rule, size=size)
        for name in every
    }
    return {name: replace(each, possible=(0.0, 1.0)) if name in shares else each for name, each in combined.items()}


def refuse_unlike_files(files: Sequence[Microdata]) -> None:
    """An error where files are no several draws of one synthesis: their columns differ, or two are the same."""
    first = {each.name: each.coded for each in files[0].attributes}
    digests: dict[str, int] = {}
    for number, file in enumerate(files, start=1):
        columns = {each.name: each.coded for each in file.attributes}
        apart = sorted(first.keys() ^ columns.keys())
        if apart:
            which = f"only one of the files 1 and {number} has the column {apart[0]!r}"
            raise SchemaError(f"{which}; combine files with the same columns, made from one original")
        for name, coded in columns.items():
            if coded != first[name] and not _empty(file, name) and not _empty(files[0], name):
                raise SchemaError(
                    f"{name!r} has text in one of the files 1 and {number} and numbers in the other; declare its kind "
                    "in a schema"
                )
        same = digests.setdefault(content_digest(file, ordered=False), number)
        if same != number:
            raise SchemaError(
                f"the files {same} and {number} have the same records, so that nothing shows how much synthesis adds "
                "to the error; combine files that were drawn separately (`protect --files 5`)"
            )


def _empty(file: Microdata, name: str) -> bool:
    return bool(file.absent(name).all())


def _categories(files: Sequence[Microdata]) -> dict[str, list[str]]:
    """The categories that an attribute has in any of the files."""
    found: dict[str, dict[str, None]] = {}
    for file in files:
        for each in file.attributes:
            if each.coded:
                found.setdefault(each.name, {}).update(dict.fromkeys(map(str, each.categories or ())))
    return {name: list(categories) for name, categories in found.items()}


def estimates(
    file: Microdata,
    model: Callable[[Any], Any] | FunctionInFile | None = None,
    categories: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Estimate]:
    """The estimates of one file with their variances, weighted where it has survey weights.

    `categories` are those whose shares are estimated, by default the ones of the file.
    """
    if model is not None:
        return _of_model(outcome(model, file.to_frame()), title(model))
    categories = _categories([file]) if categories is None else categories
    weights = _weights(file)
    found: dict[str, Estimate] = {}
    for attribute in file.attributes:
        if attribute.role in (Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT):
            continue
        column, seen = file.columns[attribute.name], ~file.absent(attribute.name)
        if not seen.any():
            continue
        if attribute.coded:
            codes = {str(category): code for code, category in enumerate(attribute.categories or ())}
            for category in categories[attribute.name]:
                has = column[seen] == codes.get(category, -1)
                found[f"{attribute.name} = {category}"] = _mean(has.astype(np.float64), weights[seen])
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
