"""Finding parameters that link many records: surrogates first, then annealing on the exact number of links."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.line_search import EQUAL, MARGIN, hit_and_run, towards_the_cone
from sdckit.linear_distances.linkage import Linkage
from sdckit.linear_distances.surrogate import SHARPNESS, descend
from sdckit.linear_distances.working_rows import WorkingRows

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

FIRST_RIVALS = 8  # rivals of each record that the search begins with
CYCLE = 10  # temperatures of a cycle, from warm to cold
WARM, COLD = 0.6, 0.1  # in links
AMPLE = 1e-4  # distance of a unit point from the border of the cone that is enough to move in
SLACK, SWEEPS = 1e-7, 100  # distance by which a point is moved inside the cone, and the most sweeps to do so
CONTESTED = 2000  # records considered in one cycle: those whose link is nearest to changing


class Step(NamedTuple):
    """One improvement: its time, its origin, and the number of records linked from then on."""

    seconds: float
    by: str
    found: float


class Search:
    """The best parameters so far, and the rows met so far; every count is verified on all pairs."""

    def __init__(self, linkage: Linkage, rng: np.random.Generator) -> None:
        self.linkage, self.rng = linkage, rng
        self.began = process_time()
        self.rows = WorkingRows(linkage)
        self.inequalities = unit_rows(linkage.model.inequalities(linkage.attributes))
        self.order = linkage.attributes if linkage.model.semidefinite() else 0
        self.size = linkage.model.size(linkage.attributes)
        self.interior = unit(self.onto_axes(linkage.model.interior(linkage.attributes)))
        self.best = self.interior
        self.linked: Flags = np.zeros(linkage.records, dtype=bool)
        self.found = -1.0
        self.trail: list[Step] = []
        self._past: list[Array] = []
        self._steps = 50

    def onto_axes(self, parameters: Array) -> Array:
        """Convert parameters from the units of the attributes to those of the search."""
        return self.linkage.model.onto_axes(parameters, self.linkage.axes)

    def links(self, linked: Flags) -> float:
        """The number of links: the sum of the weights of the linked records."""
        return float(self.linkage.weights[linked].sum())

    def offer(self, parameters: Array, by: str) -> float:
        """Count the links on all pairs, add the rows that prevent the others, update the best; −1 if not allowed."""
        violated = self.linkage.violated_inequalities(parameters)
        if len(violated):
            self.inequalities = np.concatenate([self.inequalities, unit_rows(violated)])
            return -1
        linked, losses = self.linkage.links_and_losses(parameters)
        self.rows.add(losses)
        found = self.links(linked)
        if found > self.found + EQUAL:
            self.best, self.linked, self.found = unit(parameters), linked, found
            self.trail.append(Step(process_time() - self.began, by, found))
        return found

    def settle(self, parameters: Array) -> None:
        """Replace the best parameters by these if they link as many."""
        if not len(self.linkage.violated_inequalities(parameters)):
            linked = self.linkage.linked(parameters)
            if self.links(linked) >= self.found - EQUAL:
                self.best, self.linked = unit(parameters), linked

    def start(self, parameters: Array, by: str) -> Array:
        """Start from parameters that may lie on the border of the cone, moved inside as far as no link is lost."""
        parameters = unit(parameters)
        self.rows.add(self.linkage.rivals(parameters, FIRST_RIVALS))
        count = self.offer(parameters, by)
        if self.order == 0 and (self.inequalities @ parameters).min(initial=np.inf) > AMPLE:
            return parameters
        for share in (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
            inside = unit(parameters + share * self.interior)
            if self.links(self.linkage.linked(inside)) >= count - EQUAL or share < 1e-6:
                self.offer(inside, by)
                return inside
        return parameters

    def inside(self, parameters: Array) -> Array:
        """The point nearest to the given one on the way from it to the interior of the cone."""
        if self.order and len(self.linkage.violated_inequalities(parameters)):
            for share in (0.01, 0.1, 0.3, 1.0):
                moved = unit(unit(parameters) + share * self.interior)
                if not len(self.linkage.violated_inequalities(moved)):
                    return moved
        if not len(self.inequalities):
            return parameters
        moved = towards_the_cone(unit(parameters), self.inequalities, SLACK, SWEEPS)
        slack, full = self.inequalities @ moved, self.inequalities @ self.interior
        short = slack < SLACK / 2
        if not short.any():
            return moved
        share = min(1.0, float(np.max((SLACK - slack[short]) / np.maximum(full[short] - slack[short], 1e-12))))
        return unit((1 - share) * moved + share * self.interior)

    def surrogates(self, begin: Array, over: Callable[[], bool], shaken: bool = False) -> Array:
        """Descend the convex surrogate, then the sharp one; returns the best point met."""
        importance = self.linkage.weights.copy()
        best, best_count = begin, -1.0
        for bounded in (False, True):
            if shaken:
                importance[:] = self.linkage.weights * self.rng.exponential(size=self.linkage.records)
            start = best if bounded else begin
            path = descend(
                self.rows.values, self.rows.starts, importance, self.inequalities, start, bounded, SHARPNESS, over
            )
            for point in [self.inside(each) for each in path]:
                count = self.links(self.rows.linked(point, MARGIN))
                if count > best_count:
                    best, best_count = point, count
            if path and self.size > 1 and not over():  # a single parameter leaves no direction to go
                lines = np.array(path)
                on_the_way, count, _ = hit_and_run(
                    self.rows.values, self.rows.starts, self.linkage.weights, self.inequalities, self.order,
                    unit(self.inside(best)), lines, self.rng.random((len(lines), 4)), np.full(len(lines), COLD),
                )  # fmt: skip
                if count > best_count:
                    best, best_count = on_the_way, count
        self.offer(best, "surrogate")
        return best

    def directions(self, count: int) -> Array:
        """Random directions, single parameters, differences of past points, and zeros (towards a lost record)."""
        directions = self.rng.standard_normal((count, self.size))
        kind = self.rng.random(count)
        single = kind < 0.15
        directions[single] = np.eye(self.size)[self.rng.integers(0, self.size, int(single.sum()))]
        if len(self._past) > 4:
            between = (kind >= 0.15) & (kind < 0.35)
            past = np.array(self._past[-60:])
            pair = self.rng.integers(0, len(past), (2, int(between.sum())))
            directions[between] = past[pair[0]] - past[pair[1]]
        directions[kind > 0.5] = 0
        return directions

    def contested(self, point: Array) -> tuple[Array, Indices, Array]:
        """The rows, grouped, and the weights of the records whose link is nearest to being won or lost."""
        starts = self.rows.starts
        if self.linkage.records <= CONTESTED:
            return self.rows.values, starts, self.linkage.weights
        tightest = np.full(self.linkage.records, np.inf)
        np.minimum.at(tightest, self.rows.owners, self.rows.values @ point)
        chosen = np.zeros(self.linkage.records, dtype=bool)
        chosen[np.argsort(np.abs(tightest))[:CONTESTED]] = True
        kept = chosen[self.rows.owners]
        grouped = np.searchsorted(self.rows.owners[kept], np.append(np.flatnonzero(chosen), 1 << 60))
        return self.rows.values[kept], grouped, self.linkage.weights[chosen]

    def anneal(self, begin: Array, seconds: float, over: Callable[[], bool]) -> tuple[float, Array]:
        """One cycle from warm to cold on the exact number of links; returns the most links met and their point."""
        point = unit(self.inside(begin))
        top, best_count = point, self.offer(point, "line search")
        rows, starts, weights = self.contested(point)
        for temperature in np.geomspace(WARM, COLD, CYCLE):
            if over():
                break
            known = len(self.rows.values)
            clock = process_time()
            best, _, point = hit_and_run(
                rows, starts, weights, self.inequalities, self.order, point, self.directions(self._steps),
                self.rng.random((self._steps, 4)), np.full(self._steps, temperature),
            )  # fmt: skip
            pace = (process_time() - clock) / self._steps
            self._steps = int(np.clip(seconds / CYCLE / pace, 10, 2 * self._steps))
            self._past.append(point)
            for met in (best, point):
                count = self.offer(met, "line search")
                if count >= best_count - EQUAL:
                    top, best_count = met, count
            if count < 0:
                point = self.inside(point)
            if len(self.rows.values) != known:
                rows, starts, weights = self.contested(point)
        return best_count, top


def unit(vector: Array) -> Array:
    """The vector of length 1 in the same direction."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else vector


def unit_rows(rows: Array) -> Array:
    """Each row scaled to length 1."""
    return np.ascontiguousarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
