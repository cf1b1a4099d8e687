"""Conflicts: sets of records that no parameters link together; at least a smallest hitting set of them is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.highs import minimise, quiet_highs
from sdckit.linear_distances.search import Search

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

MARGIN = 1e-5  # of a unit row, the largest parameter being at most 1: records without a common margin conflict
NO_MARGIN = 1e-6  # a margin of the linear program below this counts as none; its tolerances are smaller
ROWS_AT_ONCE = 60  # violated rows added to the linear program at a time
TOLERANCE = 1e-6  # of the solver: a bound that is less than twice this above the number found meets it
TRIALS, SETS_PER_TRIAL = 10, 3  # random hitting sets tried between two exact ones


class LargestMargin:
    """The largest margin by which chosen records can be linked together, by a linear program with warm starts."""

    def __init__(self, search: Search) -> None:
        self.rows, self.owners, self.size = search.rows.values, search.rows.owners, search.size
        self.records = search.linkage.records
        self.highs = quiet_highs()
        for _ in range(self.size):
            self.highs.addVar(0.0 if search.linkage.model.monotone else -1.0, 1.0)
        self.highs.addVar(-1.0, 1.0)
        self.highs.changeColCost(self.size, -1.0)
        self.inequalities = len(search.inequalities)
        if self.inequalities:
            self._add(np.column_stack([search.inequalities, np.zeros(self.inequalities)]))
        self.active = np.empty(0, np.int64)
        self.enforced = np.empty(0, dtype=bool)

    def _add(self, rows: Array) -> None:
        import highspy

        count, width = rows.shape
        self.highs.addRows(
            count, np.zeros(count), np.full(count, highspy.kHighsInf), rows.size,
            (np.arange(count) * width).astype(np.int32), np.tile(np.arange(width), count).astype(np.int32),
            rows.ravel(),
        )  # fmt: skip

    def solve(self, chosen: Flags) -> tuple[float, Array, Indices]:
        """The margin for the chosen records, the parameters that reach it, and the records that limit it."""
        import highspy

        chosen_rows = chosen[self.owners[self.active]]
        for k in np.flatnonzero(chosen_rows != self.enforced):
            required = 0.0 if chosen_rows[k] else -highspy.kHighsInf
            self.highs.changeRowBounds(int(self.inequalities + k), required, highspy.kHighsInf)
        self.enforced = chosen_rows
        while True:
            self.highs.run()
            solution = np.array(self.highs.getSolution().col_value)
            point, margin = solution[: self.size], float(solution[self.size])
            value = self.rows @ point
            violated = np.flatnonzero((value < margin - 1e-9) & chosen[self.owners])
            order = violated[np.lexsort((value[violated], self.owners[violated]))]
            worst = order[np.diff(self.owners[order], prepend=-1) != 0]
            new = np.setdiff1d(worst[np.argsort(value[worst])[:ROWS_AT_ONCE]], self.active)
            if not len(new):
                break
            self._add(np.column_stack([self.rows[new], -np.ones(len(new))]))
            self.active = np.concatenate([self.active, new])
            self.enforced = np.concatenate([self.enforced, np.ones(len(new), dtype=bool)])
        dual = np.abs(np.array(self.highs.getSolution().row_dual))[self.inequalities :]
        return margin, point, np.unique(self.owners[self.active[dual > 1e-9]])


class Conflicts:
    """The conflicts found so far, and the bound that follows from them."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.groups = search.linkage.groups
        self.sets: list[Indices] = []
        self._known: set[bytes] = set()

    def constraints(self, members: Indices) -> tuple[csr_array, Array]:
        """Rows and lower limits: each conflict loses one record, each group of identical queries all but one."""
        from scipy.sparse import csr_array

        index = np.full(self.search.linkage.records, -1)
        index[members] = np.arange(len(members))
        _, group, sizes = np.unique(self.groups[members], return_inverse=True, return_counts=True)
        several = np.flatnonzero(sizes > 1)
        lines = [np.flatnonzero(group == each) for each in several]
        conflicts = [index[each] for each in self.sets if (index[each] >= 0).all()]
        required = np.concatenate([sizes[several] - 1.0, np.ones(len(conflicts))])
        lines += conflicts
        lengths = [len(line) for line in lines]
        columns = np.concatenate(lines) if lines else np.empty(0, np.int64)
        owners = np.repeat(np.arange(len(lines)), lengths)
        return csr_array((np.ones(len(columns)), (owners, columns)), shape=(len(lines), len(members))), required

    def collect(self, programme: LargestMargin, lost: Flags, over: Callable[[], bool]) -> int:
        """Find disjoint conflicts among the records that are not lost; returns the number of new ones."""
        chosen, new = ~lost & ~self.search.rows.impossible, 0
        while not over():
            margin, point, records = programme.solve(chosen)
            if margin > NO_MARGIN or not len(records):
                if point.any():
                    self.search.offer(self.search.inside(point), "conflict search")
                break
            if records.tobytes() not in self._known:
                self._known.add(records.tobytes())
                self.sets.append(records)
                new += 1
            chosen[records] = False
        return new

    def random_hitting_set(self, likely: Array) -> Flags:
        """Records that hit every conflict and group, the likely ones first."""
        rng, records = self.search.rng, self.search.linkage.records
        weight = likely + 0.3 * rng.random(records)
        order = np.lexsort((weight, self.groups))
        lost = np.zeros(records, dtype=bool)
        lost[order[np.diff(self.groups[order], prepend=-1) == 0]] = True
        left = [each for each in self.sets if not lost[each].any()]
        while left:
            hits = np.bincount(np.concatenate(left), minlength=records) * (0.2 + weight)
            chosen = int(np.argmax(hits * rng.uniform(0.8, 1, records)))
            lost[chosen] = True
            left = [each for each in left if chosen not in each]
        return lost


