"""User-analysis loss: does the analysis that the file is released for come out the same?

It needs the function, so it is not in the catalogue: build it and name it to `assess`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.release import Release


@dataclass(frozen=True, kw_only=True)
class UserAnalysisLoss(Measure):
    """How far the result of an analysis of the masked file is from that of the original, by any function of a file.

    The analysis is called with either file as a frame of the kind that the original came as, with the columns that both
    files have, and gives back a number, a text, or lists, arrays and mappings of these. The divergence compares the two
    results; without one of your own it is their mean relative difference, between 0 and 1.

    Formula: d(f(X), f(X′)),  f = the analysis, d = the divergence

    Use it when you know what the file will be used for: the figure of that use is worth more than any general one.
    """

    kind: ClassVar[str] = "loss"
    name: ClassVar[str] = "user-analysis-loss"
    reference: ClassVar[str] = "hundepool2012"

    analysis: Callable[[Any], Any] | None = None
    divergence: Callable[[Any, Any], float] | None = None

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        if self.analysis is None:
            raise NotApplicableError("it needs the analysis; give UserAnalysisLoss(analysis=a function of a frame)")
        shared = [each.name for each in release.original.attributes if each.name in release.masked]
        before, after = (self.analysis(file.only(shared).to_frame()) for file in (release.original, release.masked))
        if self.divergence is not None:
            value = float(self.divergence(before, after))
            if not value >= 0:
                raise ParameterError(f"the divergence gives {value:g}; it must be 0 or more, and 0 for equal results")
            return Score(value, baseline=0.0)
        parts = dict(relative_differences(before, after))
        return Score(
            float(np.mean([*parts.values()])) if parts else 0.0,
            baseline=0.0,
            details={"by_result": {name: gap for name, gap in parts.items() if name}},
        )


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
            raise ParameterError(
                f"the analysis gives a {type(before).__name__}; give numbers, texts, lists, arrays or mappings, "
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
    """What a result consists of, by key or place; None where it is one plain value."""
    if isinstance(result, Mapping):
        return result
    if hasattr(result, "__array__") and not isinstance(result, np.generic):
        result = np.asarray(result).tolist()
    return dict(enumerate(result)) if isinstance(result, list | tuple) else None
