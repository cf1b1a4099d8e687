"""Aggregation operators: one value from the values of each record.

All map a matrix, one row per record, to a vector. The result lies between the least and the greatest value of the row
and is monotone in every value.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.choquet import choquet_integral
from sdckit.fuzzy.measures import symmetric_measure
from sdckit.fuzzy.named_measures import NamedMeasure, measure_from
from sdckit.fuzzy.quantifiers import NamedQuantifier, Power, Quantifier, quantifier_from
from sdckit.fuzzy.sugeno import sugeno_integral


def weighted_mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ w_j · x_j: each attribute has the same weight in every record."""
    result: NDArray[np.float64] = values @ weights
    return result


def ordered_weighted_average(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """OWA: Σ w_j · (j-th largest of the record), so a weight belongs to a rank and not to an attribute (Yager 1988)."""
    return weighted_mean(-np.sort(-values, axis=1), weights)


def owa_weights(quantifier: Quantifier, d: int) -> NDArray[np.float64]:
    """The weights Q(j / d) − Q((j − 1) / d) that a quantifier gives to d ranks."""
    return np.diff(quantifier(np.arange(d + 1) / d))


class Operator:
    """An aggregation operator; as text `owa(0.5)`, `weighted-mean(0.7+0.3)` or `choquet(lambda+income=0.5+age=0.4)`."""

    title: ClassVar[str] = ""
    in_words: ClassVar[str] = "an aggregation operator, such as owa(0.5) or choquet(lambda+income=0.5+age=0.4)"

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """One value for each row."""
        raise TypeError(f"{type(self).__name__} must define __call__")

    @classmethod
    def from_arguments(cls, name: str, arguments: Sequence[str]) -> "Operator":
        """The operator of that name with these numbers or this quantifier, as in `owa(0.5)` and `owa(at-least+0.5)`.

        >>> Operator.from_arguments("owa", ["0.5"])
        OrderedWeightedAverage(quantifier=Power(exponent=0.5))
        """
        operators = {
            each.title: each for each in (WeightedMean, OrderedWeightedAverage, ChoquetIntegral, SugenoIntegral)
        }
        if name not in operators:
            raise ValueError(f"there is no operator {name!r}; there are {', '.join(operators)}")
        return operators[name].from_text_arguments(arguments)

    @classmethod
    def from_text_arguments(cls, arguments: Sequence[str]) -> "Operator":
        """The operator of this class with these numbers."""
        return cls(*map(float, arguments))

    def bound(self, names: Sequence[str]) -> "Operator":
        """The operator for attributes with these names, in this order; it matters where it weighs them by name."""
        return self


class WeightedMean(Operator):
    """The weighted mean, its weights scaled to sum to 1; without weights, the arithmetic mean."""

    title = "weighted-mean"

    def __init__(self, *weights: float) -> None:
        if any(weight < 0 for weight in weights) or (weights and sum(weights) == 0):
            raise ValueError("weights are not negative, and not all 0")
        self.weights = weights

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = np.array(self.weights or (1.0,) * values.shape[1])
        if len(weights) != values.shape[1]:
            raise ValueError(f"{len(weights)} weights do not fit a block of {values.shape[1]} attributes")
        return weighted_mean(values, weights / weights.sum())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeightedMean) and self.weights == other.weights

    def __hash__(self) -> int:
        return hash(self.weights)

    def __str__(self) -> str:
        return f"{self.title}({'+'.join(f'{weight:g}' for weight in self.weights)})"

    def __repr__(self) -> str:
        return f"WeightedMean{self.weights}"


@dataclass(frozen=True, init=False)
class QuantifierGuided(Operator):
    """An operator defined by a quantifier, for any number of attributes; a number is the exponent of a power."""

    quantifier: NamedQuantifier = Power(1.0)

    def __init__(self, quantifier: NamedQuantifier | float = 1.0) -> None:
        named = quantifier if isinstance(quantifier, NamedQuantifier) else Power(float(quantifier))
        object.__setattr__(self, "quantifier", named)

    @classmethod
    def from_text_arguments(cls, arguments: Sequence[str]) -> "Operator":
        measure = measure_from(arguments)
        return cls(quantifier_from(arguments)) if measure is None else cls.over(measure)

    @classmethod
    def over(cls, measure: NamedMeasure) -> "Operator":
        """The operator over a measure that is not symmetric; a ValueError where there is none."""
        raise ValueError(f"{cls.title} weighs ranks and not attributes; take choquet({measure}) or sugeno({measure})")

    def __str__(self) -> str:
        return f"{self.title}({self.quantifier})"


@dataclass(frozen=True)
class OverMeasure(Operator):
    """An integral over a measure by attribute, as in `choquet(lambda+income=0.5+age=0.4)`."""

    measure: NamedMeasure

    def bound(self, names: Sequence[str]) -> "Operator":
        return replace(self, measure=self.measure.bound(names))

    def __str__(self) -> str:
        return f"{self.title}({self.measure})"


@dataclass(frozen=True)
class ChoquetOverMeasure(OverMeasure):
    """The Choquet integral over a measure by attribute."""

    title = "choquet"

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return choquet_integral(values, self.measure(values.shape[1]))


@dataclass(frozen=True)
class SugenoOverMeasure(OverMeasure):
    """The Sugeno integral over a measure by attribute; values must lie in 0..1."""

    title = "sugeno"

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return sugeno_integral(values, self.measure(values.shape[1]))


@dataclass(frozen=True, init=False)
class OrderedWeightedAverage(QuantifierGuided):
    """OWA with the weights of the quantifier; with a power of 1 the arithmetic mean, near 0 the maximum."""

    title = "owa"

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return ordered_weighted_average(values, owa_weights(self.quantifier, values.shape[1]))


@dataclass(frozen=True, init=False)
class ChoquetIntegral(QuantifierGuided):
    """The Choquet integral over the symmetric measure of the quantifier."""

    title = "choquet"

    @classmethod
    def over(cls, measure: NamedMeasure) -> Operator:
        return ChoquetOverMeasure(measure)

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return choquet_integral(values, symmetric_measure(self.quantifier, values.shape[1]))


@dataclass(frozen=True, init=False)
class SugenoIntegral(QuantifierGuided):
    """The Sugeno integral over the symmetric measure of the quantifier; values must lie in 0..1."""

    title = "sugeno"

    @classmethod
    def over(cls, measure: NamedMeasure) -> Operator:
        return SugenoOverMeasure(measure)

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return sugeno_integral(values, symmetric_measure(self.quantifier, values.shape[1]))