def most_without(possible: Array, lost: float) -> float:
    """The most links of records with these weights if the lost ones weigh at least `lost`; whole if all weights are."""
    if (possible == np.round(possible)).all():
        return float(possible.sum() - np.ceil(lost - 1e-6))
    return float(possible.sum() - lost + TOLERANCE)


def bound_from_conflicts(conflicts: Conflicts, left: Callable[[], float]) -> float | None:
    """An upper bound on the records linked at once, at the margin: those not in a smallest hitting set.

    Implicit hitting sets: random ones find new conflicts cheaply, exact ones (a set cover by HiGHS) prove the bound.
    """
    search = conflicts.search

    def over() -> bool:
        return left() <= 0.05

    bound: float | None = None
    likely = (~search.linked).astype(float)
    while not over():
        programme = LargestMargin(search)
        members = np.flatnonzero(~search.rows.impossible)
        rows_known = len(search.rows.values)
        new = 0
        for _ in range(TRIALS):
            for _ in range(SETS_PER_TRIAL):
                new += conflicts.collect(programme, conflicts.random_hitting_set(likely), over)
            matrix, required = conflicts.constraints(members)
            relaxed = minimise(search.linkage.weights[members], *_unit_box(len(members)), matrix, required, left())
            if over() or not len(relaxed.x):
                break
            likely = np.zeros(search.linkage.records)
            likely[members] = relaxed.x
        matrix, required = conflicts.constraints(members)
        exact = minimise(
            search.linkage.weights[members], *_unit_box(len(members)), matrix, required, left(),
            np.ones(len(members), dtype=bool),
        )  # fmt: skip
        if np.isfinite(exact.bound):
            proven = most_without(search.linkage.weights[members], exact.bound)
            bound = proven if bound is None else min(bound, proven)
        if not len(exact.x) or (bound is not None and bound <= search.found + 2 * TOLERANCE):
            break
        lost = np.ones(search.linkage.records, dtype=bool)
        lost[members] = exact.x > 0.5
        new += conflicts.collect(programme, lost, over)
        if new == 0 and len(search.rows.values) == rows_known:
            break
    return bound


def _unit_box(size: int) -> tuple[Array, Array]:
    return np.zeros(size), np.ones(size)
