"""Weighted mean and OWA of the squared differences: one weight per attribute, or per rank of the difference."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.linear_distance import LinearDistance, typical_size
from sdckit.linear_distances.rivals import ORDERED, SIGNED

Array = NDArray[np.float64]

LEAST_SHARE = 1e-6  # of the sum of the weights, on the scale of typical differences: less than this counts as 0


class WeightedMean(LinearDistance):
    """Weighted mean of the squared differences: p_k ≥ 0 the importance of attribute k."""

    name = "weighted mean"
    form = SIGNED
    contains: ClassVar[tuple[str, ...]] = ("weighted mean", "weighted mean metric")

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

    def embed_member(self, family: str, parameters: Array, attributes: int) -> Array | None:
        return parameters if family in self.contains else None

    def importance(self, parameters: Array, attributes: int) -> Array:
        return self.normalised(parameters)

    def axes(self, own_differences: Array, deviations: Array) -> Array:
        return np.diag(1 / typical_size(own_differences, deviations))

    def onto_axes(self, parameters: Array, axes: Array) -> Array:
        return parameters / np.diag(axes) ** 2

    def off_axes(self, parameters: Array, axes: Array) -> Array:
        return parameters * np.diag(axes) ** 2


class WeightedMeanMetric(WeightedMean):
    """Weighted mean of the squared differences with p_k > 0: only identical records are at distance 0.

    The most links are those of the weighted mean: a link by a margin remains one after a small change of the weights.
    """

    name = "weighted mean metric"
    contains: ClassVar[tuple[str, ...]] = ("weighted mean metric",)

    def inequalities(self, attributes: int) -> Array:
        """Each weight at least a small share of their sum, which stands for p_k > 0."""
        return np.eye(attributes) - LEAST_SHARE


class OWA(LinearDistance):
    """Ordered weighted average of the squared differences: p_k the importance of the k-th largest."""

    name = "owa"
    form = ORDERED
    contains: ClassVar[tuple[str, ...]] = ("owa",)
    symmetric = True

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
