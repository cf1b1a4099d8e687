"""Linear constraints A v = b and G v ≤ h on points, and the nearest point that satisfies them.

With equalities alone the nearest point has a closed form, v − A⁺(A v − b). Inequalities make it a small quadratic
program, a least-distance problem, which non-negative least squares solves (Lawson and Hanson 1974, chapter 23).
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-9  # of the size of a row's terms: a constraint missed by less is satisfied


def _none() -> NDArray[np.float64]:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class LinearConstraints:
    """A v = b and G v ≤ h for points v of d attributes.

    `equal`, `at_most`   the rows of A and of G
    `values`, `limits`   b and h
    `labels`             names of the rows for messages: the equalities first, then the inequalities
    """

    equal: NDArray[np.float64] = field(default_factory=_none)
    values: NDArray[np.float64] = field(default_factory=_none)
    at_most: NDArray[np.float64] = field(default_factory=_none)
    limits: NDArray[np.float64] = field(default_factory=_none)
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rows = [np.asarray(each, dtype=np.float64) for each in (self.equal, self.at_most)]
        width = max(each.shape[1] if each.ndim == 2 else 0 for each in rows)
        for name, row, end, values in zip(
            ("equal", "at_most"), rows, ("values", "limits"), (self.values, self.limits), strict=True
        ):
            matrix = row if row.ndim == 2 else np.empty((0, width))
            numbers = np.asarray(values, dtype=np.float64)
            if len(matrix) != len(numbers) or matrix.shape[1] != width:
                raise ValueError(f"{name} {matrix.shape} and {end} {numbers.shape} of linear constraints do not fit")
            object.__setattr__(self, name, matrix)
            object.__setattr__(self, end, numbers)
        if self.labels and len(self.labels) != len(self.values) + len(self.limits):
            raise ValueError(f"{len(self.labels)} labels do not fit {len(self.values) + len(self.limits)} constraints")

    @property
    def attributes(self) -> int:
        """The number d of attributes."""
        return int(self.equal.shape[1])

    def label(self, row: int) -> str:
        """The name of a row, equalities first."""
        return self.labels[row] if self.labels else f"constraint {row + 1}"

    def in_coordinates(self, shift: NDArray[np.float64], scale: NDArray[np.float64]) -> "LinearConstraints":
        """The same constraints on z, where v = scale · z + shift, as for standardised points."""
        return LinearConstraints(
            self.equal * scale,
            self.values - self.equal @ shift,
            self.at_most * scale,
            self.limits - self.at_most @ shift,
            self.labels,
        )

    def violations(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """By how much each point misses each row, equalities first; 0 where it is satisfied but for rounding."""
        gaps, over = points @ self.equal.T - self.values, points @ self.at_most.T - self.limits
        by = np.concatenate([np.abs(gaps), np.maximum(over, 0.0)], axis=1)
        rows = np.abs(np.concatenate([self.equal, self.at_most]))
        size = np.abs(points) @ rows.T + np.abs(np.concatenate([self.values, self.limits]))
        return np.where(by <= ROUNDING * np.maximum(size, np.finfo(float).tiny), 0.0, by)

    def conflict(self) -> tuple[int, ...]:
        """A smallest set of rows that no point satisfies together; empty if some point satisfies all.

        By Farkas' lemma there is none iff multipliers y and u ≥ 0 have Aᵀy + Gᵀu = 0 and bᵀy + hᵀu < 0; a vertex of
        these multipliers names the rows of a conflict from which none can be left out.
        """
        from scipy.optimize import linprog

        equalities = len(self.values)
        rows = np.concatenate([self.equal, -self.equal, self.at_most])
        ends = np.concatenate([self.values, -self.values, self.limits])
        if not len(rows):
            return ()
        length = np.linalg.norm(rows, axis=1)
        unit = np.where(length > 0, length, 1.0)
        system, target = np.vstack([(rows / unit[:, None]).T, ends / unit]), np.zeros(self.attributes + 1)
        target[-1] = -1.0
        found = linprog(np.ones(len(rows)), A_eq=system, b_eq=target, bounds=(0, None), method="highs-ds")
        if found.status != 0:
            return ()
        used = np.flatnonzero(np.asarray(found.x) > ROUNDING)
        return tuple(sorted({int(row - equalities if row >= equalities else row) for row in used}))

    def check(self) -> None:
        """Refuse constraints that no point satisfies, with the names of those that exclude each other."""
        rows = self.conflict()
        if rows:
            names = "; ".join(self.label(row) for row in rows)
            raise ValueError(f"no values satisfy these constraints together: {names}; change or leave out one of them")

    def nearest(self, points: NDArray[np.float64], metric: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The nearest point to each that satisfies the constraints, which must not exclude each other.

        `metric` weights the squared difference of each attribute, for each point; by default all weights are 1.
        """
        if metric is None or metric.shape[1] == 1:
            return self._nearest(points)
        nearest = np.empty(points.shape)
        for k, (point, weights) in enumerate(zip(points, metric, strict=True)):
            scale = 1.0 / np.sqrt(np.maximum(weights / max(weights.max(), np.finfo(float).tiny), ROUNDING))
            own = self.in_coordinates(np.zeros(len(scale)), scale)
            nearest[k] = own._nearest((point / scale)[None])[0] * scale
        return nearest

    @cached_property
    def _inverse(self) -> NDArray[np.float64]:
        return np.asarray(np.linalg.pinv(self.equal), dtype=np.float64)

    @cached_property
    def _free(self) -> NDArray[np.float64]:
        """An orthonormal basis of the directions along which no equality changes."""
        if not len(self.equal):
            return np.eye(self.attributes)
        _, values, directions = np.linalg.svd(self.equal)
        rank = int((values > max(values.max(initial=0.0), 1e-300) * 1e-12).sum())
        return np.ascontiguousarray(directions[rank:].T)

    def _nearest(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        nearest = points - (points @ self.equal.T - self.values) @ self._inverse.T
        if not len(self.limits):
            return nearest
        slack = self.limits - nearest @ self.at_most.T
        size = np.abs(nearest) @ np.abs(self.at_most).T + np.abs(self.limits)
        outside = np.flatnonzero((slack < -1e-12 * size).any(axis=1))
        if not len(outside):
            return nearest
        if not len(self.equal) and (np.count_nonzero(self.at_most, axis=1) == 1).all():
            return self._clipped(nearest)
        nearest[outside] += least_steps(self.at_most @ self._free, slack[outside]) @ self._free.T
        return nearest

    def _clipped(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points within bounds on single attributes."""
        low, high = np.full(self.attributes, -np.inf), np.full(self.attributes, np.inf)
        for row, limit in zip(self.at_most, self.limits, strict=True):
            attribute = int(np.flatnonzero(row)[0])
            bound = limit / row[attribute]
            if row[attribute] > 0:
                high[attribute] = min(high[attribute], bound)
            else:
                low[attribute] = max(low[attribute], bound)
        return np.clip(points, low, high)


def least_steps(rows: NDArray[np.float64], slack: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shortest z with rows · z ≤ slack for each row of `slack`.

    Points that violate the same rows are tried together: the shortest step onto these rows is the solution where its
    multipliers are not negative and it violates no other row. `least_step` solves for the remaining points.
    """
    steps = np.empty((len(slack), rows.shape[1]))
    patterns, which = np.unique(slack < 0, axis=0, return_inverse=True)
    for number, active in enumerate(patterns):
        members = np.flatnonzero(which.ravel() == number)
        onto, wanted = rows[active], slack[members][:, active]
        multipliers = -wanted @ np.linalg.pinv(onto @ onto.T, hermitian=True)
        steps[members] = -multipliers @ onto
        error = ROUNDING * np.abs(slack[members]).max(axis=1, keepdims=True)
        reached = (np.abs(steps[members] @ onto.T - wanted) <= error).all(axis=1)
        optimal = (
            reached & (multipliers >= 0).all(axis=1) & (steps[members] @ rows.T <= slack[members] + error).all(axis=1)
        )
        for k in members[~optimal]:
            steps[k] = least_step(rows, slack[k])
    return steps


def least_step(rows: NDArray[np.float64], slack: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shortest z with rows · z ≤ slack, by non-negative least squares on its dual, then exactly on the active rows.

    >>> least_step(np.array([[1.0, 1.0]]), np.array([-2.0]))
    array([-1., -1.])
    """
    from scipy.optimize import nnls

    length = np.linalg.norm(rows, axis=1)
    used = length > 1e-12 * max(float(length.max(initial=0.0)), 1e-300)  # the others no free direction changes
    rows, slack = rows[used] / length[used, None], slack[used] / length[used]
    scale = max(float(np.abs(slack[slack < 0]).max(initial=0.0)), 1e-300)
    target = np.zeros(rows.shape[1] + 1)
    target[-1] = 1.0
    multipliers, _ = nnls(np.vstack([-rows.T, -slack / scale]), target)
    residual = np.concatenate([-rows.T @ multipliers, [-(slack / scale) @ multipliers - 1.0]])
    active = multipliers > 0
    exact = np.linalg.lstsq(rows[active], slack[active], rcond=None)[0]
    if (rows @ exact <= slack + ROUNDING * scale).all():
        return np.asarray(exact, dtype=np.float64)
    return np.asarray(-scale * residual[:-1] / residual[-1], dtype=np.float64)
