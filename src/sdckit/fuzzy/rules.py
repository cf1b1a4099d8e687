"""Rules of clusterings: how degrees, and the weights of records for centres, follow from distances to the centres."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.strips import Accumulator, Strip, Sums, in_blocks, strips, total_sums


class Rule(Protocol):
    """What the iteration asks of a clustering."""

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """The sums from which the next centres are computed, and the objective of these centres."""
        ...

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre; NaN for a point without any value."""
        ...


class Metric(Protocol):
    """Distances other than those of the coordinates, and how centres are computed under them."""

    def distances(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The squared distance of each point to each centre; NaN for a point without any value."""
        ...

    def rule(self, rule: Rule) -> Rule:
        """The rule of a clustering with these distances."""
        ...


class StripRule:
    """A rule for which the distances of a record are enough; it is evaluated strip by strip, on all cores."""

    def influences(self, strip: Strip, influence: NDArray[np.float64]) -> NDArray[np.float64]:
        """Fill the weight of each record for each centre, as if all records counted once; returns their objectives."""
        raise TypeError(f"{type(self).__name__} must define influences")

    def degrees(self, distance: NDArray[np.float64], degrees: NDArray[np.float64]) -> None:
        """Fill the degrees of membership of some records, from their squared distances to the centres."""
        raise TypeError(f"{type(self).__name__} must define degrees")

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """The sums from which the next centres are computed, and the objective of these centres."""
        columns, missing = np.ascontiguousarray(centres.T), bool(np.isnan(points).any())

        def block(start: int, stop: int) -> Accumulator:
            found, influence = Accumulator(columns, missing), np.empty((0, 0))
            for strip in strips(points, columns, weights, start, stop):
                if len(influence) < len(strip.distance):
                    influence = np.empty(strip.distance.shape)
                own = influence[: len(strip.distance)]
                found.add(strip, own, self.influences(strip, own))
            return found

        return total_sums(in_blocks(len(points), block))

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre; NaN for a point without any value."""
        points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
        degrees = np.empty((len(points), len(centres)))

        def block(start: int, stop: int) -> None:
            for strip in strips(points, columns, np.ones(len(points)), start, stop):
                self.degrees(strip.distance, degrees[strip.rows])
                degrees[strip.rows][np.isnan(strip.scale)] = np.nan

        in_blocks(len(points), block)
        return degrees
