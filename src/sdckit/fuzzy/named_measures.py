"""Fuzzy measures that a recipe writes by attribute: `lambda+income=0.5+age=0.4`, `sets+income=0.5+income&age=0.9`.

An attribute is written by its name, or by its position among the attributes, from 1, where the name has a sign of the
notation (+, =, & or brackets) or the attributes have no names.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.measures import check_measure, lambda_measure

WITH = "&"  # joins the attributes of a set


@dataclass(frozen=True)
class NamedMeasure:
    """A fuzzy measure by attribute; `weights` are of single attributes or of sets, written `income&age`."""

    title: ClassVar[str] = ""

    weights: tuple[tuple[str, float], ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        keys = [frozenset(self.members(key)) for key, _ in self.weights]
        if not keys:
            raise ValueError(f"the measure {self.title} needs weights, as in {self.title}+income=0.5+age=0.4")
        for key, weight in self.weights:
            if keys.count(frozenset(self.members(key))) > 1:
                raise ValueError(f"the measure {self.title} has two weights for {key!r}; give one")
            if not 0 <= weight <= 1:
                raise ValueError(f"a weight of a measure is between 0 and 1, not {weight:g} of {key!r}")

    @classmethod
    def from_arguments(cls, arguments: Sequence[str]) -> Self:
        """The measure of this class with these weights, each written `income=0.5`."""
        weights = []
        for argument in arguments:
            key, equals, weight = argument.rpartition("=")
            if not equals:
                raise ValueError(f"{argument!r}: write a weight of a measure with its attribute, as in income=0.5")
            weights.append((key.strip(), float(weight)))
        return cls(tuple(weights))

    def members(self, key: str) -> list[str]:
        """The attributes of a set as it is written."""
        return [part.strip() for part in key.split(WITH)]

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that have a weight, as they are written."""
        return tuple(dict.fromkeys(member for key, _ in self.weights for member in self.members(key)))

    def bound(self, names: Sequence[str]) -> Self:
        """The same measure on attributes with these names, in this order."""
        return replace(self, names=tuple(names))

    def position(self, member: str, attributes: int) -> int | None:
        """Where an attribute is among the attributes; None for one that is not there."""
        if member in self.names:
            return self.names.index(member)
        if member.isdecimal() and 1 <= int(member) <= attributes:
            return int(member) - 1
        if member.isdecimal():
            raise ValueError(f"the measure {self.title} has a weight for attribute {member} of {attributes}")
        if not self.names:
            raise ValueError(f"{member!r}: attributes are not known by name here; write their positions, from 1")
        return None

    def by_set(self, attributes: int) -> dict[int, float]:
        """The weights of the sets that have one, by index of the set; sets with other attributes are left out."""
        found = {}
        for key, weight in self.weights:
            positions = [self.position(member, attributes) for member in self.members(key)]
            if None not in positions:
                found[sum(1 << position for position in set(positions) if position is not None)] = weight
        return found

    def __call__(self, attributes: int) -> NDArray[np.float64]:
        """The measure on this number of attributes."""
        raise TypeError(f"{type(self).__name__} must define __call__")

    def __str__(self) -> str:
        return "+".join([self.title, *(f"{key}={weight:.12g}" for key, weight in self.weights)])


@dataclass(frozen=True)
class LambdaMeasure(NamedMeasure):
    """Sugeno's λ-measure from the densities of the single attributes."""

    title = "lambda"

    def __call__(self, attributes: int) -> NDArray[np.float64]:
        """The measure on this number of attributes.

        >>> LambdaMeasure((("income", 0.5), ("age", 0.5)), ("age", "income"))(2)
        array([0. , 0.5, 0.5, 1. ])
        """
        densities = self.by_set(attributes)
        for position in range(attributes):
            if 1 << position not in densities:
                name = self.names[position] if self.names else f"attribute {position + 1}"
                raise ValueError(f"the λ-measure has no density for {name!r}; give one for each attribute")
        return lambda_measure(np.array([densities[1 << position] for position in range(attributes)]))


@dataclass(frozen=True)
class SetMeasure(NamedMeasure):
    """A table of weights of sets; a set that is not in it has the largest weight of its subsets, and all have 1."""

    title = "sets"

    def __call__(self, attributes: int) -> NDArray[np.float64]:
        """The measure on this number of attributes.

        >>> SetMeasure((("1", 0.2), ("2", 0.5)))(2)
        array([0. , 0.2, 0.5, 1. ])
        """
        table = {**self.by_set(attributes), (1 << attributes) - 1: 1.0}
        measure = np.zeros(1 << attributes)
        for index in range(1, len(measure)):
            below = max(measure[index ^ (1 << bit)] for bit in range(attributes) if index >> bit & 1)
            measure[index] = table.get(index, below)
        check_measure(measure)
        return measure


def measure_from(arguments: Sequence[str]) -> NamedMeasure | None:
    """The measure that a recipe writes as a name and weights; None where the first word names none.

    >>> str(measure_from(["lambda", "income=0.5", "age=0.4"]))
    'lambda+income=0.5+age=0.4'
    """
    kinds = {each.title: each for each in NamedMeasure.__subclasses__()}
    return kinds[arguments[0]].from_arguments(arguments[1:]) if arguments and arguments[0] in kinds else None
