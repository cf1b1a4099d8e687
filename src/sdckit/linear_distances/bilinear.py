"""Symmetric bilinear form of the differences: one weight per pair of attributes, as in the Mahalanobis distance."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.linear_distance import LinearDistance, typical_size
from sdckit.linear_distances.rivals import SIGNED
from sdckit.linear_distances.weighted_mean import WeightedMean

Array = NDArray[np.float64]


class Bilinear(LinearDistance):
    """Symmetric bilinear form δᵀΣδ of the differences δ, Σ any symmetric matrix.

    The parameters are the upper triangle of Σ, row by row.
    """

    name = "bilinear"
    form = SIGNED
    contains: ClassVar[tuple[str, ...]] = ("weighted mean", "bilinear metric", "non-negative bilinear", "bilinear")
    monotone = False

    def size(self, attributes: int) -> int:
        return attributes * (attributes + 1) // 2

    def features(self, differences: Array) -> Array:
        row, column = np.triu_indices(differences.shape[-1])
        return differences[..., row] * differences[..., column] * np.where(row == column, 1, 2)

    def inequalities(self, attributes: int) -> Array:
        return np.empty((0, self.size(attributes)))

    def arithmetic_mean(self, attributes: int) -> Array:
        return self.embed(np.full(attributes, 1 / attributes))

    def embed(self, weights: Array) -> Array:
        return upper_triangle(np.diag(weights))

    def embed_member(self, family: str, parameters: Array, attributes: int) -> Array | None:
        if family != WeightedMean.name and family in self.contains:
            return parameters
        return super().embed_member(family, parameters, attributes)

    def normalised(self, parameters: Array) -> Array:
        """Trace 1, or where the trace is not positive, largest entry 1."""
        trace = float(np.trace(symmetric(parameters)))
        largest = float(np.abs(parameters).max())
        return parameters / (trace if trace > 1e-3 * largest else largest)

    def importance(self, parameters: Array, attributes: int) -> Array:
        """The diagonal of Σ, trace 1."""
        return np.diag(symmetric(self.normalised(parameters)))

    def interactions(self, parameters: Array, attributes: int) -> Array:
        """Σ off its diagonal."""
        matrix = symmetric(self.normalised(parameters))
        return np.asarray(matrix - np.diag(np.diag(matrix)))

    def axes(self, own_differences: Array, deviations: Array) -> Array:
        """The axes on which the Mahalanobis distance of the differences between true pairs is Euclidean."""
        scale = typical_size(own_differences, deviations)
        scaled = own_differences / scale
        covariance = np.atleast_2d(scaled.T @ scaled) / max(1, len(scaled))
        values, vectors = np.linalg.eigh(covariance)
        return np.asarray((vectors / np.sqrt(np.maximum(values, 1e-4))).T / scale)

    def onto_axes(self, parameters: Array, axes: Array) -> Array:
        back = np.linalg.inv(axes)
        return upper_triangle(back.T @ symmetric(parameters) @ back)

    def off_axes(self, parameters: Array, axes: Array) -> Array:
        return upper_triangle(axes.T @ symmetric(parameters) @ axes)

    def searchable(self, parameters: Array, attributes: int) -> tuple[int, Array, Array]:
        values, vectors = np.linalg.eigh(symmetric(parameters))
        return self.form, values, np.asarray(vectors)


class NonNegativeBilinear(Bilinear):
    """Symmetric bilinear form that is non-negative on every pair of a query and a target."""

    name = "non-negative bilinear"
    contains: ClassVar[tuple[str, ...]] = ("weighted mean", "bilinear metric", "non-negative bilinear")

    def nonnegative_on_pairs(self) -> bool:
        return True


class BilinearMetric(Bilinear):
    """Symmetric bilinear form with a positive definite matrix: a generalised Mahalanobis distance."""

    name = "bilinear metric"
    contains: ClassVar[tuple[str, ...]] = ("weighted mean", "bilinear metric")

    def inequalities(self, attributes: int) -> Array:
        """The diagonal is not negative: necessary, and linear; `semidefinite` asks for the rest."""
        row, column = np.triu_indices(attributes)
        return np.asarray(np.eye(self.size(attributes))[row == column])

    def semidefinite(self) -> bool:
        return True


def symmetric(upper: Array) -> Array:
    """The symmetric matrix with this upper triangle."""
    attributes = round((float(np.sqrt(8 * len(upper) + 1)) - 1) / 2)
    matrix = np.zeros((attributes, attributes), dtype=upper.dtype)
    matrix[np.triu_indices(attributes)] = upper
    return np.asarray(matrix + np.triu(matrix, 1).T)


def upper_triangle(matrix: Array) -> Array:
    """The upper triangle of a symmetric matrix, row by row."""
    return np.asarray(((matrix + matrix.T) / 2)[np.triu_indices(len(matrix))])
