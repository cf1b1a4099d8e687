"""Overlap of confidence intervals: do the estimates of your own model agree, within their errors?"""

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from sdckit.errors import AnalysisError, NotApplicableError
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.user_function import FunctionInFile, content, outcome, title


def interval_of_length(frame: Any) -> Any:
    """An interval about the number of records of a frame: a minimal model for the contract checks."""
    return {"records": (frame.shape[0] - 5.0, frame.shape[0] + 5.0)}


@loss("ci-overlap", reference="karr2006")
class CiOverlap(Measure):
    r"""One minus the mean overlap of the confidence intervals that a model of your own gives for either file.

    The model is a function of a frame that gives back an interval, as a pair of numbers, for each estimate by name. The
    overlap of two intervals is the mean of the parts of each that the other covers; intervals that do not meet have an
    overlap of 0. Unlike a relative difference it shows whether an analyst would come to the same conclusion, given the
    error that the estimates have anyway. The files may differ in length. In Python the model is a function; on a
    command line it is a file and a function in it, `model=model.py:fit`, and the file is run.

    Formula: $1 - \frac{1}{p} \sum \frac{1}{2} (\frac{|I \cap I'|}{|I|} + \frac{|I \cap I'|}{|I'|})$,  the sum over the
    $p$ intervals $I$ of the original and $I'$ of the masked file

    Use it when users fit a model whose estimates have standard errors, especially to synthetic data.
    """

    example: ClassVar[Mapping[str, Any]] = {"model": interval_of_length}

    model: Callable[[Any], Any] | FunctionInFile | None = param(
        None,
        "the function of a frame that gives an interval for each estimate, such as model.py:fit",
        written="model.py:fit",
    )

    def __repr__(self) -> str:
        return f"CiOverlap(model={content(self.model)})"

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        if self.model is None:
            raise NotApplicableError(
                "it needs your model; name one as ci-overlap:model=model.py:fit, or in Python as CiOverlap(model=a "
                "function of a frame)"
            )
        shared = [each.name for each in release.original.attributes if each.name in release.masked]
        before = intervals(outcome(self.model, release.original.only(shared).to_frame()), title(self.model))
        try:
            after = intervals(outcome(self.model, release.masked.only(shared).to_frame()), title(self.model))
        except AnalysisError as problem:
            raise NotApplicableError(f"of the masked file alone, {problem}") from problem.__cause__
        overlaps = {name: overlap(before[name], after.get(name)) for name in before}
        return Score(
            float(1 - np.mean([*overlaps.values()])),
            baseline=0.0,
            details={"overlap_by_estimate": overlaps},
        )


def intervals(result: Any, model: str) -> dict[str, tuple[float, float]]:
    """The intervals that a model gives, by the name of the estimate."""
    if not isinstance(result, Mapping) or not result:
        raise AnalysisError(f"{model} gives no intervals by name; let it return, for example, {{'age': (0.1, 0.3)}}")
    found = {}
    for name, ends in result.items():
        try:
            low, high = (float(end) for end in ends)
        except (TypeError, ValueError):
            raise AnalysisError(
                f"{model} gives no interval for {name!r}; give a pair of numbers, low and high"
            ) from None
        if not low <= high or math.isinf(low) or math.isinf(high):
            raise AnalysisError(
                f"{model} gives the interval {low:g} to {high:g} for {name!r}; low must not exceed high"
            )
        found[str(name)] = (low, high)
    return found


def overlap(one: tuple[float, float], other: tuple[float, float] | None) -> float:
    """The mean share of either interval that both have; 1 for equal ones, also of no length, and 0 where one is absent.

    >>> overlap((0, 2), (1, 3)), overlap((0, 1), (2, 3)), overlap((5, 5), (5, 5))
    (0.5, 0.0, 1.0)
    """
    if other is None:
        return 0.0
    if one == other:
        return 1.0
    shared = min(one[1], other[1]) - max(one[0], other[0])
    if shared <= 0:
        return 0.0
    return (shared / (one[1] - one[0]) + shared / (other[1] - other[0])) / 2
