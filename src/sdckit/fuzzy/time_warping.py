"""Time warping as the distance of a clustering: series are aligned before they are compared.

The squared distance of a series to a centre is the least Σ (x − v)² over alignments, which go forward in one or both
series and keep within a window of time (Sakoe and Chiba 1978). A centre is the weighted mean of the values that are
aligned with each of its times (Petitjean, Ketterlin and Gançarski 2011); for the alignments at hand no series is
better, and aligning again lowers the distances, so that an objective never rises. Missing measurements are skipped.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.rules import Rule, StripRule
from sdckit.fuzzy.strips import Accumulator, Strip, Sums, in_blocks, total_sums
from sdckit.kernels.compiled import njit

CELLS = 1 << 18  # distances at a time: 2 MB
BOTH, RECORD, CENTRE = 0, 1, 2  # which of the two series the last step of an alignment advanced


@dataclass(frozen=True)
class Warping:
    """Points are series of `times` measurements of `attributes` each, time by time; alignments keep to the window."""

    times: int
    attributes: int
    window: int

    def distances(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The squared distance of each point to each centre; NaN for a point without any value."""
        points, centres = np.ascontiguousarray(points), np.ascontiguousarray(centres)
        distance = np.empty((len(points), len(centres)))

        def block(start: int, stop: int) -> None:
            _distances(points[start:stop], centres, self.attributes, self.window, distance[start:stop])

        in_blocks(len(points), block)
        return distance

    def rule(self, rule: Rule) -> "WarpedRule":
        """The rule of a clustering with warped distances."""
        if not isinstance(rule, StripRule):
            raise ValueError("typicalities that sum to 1 for each cluster have no time warping; use another clustering")
        return WarpedRule(rule, self)


@dataclass(frozen=True)
class WarpedRule:
    """A rule with warped distances, and centres that are means of aligned values."""

    rule: StripRule
    warping: Warping

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ w and Σ w x of the values that are aligned with each time of each centre, and the objective."""
        columns, centres = np.ascontiguousarray(centres.T), np.ascontiguousarray(centres)
        attributes, window = self.warping.attributes, self.warping.window

        def block(start: int, stop: int) -> Accumulator:
            found, rows = Accumulator(columns, missing=True), max(CELLS // len(centres), 1)
            for first in range(start, stop, rows):
                part = slice(first, min(first + rows, stop))
                distance = np.empty((part.stop - first, len(centres)))
                _distances(points[part], centres, attributes, window, distance)
                scale = np.where(np.isnan(distance[:, 0]), np.nan, 1.0)
                counted = np.where(np.isnan(scale), 0.0, weights[part])
                influence = np.empty(distance.shape)
                parts = self.rule.influences(Strip(part, points[part], distance, counted, scale), influence)
                found.objective += float(counted @ np.nan_to_num(parts))
                _add_aligned(points[part], centres, attributes, window, counted, influence, found.totals, found.sums)
            return found

        return total_sums(in_blocks(len(points), block))

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre; NaN for a point without any value."""
        distance = self.warping.distances(points, centres)
        degrees = np.empty(distance.shape)
        self.rule.degrees(distance, degrees)
        degrees[np.isnan(distance[:, 0])] = np.nan
        return degrees


@njit(cache=True, nogil=True)
def _observed_times(point: NDArray[np.float64], attributes: int) -> NDArray[np.int64]:
    """The times at which any attribute is observed."""
    times = len(point) // attributes
    seen, count = np.empty(times, np.int64), 0
    for t in range(times):
        any_value = False
        for a in range(attributes):
            any_value |= point[t * attributes + a] == point[t * attributes + a]
        seen[count] = t
        count += any_value
    return seen[:count]


@njit(cache=True, nogil=True)
def _aligned(
    point: NDArray[np.float64],
    centre: NDArray[np.float64],
    seen: NDArray[np.int64],
    attributes: int,
    window: int,
    cost: NDArray[np.float64],
    steps: NDArray[np.uint8],
) -> float:
    """The least cost of an alignment; `steps` are filled unless empty, `cost` is a work array of one entry per time."""
    times = len(centre) // attributes
    last = len(seen) - 1
    cost[:] = np.inf
    for i in range(len(seen)):
        low = 0 if i == 0 else max(min(seen[i], seen[i - 1] + 1) - window, 0)
        high = times - 1 if i == last else min(max(seen[i], seen[i + 1] - 1) + window, times - 1)
        diagonal = np.inf
        for t in range(times):
            above, before = cost[t], cost[t - 1] if t else np.inf
            best, step = diagonal, BOTH
            if above < best:
                best, step = above, RECORD
            if before < best:
                best, step = before, CENTRE
            if i == 0 and t == 0:
                best, step = 0.0, BOTH
            diagonal = above
            if t < low or t > high:
                cost[t] = np.inf
                continue
            gap, known = 0.0, 0
            for a in range(attributes):
                x = point[seen[i] * attributes + a]
                if x == x:
                    gap += (x - centre[t * attributes + a]) ** 2
                    known += 1
            cost[t] = best + gap * attributes / known
            if len(steps):
                steps[i, t] = step
    return float(cost[times - 1])


@njit(cache=True, nogil=True)
def _distances(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    attributes: int,
    window: int,
    distance: NDArray[np.float64],
) -> None:
    cost, none = np.empty(points.shape[1] // attributes), np.empty((0, 0), np.uint8)
    for k in range(len(points)):
        seen = _observed_times(points[k], attributes)
        for c in range(len(centres)):
            nothing = len(seen) == 0
            distance[k, c] = (
                np.nan if nothing else _aligned(points[k], centres[c], seen, attributes, window, cost, none)
            )


@njit(cache=True, nogil=True)
def _add_aligned(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    attributes: int,
    window: int,
    weights: NDArray[np.float64],
    influence: NDArray[np.float64],
    totals: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Add the values of each record to the times of each centre that they are aligned with."""
    times = points.shape[1] // attributes
    cost, steps = np.empty(times), np.empty((times, times), np.uint8)
    for k in range(len(points)):
        if weights[k] == 0:
            continue
        seen = _observed_times(points[k], attributes)
        for c in range(len(centres)):
            weight = weights[k] * influence[k, c]
            if not weight > 0:
                continue
            _aligned(points[k], centres[c], seen, attributes, window, cost, steps)
            i, t = len(seen) - 1, times - 1
            while i >= 0 and t >= 0:
                known = 0
                for a in range(attributes):
                    known += points[k, seen[i] * attributes + a] == points[k, seen[i] * attributes + a]
                for a in range(attributes):
                    x = points[k, seen[i] * attributes + a]
                    if x == x:
                        totals[t * attributes + a, c] += weight * attributes / known
                        sums[t * attributes + a, c] += weight * attributes / known * x
                if i == 0 and t == 0:
                    break
                step = steps[i, t]
                i -= step != CENTRE
                t -= step != RECORD
