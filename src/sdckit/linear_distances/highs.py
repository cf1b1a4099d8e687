"""Linear and mixed-integer programs by HiGHS: minimise cost·x subject to rows·x ≥ required."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import highspy
    from scipy.sparse import csr_array

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Solution(NamedTuple):
    """The best x found (empty if none), a proven lower bound on the cost, and whether the two meet."""

    x: Array
    bound: float
    optimal: bool


def quiet_highs() -> highspy.Highs:
    """A HiGHS instance that prints nothing and uses one thread."""
    import highspy

    highs = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy publishes no types
    highs.silent()
    highs.setOptionValue("threads", 1)
    return highs


def minimise(
    cost: Array,
    lower: Array,
    upper: Array,
    rows: csr_array,
    required: Array,
    seconds: float,
    integral: Flags | None = None,
    start: Array | None = None,
) -> Solution:
    """Minimise cost·x subject to rows·x ≥ required and lower ≤ x ≤ upper, within a time limit."""
    import highspy

    problem = highspy.HighsLp()
    problem.num_col_, problem.num_row_ = len(cost), rows.shape[0]
    problem.col_cost_, problem.col_lower_, problem.col_upper_ = cost, lower, upper
    problem.row_lower_ = required
    problem.row_upper_ = np.full(rows.shape[0], highspy.kHighsInf)
    problem.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    problem.a_matrix_.start_ = rows.indptr
    problem.a_matrix_.index_ = rows.indices
    problem.a_matrix_.value_ = rows.data
    if integral is not None:
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        problem.integrality_ = [kinds[int(each)] for each in integral]
    highs = quiet_highs()
    highs.setOptionValue("time_limit", max(0.01, seconds))
    highs.passModel(problem)
    if start is not None:
        initial = highspy.HighsSolution()
        initial.col_value = list(start)
        highs.setSolution(initial)
    highs.run()
    information = highs.getInfo()
    optimal = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    solved = information.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    x = np.array(highs.getSolution().col_value) if solved else np.empty(0)
    if integral is not None:
        bound = float(information.mip_dual_bound)
    else:
        bound = float(information.objective_function_value) if optimal else -np.inf
    return Solution(x, bound, optimal)
