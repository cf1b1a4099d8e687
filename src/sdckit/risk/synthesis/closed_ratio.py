"""The likelihood ratio of membership where the published method has a closed law."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import HasLaw
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.risk.synthesis.plain_columns import plain_values
from sdckit.rows import Rows

PAIRS = 5_000_000  # of a person and a row that are compared at most
FARTHEST = 50.0  # log-ratios beyond are cut: nothing more is learnt from them


def closed_ratios(
    recipe: Recipe, released: Microdata, people: Microdata, others: Microdata
) -> NDArray[np.float64] | None:
    """log of the mean over rows of ℓ(r | person) / g(r), g the mean of ℓ(r | other) over people like those in the file.

    With the person in the file one row is the person's, and any may be it. None where no step has a closed law that
    can be seen, or there are too many pairs.
    """
    if (len(people) + len(others)) * len(released) > PAIRS:
        return None
    both = [
        known for known in (_log_likelihoods(recipe, released, file) for file in (people, others)) if known is not None
    ]
    if len(both) < 2:
        return None
    of_people, of_others = both
    background = _log_mean(of_others, axis=0)
    with np.errstate(invalid="ignore"):
        ratios = np.where(np.isfinite(background), of_people - background, -np.inf)
    return np.clip(_log_mean(ratios, axis=1), -FARTHEST, FARTHEST)


def _log_likelihoods(recipe: Recipe, released: Microdata, people: Microdata) -> NDArray[np.float64] | None:
    """How likely each row is for each person, by the steps whose result is released as it is."""
    if recipe.rows is not Rows.KEPT:
        return None
    touched = recipe.touched(released)
    total: NDArray[np.float64] | None = None
    for number, step in enumerate(recipe.steps):
        later = set().union(*touched[number + 1 :])
        names = touched[number]
        visible = later.isdisjoint(names) and all(_same_form(released, people, name) for name in names)
        if not isinstance(step.masking, HasLaw) or not visible or not _first(touched[:number], names):
            continue
        law = step.masking.law(step.masking.read_by_law(released, names))
        if law is not None:
            likelihood = law.log_likelihood(plain_values(people, names), plain_values(released, names))
            total = likelihood if total is None else total + likelihood
    return total


def _same_form(released: Microdata, people: Microdata, name: str) -> bool:
    """Whether a person's value can be compared with the released ones."""
    return name in people and released.attribute(name).categories == people.attribute(name).categories


def _first(before: Sequence[Sequence[str]], names: Sequence[str]) -> bool:
    """Whether no earlier step changed these attributes."""
    return all(set(names).isdisjoint(earlier) for earlier in before)


def _log_mean(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """The logarithm of a mean, from logarithms."""
    top = values.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        means = np.log(np.exp(values - top).mean(axis=axis, keepdims=True)) + top
    return np.asarray(means.squeeze(axis), dtype=np.float64)
