"""The boundary: where a family of recipes, that differ in one number, is expected to meet the bound on the risk.

Less masking loses less and risks more, so the best of a family lies where its risk is the bound. Between two settings
on either side of it, or beyond two on the same side, risk and loss are taken to be powers of the parameter.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sdckit.evaluation.search_space import Range, SearchSpace
from sdckit.recipe import Recipe

EDGE = 0.1  # of the way between two settings that is kept off either of them
CLOSE = 0.01  # settings whose parameters differ by less than this share are the same
FAR = math.log(4)  # how far beyond the settings tried the next one may be, as the logarithm of a factor
MOST = 100.0  # the largest logarithm of a loss that is given
LEAST = 1e-6  # replaces a risk or a loss of zero, which has no logarithm
Tried = tuple[Recipe, float, float]  # a recipe, its risk and its loss


@dataclass(frozen=True)
class Guess:
    """A recipe expected to meet the bound, and the loss expected of it."""

    recipe: Recipe
    loss: float


def guesses(space: SearchSpace, tried: Iterable[Tried], bound: float) -> list[Guess]:
    """A guess for each family of which two settings or more were tried, the least expected loss first."""
    families: dict[tuple[str, int, str], tuple[Range, list[tuple[float, Tried]]]] = {}
    for each in tried:
        for position, step in enumerate(each[0].steps):
            for parameter in space.ranges[step.masking.name]:
                if not parameter.choices:
                    value = getattr(step.masking, parameter.name)
                    label = f"{position + 1}.{step.masking.name}.{parameter.name}"
                    others = space.parameters_of(each[0]) | {label: None}
                    key = repr(sorted(others.items())), position, parameter.name
                    families.setdefault(key, (parameter, []))[1].append((value, each))
    return sorted(_guessed(space, families.items(), bound), key=lambda guess: guess.loss)


def _guessed(
    space: SearchSpace,
    families: Iterable[tuple[tuple[str, int, str], tuple[Range, list[tuple[float, Tried]]]]],
    bound: float,
) -> Iterator[Guess]:
    for (_, position, _), (parameter, members) in families:
        points = [(value, risk, loss) for value, (_, risk, loss) in members]
        met = meeting(points, bound, parameter)
        if met is not None:
            value, loss = met
            yield Guess(space.changed(members[0][1][0], position, parameter.name, value), loss)


def meeting(tried: Sequence[tuple[float, float, float]], bound: float, parameter: Range) -> tuple[float, float] | None:
    """The value at which the risk is expected to be the bound, with the loss expected there; None where there is none.

    `tried` holds value, risk and loss of each setting.

    >>> value, loss = meeting([(1.0, 0.4, 0.1), (4.0, 0.1, 0.4)], 0.2, Range("share", low=0.1, high=10.0))
    >>> round(value, 9), round(loss, 9)
    (2.0, 0.2)
    """
    pair = _nearest(tried, bound)
    if pair is None:
        return None
    (a, risk_a, loss_a), (b, risk_b, loss_b) = pair
    steps = [_log(risk_b) - _log(risk_a), _log(loss_b) - _log(loss_a)]
    if steps[0] * steps[1] >= 0:  # risk does not fall as the loss rises, so no guess is possible
        return None
    way = (_log(bound) - _log(risk_a)) / steps[0]  # from a, in units of the way to b
    apart = math.log(b / a)
    between = 0 <= way <= 1
    reached = min(max(way, EDGE), 1 - EDGE) if between else min(max(way, 1 - FAR / abs(apart)), 1 + FAR / abs(apart))
    value = min(max(a * math.exp(reached * apart), parameter.low), parameter.high)
    if parameter.whole:
        value = round(value)
        if between and abs(b - a) > 1:
            value = min(max(value, min(a, b) + 1), max(a, b) - 1)
    if any(abs(math.log(value / other)) < CLOSE for other, _, _ in tried):
        return None
    return value, math.exp(min(_log(loss_a) + way * steps[1], MOST))


def _nearest(
    tried: Sequence[tuple[float, float, float]], bound: float
) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
    """The neighbours on either side of the bound, inside it that of least loss; else the two whose risk is nearest."""
    if len(tried) < 2:
        return None
    inside = [each for each in tried if each[1] <= bound]
    outside = [each for each in tried if each[1] > bound]
    if inside and outside:
        best = min(inside, key=lambda each: each[2])
        return best, min(outside, key=lambda each: abs(math.log(each[0] / best[0])))
    first, second = sorted(tried, key=lambda each: abs(_log(each[1]) - _log(bound)))[:2]
    return second, first


def _log(figure: float) -> float:
    return math.log(max(figure, LEAST))
