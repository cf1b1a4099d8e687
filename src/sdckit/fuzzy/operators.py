"""Aggregation operators: one value for the values of each record.

All take a matrix, one row a record, and give a vector. An operator lies between the least and the greatest value of a
row and never falls when a value rises.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.choquet import choquet_integral
from sdckit.fuzzy.measures import symmetric_measure
from sdckit.fuzzy.quantifiers import Quantifier, power
from sdckit.fuzzy.sugeno import sugeno_integral


def weighted_mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ w_j · x_j: each attribute weighs the same in every record."""
    result: NDArray[np.float64] = values @ weights
    return result


def ordered_weighted_average(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """OWA: Σ w_j · (j-th largest of the record), so a weight belongs to a rank and not to an attribute (Yager 1988)."""
    return weighted_mean(-np.sort(-values, axis=1), weights)


def owa_weights(quantifier: Quantifier, d: int) -> NDArray[np.float64]:
    """The weights Q(j / d) − Q((j − 1) / d) that a quantifier gives to d ranks."""
    return np.diff(quantifier(np.arange(d + 1) / d))


class Operator(Protocol):
    """Something that aggregates the values of each record."""

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """One value for each row."""
        ...


@dataclass(frozen=True)
class QuantifierGuided:
    """An operator that a power quantifier Q(x) = x ** exponent guides, whatever the number of attributes."""

    exponent: float = 1.0

    @property
    def quantifier(self) -> Quantifier:
        """Q(x) = x ** exponent."""
        return power(self.exponent)


@dataclass(frozen=True)
class OrderedWeightedAverage(QuantifierGuided):
    """OWA with the weights of the quantifier; exponent 1 is the arithmetic mean, near 0 the maximum."""

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return ordered_weighted_average(values, owa_weights(self.quantifier, values.shape[1]))


@dataclass(frozen=True)
class ChoquetIntegral(QuantifierGuided):
    """The Choquet integral over the symmetric measure of the quantifier."""

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return choquet_integral(values, symmetric_measure(self.quantifier, values.shape[1]))


@dataclass(frozen=True)
class SugenoIntegral(QuantifierGuided):
    """The Sugeno integral over the symmetric measure of the quantifier; values must lie in 0..1."""

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return sugeno_integral(values, symmetric_measure(self.quantifier, values.shape[1]))
