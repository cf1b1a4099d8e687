"""User-analysis loss: does your own analysis come out the same?"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from sdckit.errors import AnalysisError, NotApplicableError
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.user_function import FunctionInFile, content, outcome, title


def size(frame: Any) -> Any:
    """The numbers of records and columns of a frame: a minimal analysis for the contract checks."""
    return frame.shape


@loss("user-analysis-loss", headline=1, reference="hundepool2012")
class UserAnalysisLoss(Measure):
    """How far the result of an analysis of the masked file is from that of the original, by any function of a file.

    The analysis is called with either file as a frame of the library that the original came from, with the columns that
    both files have, and gives back a number, a text, or lists, arrays and mappings of these. The divergence compares
    the two results; without one of your own it is their mean relative difference, between 0 and 1. In Python either is
    a function; on a command line it is a file and a function in it, `analysis=model.py:fit`, and the file is run. A
    policy can name one only from a file that `--allow-code` names. An analysis that fails on the original is an error;
    if it fails on the masked file only, the loss is not applicable.

    Formula: $d(f(X), f(X'))$,  $f$ the analysis, $d$ the divergence

    Use it when you know what the file will be used for: the figure for that use is more relevant than any general one.
    """

    example: ClassVar[Mapping[str, Any]] = {"analysis": size}

    analysis: Callable[[Any], Any] | FunctionInFile | None = param(
        None, "the function of a frame whose result should be preserved, such as model.py:fit", written="model.py:fit"
    )
    divergence: Callable[[Any, Any], float] | FunctionInFile | None = param(
        None, "the function of two results that says how far they differ, such as model.py:distance"
    )

    def __repr__(self) -> str:
        return f"UserAnalysisLoss(analysis={content(self.analysis)}, divergence={content(self.divergence)})"

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        if self.analysis is None:
            raise NotApplicableError(
                "it needs your analysis; name one as user-analysis-loss:analysis=model.py:fit, or in Python as "
                "UserAnalysisLoss(analysis=a function of a frame)"
            )
        shared = [each.name for each in release.original.attributes if each.name in release.masked]
        before = outcome(self.analysis, release.original.only(shared).to_frame())
        if before is None:
            raise AnalysisError(f"{title(self.analysis)} gives nothing back; let it return its result")
        try:
            after = outcome(self.analysis, release.masked.only(shared).to_frame())
        except AnalysisError as problem:
            raise NotApplicableError(f"of the masked file alone, {problem}") from problem.__cause__
        if self.divergence is not None:
            return Score(divergence_of(self.divergence, before, after), baseline=0.0)
        try:
            parts = dict(relative_differences(before, after))
        except TypeError as problem:
            raise AnalysisError(f"{title(self.analysis)} {problem}") from None
        if not parts:
            raise AnalysisError(f"{title(self.analysis)} gives an empty result; give a number, or several")
        return Score(
            float(np.mean([*parts.values()])),
            baseline=0.0,
            details={"by_result": {name: gap for name, gap in parts.items() if name}},
        )


def divergence_of(divergence: Callable[[Any, Any], float], before: Any, after: Any) -> float:
    """How far two results differ, by a function of the user's own."""
    result = outcome(divergence, before, after)
    try:
        value = float(result)
    except (TypeError, ValueError):
        raise AnalysisError(
            f"{title(divergence)} gives a result of type {type(result).__name__}; give one number, 0 or more"
        ) from None
    if not 0 <= value < math.inf:
        raise AnalysisError(
            f"{title(divergence)} gives {value:g}; a divergence must be 0 or more, and 0 for equal results"
        )
    return value


def relative_differences(before: Any, after: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """|a − a′| / (|a| + |a′|) for each number of two results, 0 or 1 for texts; what only one of them has counts 1.

    >>> dict(relative_differences({"mean": 3.0, "top": "Ely"}, {"mean": 1.0, "top": "Ely"}))
    {'mean': 0.5, 'top': 0.0}
    """
    one, other = _parts(before), _parts(after)
    if one is None or other is None:
        yield name, 1.0 if one is not other else difference(before, after)
        return
    for key in [*one, *(key for key in other if key not in one)]:
        inner = f"{name}.{key}" if name else str(key)
        if key in one and key in other:
            yield from relative_differences(one[key], other[key], inner)
        else:
            yield inner, 1.0


def difference(before: Any, after: Any) -> float:
    """How far two numbers, or two other plain values, differ; two that are missing do not."""
    numbers = [isinstance(value, bool | int | float | np.number | np.bool_) for value in (before, after)]
    if not all(numbers):
        if not isinstance(before, str | type(None)) and not any(numbers):
            raise TypeError(
                f"gives a result of type {type(before).__name__}; give numbers, texts, lists, arrays or mappings, "
                "or a divergence that compares two of these"
            )
        return float(before != after)
    a, b = float(before), float(after)
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return 1.0
    return abs(a - b) / (abs(a) + abs(b))


def _parts(result: Any) -> Mapping[Any, Any] | None:
    """What a result consists of, by key or position; None where it is one plain value."""
    if isinstance(result, Mapping):
        return result
    if hasattr(result, "__array__") and not isinstance(result, np.generic):
        result = np.asarray(result).tolist()
    return dict(enumerate(result)) if isinstance(result, list | tuple) else None
