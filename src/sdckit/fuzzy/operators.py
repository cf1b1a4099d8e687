"""Aggregation operators: one value from the values of each record.

All map a matrix, one row per record, to a vector. The result lies between the least and the greatest value of the row
and is monotone in every value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.choquet import choquet_integral
from sdckit.fuzzy.measures import symmetric_measure
from sdckit.fuzzy.quantifiers import Quantifier, power
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
    """An aggregation operator; as text it is written `owa(0.5)` or `weighted-mean(0.7+0.3)`."""

    title: ClassVar[str] = ""

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """One value for each row."""
        raise TypeError(f"{type(self).__name__} must define __call__")

    @classmethod
    def from_arguments(cls, name: str, arguments: Sequence[str]) -> "Operator":
        """The operator of that name with these numbers, as in `owa(0.5)`.

        >>> Operator.from_arguments("owa", ["0.5"])
        OrderedWeightedAverage(exponent=0.5)
        """
        operators = {
            each.title: each for each in (WeightedMean, OrderedWeightedAverage, ChoquetIntegral, SugenoIntegral)
        }
        if name not in operators:
            raise ValueError(f"there is no operator {name!r}; there are {', '.join(operators)}")
        return operators[name](*map(float, arguments))


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


@dataclass(frozen=True)
class QuantifierGuided(Operator):
    """An operator defined by a power quantifier Q(x) = x ** exponent, for any number of attributes."""

    exponent: float = 1.0

    def __post_init__(self) -> None:
        power(self.exponent)

    @property
    def quantifier(self) -> Quantifier:
        """Q(x) = x ** exponent."""
        return power(self.exponent)

    def __str__(self) -> str:
        return f"{self.title}({self.exponent:g})"


@dataclass(frozen=True)
class OrderedWeightedAverage(QuantifierGuided):
    """OWA with the weights of the quantifier; exponent 1 is the arithmetic mean, near 0 the maximum."""

    title = "owa"

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return ordered_weighted_average(values, owa_weights(self.quantifier, values.shape[1]))


@dataclass(frozen=True)
class ChoquetIntegral(QuantifierGuided):
    """The Choquet integral over the symmetric measure of the quantifier."""

    title = "choquet"

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return choquet_integral(values, symmetric_measure(self.quantifier, values.shape[1]))


@dataclass(frozen=True)
class SugenoIntegral(QuantifierGuided):
    """The Sugeno integral over the symmetric measure of the quantifier; values must lie in 0..1."""

    title = "sugeno"

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return sugeno_integral(values, symmetric_measure(self.quantifier, values.shape[1]))
