"""Distances linear in their parameters, d(a, b) = p·φ(a − b): what φ is, and which p are allowed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class LinearDistance(ABC):
    """A family of distances p·φ(differences), p in a cone; parameters are in the units of the attributes."""

    name: ClassVar[str]
    form: ClassVar[int]
    contains: ClassVar[tuple[str, ...]] = ()  # the families that are subsets of this one
    monotone: ClassVar[bool] = True  # in each absolute difference
    symmetric: ClassVar[bool] = False  # in the attributes: only the sizes of the differences count

    @abstractmethod
    def size(self, attributes: int) -> int:
        """The number of parameters."""

    @abstractmethod
    def features(self, differences: Array) -> Array:
        """φ of each row of differences, in the same precision."""

    @abstractmethod
    def inequalities(self, attributes: int) -> Array:
        """The cone of the allowed parameters: G p ≥ 0."""

    @abstractmethod
    def arithmetic_mean(self, attributes: int) -> Array:
        """The parameters that give every attribute the same importance."""

    @abstractmethod
    def embed(self, weights: Array) -> Array:
        """The weighted mean with these weights as a member of this family (or the nearest member)."""

    def embed_member(self, family: str, parameters: Array, attributes: int) -> Array | None:
        """A member of a contained family as a member of this one; None if that family is not contained."""
        if family == self.name:
            return parameters
        if family == "weighted mean" and family in self.contains:
            return self.embed(parameters)
        return None

    @abstractmethod
    def importance(self, parameters: Array, attributes: int) -> Array:
        """The importance of each attribute."""

    def interactions(self, parameters: Array, attributes: int) -> Array:
        """The importance of each pair of attributes beyond the two single ones; 0 on the diagonal."""
        return np.zeros((attributes, attributes))

    def interior(self, attributes: int) -> Array:
        """Parameters that satisfy every inequality strictly."""
        return self.arithmetic_mean(attributes)

    def normalised(self, parameters: Array) -> Array:
        """The same distance with the family's customary scale (weights sum to 1)."""
        total = parameters.sum()
        return parameters / total if total > 0 else parameters

    def axes(self, own_differences: Array, deviations: Array) -> Array:
        """The linear change of attributes under which the family is invariant and the search well scaled."""
        return np.eye(own_differences.shape[1])

    def onto_axes(self, parameters: Array, axes: Array) -> Array:
        """The parameters that give, on the changed attributes, the same distance."""
        return parameters

    def off_axes(self, parameters: Array, axes: Array) -> Array:
        """The inverse of `onto_axes`."""
        return parameters

    def searchable(self, parameters: Array, attributes: int) -> tuple[int, Array, Array]:
        """The form, its weights and the rotation of the attributes with which the nearest records are searched."""
        return self.form, parameters, np.eye(attributes)

    def semidefinite(self) -> bool:
        """Whether the parameters must form a positive semidefinite matrix."""
        return False

    def nonnegative_on_pairs(self) -> bool:
        """Whether no pair of a query and a target may be at a negative distance."""
        return False


def typical_size(own_differences: Array, deviations: Array) -> Array:
    """Root mean square of the differences between true pairs by attribute, kept away from 0 if it is unchanged."""
    size = np.sqrt(np.mean(own_differences**2, axis=0)) if len(own_differences) else np.zeros_like(deviations)
    size = np.maximum(size, 1e-3 * deviations)
    return np.where(size > 0, size, 1.0)
