"""The search space of the tuner: chains of one or two maskings, each parameter around the values of its grid."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from sdckit.catalogue import Entry
from sdckit.evaluation.edge_preparation import prepared
from sdckit.evaluation.sweep import settings
from sdckit.microdata import Microdata
from sdckit.parameters import Parameter
from sdckit.recipe import Recipe, Step

if TYPE_CHECKING:
    from optuna.trial import Trial

REACH = 4.0  # the least factor by which a parameter is searched beyond the values of its grid
NOTHING = "nothing"  # the second step of a recipe that has one
DIGITS = 3  # of a parameter that is searched: more make no recipe better
LONGEST = 2  # steps that are searched; those that only prepare a graph come before them
STEP = 0.1  # of a variation, as a share of the way from one end of a range to the other


@dataclass(frozen=True)
class Range:
    """The values that the search gives to one parameter: numbers between two ends, or the values of its grid."""

    name: str
    whole: bool = False
    low: float = 0.0
    high: float = 0.0
    choices: tuple[Any, ...] = ()

    @classmethod
    def of(cls, parameter: Parameter) -> "Range":
        """The range around a parameter's grid; numbers are searched by their logarithm where they can be."""
        numbers = [each for each in parameter.grid if isinstance(each, int | float) and not isinstance(each, bool)]
        if len(numbers) < len(parameter.grid) or min(numbers) <= 0:
            return cls(parameter.name, choices=parameter.grid)
        reach = max(REACH, max(numbers) / min(numbers))  # as far beyond the grid as its ends are apart
        low = max(min(numbers) / reach, parameter.low if parameter.low is not None else -math.inf)
        high = min(max(numbers) * reach, parameter.high if parameter.high is not None else math.inf)
        whole = parameter.type is int
        return cls(parameter.name, whole, max(math.ceil(low), 1) if whole else low, math.floor(high) if whole else high)

    def tidy(self, value: Any) -> Any:
        """The number rounded to a few digits, as a person would write it."""
        if self.choices or self.whole:
            return value
        return min(max(float(f"{value:.{DIGITS}g}"), self.low), self.high)

    def suggested(self, trial: "Trial", label: str) -> Any:
        """The value that the sampler proposes."""
        if self.choices:
            by_text = {str(choice): choice for choice in self.choices}
            return by_text[trial.suggest_categorical(label, list(by_text))]
        if self.whole:
            return trial.suggest_int(label, int(self.low), int(self.high), log=True)
        return trial.suggest_float(label, self.low, self.high, log=True)

    def to_sampler(self, value: Any) -> Any:
        """A value as the sampler has it: of choices, which may be components, the text."""
        return str(value) if self.choices else value

    def varied(self, value: Any, rng: np.random.Generator) -> Any:
        """A similar value; of choices, any."""
        if self.choices:
            return self.choices[rng.integers(len(self.choices))]
        way = math.log(self.high / self.low)
        near = min(max(value * math.exp(STEP * way * rng.standard_normal()), self.low), self.high)
        if not self.whole:
            return float(near)
        nearest = round(near) if round(near) != value else value + int(rng.choice([-1, 1]))
        return int(min(max(nearest, self.low), self.high))


@dataclass(frozen=True)
class SearchSpace:
    """The methods to chain, the ranges of their parameters, and the file to mask, which may need steps before them."""

    methods: tuple[Entry, ...]
    data: Microdata | None = None

    @cached_property
    def ranges(self) -> Mapping[str, tuple[Range, ...]]:
        """The parameters to search, by method; those without a grid are not varied."""
        return {entry.name: tuple(Range.of(each) for each in entry.parameters if each.grid) for entry in self.methods}

    def starts(self) -> Iterator[Recipe]:
        """The grid of the default sweep, one setting of every method after the other, so that an early stop is fair."""
        rows = zip_longest(*(settings(entry) for entry in self.methods))
        yield from (Recipe.of(masking) for row in rows for masking in row if masking is not None)

    def suggested(self, trial: "Trial") -> Recipe:
        """The recipe that the sampler proposes."""
        names = list(self.ranges)
        first = self._step(trial, 1, trial.suggest_categorical("1", names))
        second = trial.suggest_categorical("2", [NOTHING, *names])
        recipe = Recipe((first,) if second == NOTHING else (first, self._step(trial, 2, second)))
        return prepared(recipe, self.data)

    def _step(self, trial: "Trial", number: int, name: str) -> Step:
        return self._built(
            name, {each.name: each.suggested(trial, f"{number}.{name}.{each.name}") for each in self.ranges[name]}
        )

    def _built(self, name: str, values: Mapping[str, Any]) -> Step:
        entry = next(entry for entry in self.methods if entry.name == name)
        return Step(entry.build(**{each.name: each.tidy(values[each.name]) for each in self.ranges[name]}))

    def parameters_of(self, recipe: Recipe) -> dict[str, Any]:
        """A recipe as the parameters of the sampler."""
        values: dict[str, Any] = {"2": NOTHING}
        for number, step in enumerate(_searched(recipe), start=1):
            name = step.masking.name
            values[str(number)] = name
            values |= {
                f"{number}.{name}.{each.name}": each.to_sampler(getattr(step.masking, each.name))
                for each in self.ranges[name]
            }
        return values

    def changed(self, recipe: Recipe, position: int, parameter: str, value: Any) -> Recipe:
        """A recipe with another value for one parameter of one step."""
        masking = recipe.steps[position].masking
        values = {each.name: getattr(masking, each.name) for each in self.ranges[masking.name]}
        steps = list(recipe.steps)
        steps[position] = self._built(masking.name, values | {parameter: value})
        return Recipe(tuple(steps))

    def varied(self, recipe: Recipe, rng: np.random.Generator) -> Recipe:
        """A similar recipe: its parameters changed a little, a step added, exchanged or dropped."""
        steps = _searched(recipe)
        what = rng.random()
        if what < 0.25:
            name = list(self.ranges)[rng.integers(len(self.ranges))]
            added = self._built(name, {each.name: self._drawn(name, each, rng) for each in self.ranges[name]})
            steps = [added, steps[-1]] if rng.integers(2) == 0 else [steps[0], added]
        elif what < 0.35 and len(steps) > 1:
            steps = steps[::-1] if rng.random() < 0.5 else [steps[int(rng.integers(2))]]
        else:
            steps = [self._near(step, rng) for step in steps]
        return Recipe(tuple(steps))

    def _near(self, step: Step, rng: np.random.Generator) -> Step:
        name = step.masking.name
        return self._built(
            name, {each.name: each.varied(getattr(step.masking, each.name), rng) for each in self.ranges[name]}
        )

    def _drawn(self, name: str, searched: Range, rng: np.random.Generator) -> Any:
        entry = next(entry for entry in self.methods if entry.name == name)
        grid: Sequence[Any] = next(each.grid for each in entry.parameters if each.name == searched.name)
        return searched.varied(grid[int(rng.integers(len(grid)))], rng)


def _searched(recipe: Recipe) -> list[Step]:
    """The steps of a recipe without those that prepare the graph for them."""
    return list(recipe.steps[-LONGEST:])
