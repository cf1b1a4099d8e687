"""Choquet integral of the squared differences: one weight per set of attributes, so that attributes interact."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.measures import additive_measure, interaction_indices, set_sizes, shapley_values
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.rivals import CHOQUET
from sdckit.linear_distances.weighted_mean import OWA

Array = NDArray[np.float64]

MAX_ATTRIBUTES = 10  # a fuzzy measure has 2^n - 1 parameters


class Choquet(LinearDistance):
    """Choquet integral of the squared differences: μ(S) the importance of the set S of attributes.

    The parameter of the set S is at index Σ_{k∈S} 2^k − 1.
    """

    name = "choquet"
    form = CHOQUET
    contains: ClassVar[tuple[str, ...]] = ("weighted mean", "owa", "choquet metric", "choquet")

    def size(self, attributes: int) -> int:
        if attributes > MAX_ATTRIBUTES:
            raise ValueError(
                f"a fuzzy measure on {attributes} attributes has too many parameters: choose at most {MAX_ATTRIBUTES}"
            )
        return int(2**attributes - 1)

    def features(self, differences: Array) -> Array:
        squared = differences**2
        ascending = np.argsort(squared, axis=-1, kind="stable")
        values = np.take_along_axis(squared, ascending, axis=-1)
        steps = np.diff(values, axis=-1, prepend=0)
        bits = 1 << ascending
        sets = np.cumsum(bits[..., ::-1], axis=-1)[..., ::-1]
        features = np.zeros((*squared.shape[:-1], self.size(squared.shape[-1])), dtype=squared.dtype)
        np.put_along_axis(features, sets - 1, steps, axis=-1)
        return features

    def inequalities(self, attributes: int) -> Array:
        """Monotonicity: μ(S) ≥ μ(S without one attribute), μ(∅) = 0."""
        size = self.size(attributes)
        rows = []
        for subset in range(1, size + 1):
            for member in range(attributes):
                if subset >> member & 1:
                    row = np.zeros(size)
                    row[subset - 1] = 1
                    if subset != 1 << member:
                        row[(subset ^ 1 << member) - 1] = -1
                    rows.append(row)
        return np.array(rows)

    def arithmetic_mean(self, attributes: int) -> Array:
        return self.embed(np.full(attributes, 1 / attributes))

    def embed(self, weights: Array) -> Array:
        return additive_measure(weights)[1:]

    def embed_member(self, family: str, parameters: Array, attributes: int) -> Array | None:
        if family in self.contains and family == OWA.name:
            return np.asarray(np.cumsum(parameters)[set_sizes(attributes)[1:] - 1])
        if family in self.contains and family == ChoquetMetric.name:
            return parameters
        return super().embed_member(family, parameters, attributes)

    def interior(self, attributes: int) -> Array:
        """μ(S) = √(|S|/n): strictly monotone and strictly submodular."""
        return np.asarray(np.sqrt(set_sizes(attributes)[1:] / attributes))

    def importance(self, parameters: Array, attributes: int) -> Array:
        """The Shapley values of the fuzzy measure."""
        return shapley_values(np.concatenate([[0.0], self.normalised(parameters)]))

    def interactions(self, parameters: Array, attributes: int) -> Array:
        """The interaction indices of the fuzzy measure."""
        return interaction_indices(np.concatenate([[0.0], self.normalised(parameters)]))

    def normalised(self, parameters: Array) -> Array:
        return parameters / parameters[-1] if parameters[-1] > 0 else parameters


class ChoquetMetric(Choquet):
    """Choquet integral with a submodular fuzzy measure, so that the triangle inequality holds."""

    name = "choquet metric"
    contains: ClassVar[tuple[str, ...]] = ("weighted mean", "choquet metric")

    def inequalities(self, attributes: int) -> Array:
        """Monotonicity, and μ(S∪i) + μ(S∪j) ≥ μ(S∪ij) + μ(S) for every S and i, j outside it."""
        size = self.size(attributes)
        rows = [super().inequalities(attributes)]
        for first, second in combinations(range(attributes), 2):
            for subset in range(size + 1):
                if subset >> first & 1 or subset >> second & 1:
                    continue
                row = np.zeros(size)
                row[(subset | 1 << first) - 1] = row[(subset | 1 << second) - 1] = 1
                row[(subset | 1 << first | 1 << second) - 1] = -1
                if subset:
                    row[subset - 1] = -1
                rows.append(row[None])
        return np.concatenate(rows)
