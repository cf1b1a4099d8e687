"""Weighted mean and OWA of the squared differences: one weight per attribute, or per rank of the difference."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.linear_distance import LinearDistance, typical_size
from sdckit.linear_distances.rivals import ORDERED, SIGNED

Array = NDArray[np.float64]


class WeightedMean(LinearDistance):
    """Weighted mean of the squared differences: p_k the importance of attribute k."""

    name = "weighted mean"
    form = SIGNED
    contains: ClassVar[tuple[str, ...]] = ("weighted mean",)

    def size(self, attributes: int) -> int:
        return attributes

    def features(self, differences: Array) -> Array:
        return differences**2

    def inequalities(self, attributes: int) -> Array:
        return np.eye(attributes)

    def arithmetic_mean(self, attributes: int) -> Array:
        return np.full(attributes, 1 / attributes)

    def embed(self, weights: Array) -> Array:
        return weights

    def importance(self, parameters: Array, attributes: int) -> Array:
        return self.normalised(parameters)

    def axes(self, own_differences: Array, deviations: Array) -> Array:
        return np.diag(1 / typical_size(own_differences, deviations))

    def onto_axes(self, parameters: Array, axes: Array) -> Array:
        return parameters / np.diag(axes) ** 2

    def off_axes(self, parameters: Array, axes: Array) -> Array:
        return parameters * np.diag(axes) ** 2


class OWA(LinearDistance):
    """Ordered weighted average of the squared differences: p_k the importance of the k-th largest."""

    name = "owa"
    form = ORDERED
    contains: ClassVar[tuple[str, ...]] = ("owa",)

    def size(self, attributes: int) -> int:
        return attributes

    def features(self, differences: Array) -> Array:
        return -np.sort(-(differences**2), axis=-1)

    def inequalities(self, attributes: int) -> Array:
        return np.eye(attributes)

    def arithmetic_mean(self, attributes: int) -> Array:
        return np.full(attributes, 1 / attributes)

    def embed(self, weights: Array) -> Array:
        return self.arithmetic_mean(len(weights))

    def importance(self, parameters: Array, attributes: int) -> Array:
        """All attributes are equally important: the weights belong to the ranks of the differences."""
        return self.arithmetic_mean(attributes)
