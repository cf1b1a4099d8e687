"""Linearly constrained fuzzy c-means and the nearest point under linear constraints: by hand, limits, optimality."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.constrained_c_means import constrained_c_means
from sdckit.fuzzy.linear_constraints import LinearConstraints, least_step, least_steps

SUM = LinearConstraints(equal=np.array([[1.0, 1.0, -1.0]]), values=np.array([0.0]), labels=("net + tax = gross",))


def accounts(seed: int, off: float = 0.0, records: int = 60) -> np.ndarray:
    """Net, tax and gross; `off` is how far the sums are wrong."""
    rng = np.random.default_rng(seed)
    net, tax = rng.gamma(3, 2, records), rng.gamma(2, 1, records)
    return np.column_stack([net, tax, net + tax + off * rng.standard_normal(records)])


def test_the_nearest_point_on_a_line_by_hand():
    """From (3, 1) to x = y: half of the difference goes to each."""
    line = LinearConstraints(equal=np.array([[1.0, -1.0]]), values=np.array([0.0]))
    assert line.nearest(np.array([[3.0, 1.0]])) == pytest.approx(np.array([[2.0, 2.0]]))


def test_weights_of_the_attributes_decide_which_of_them_moves():
    """With a weight of 3 on x and 1 on y, the difference of 4 is shared 1 : 3."""
    line = LinearConstraints(equal=np.array([[1.0, -1.0]]), values=np.array([0.0]))
    assert line.nearest(np.array([[4.0, 0.0]]), np.array([[3.0, 1.0]])) == pytest.approx(np.array([[3.0, 3.0]]))


def test_bounds_on_single_attributes_clip():
    box = LinearConstraints(at_most=np.array([[1.0, 0], [-2, 0]]), limits=np.array([5.0, 0.0]))
    assert box.nearest(np.array([[7.0, 9.0], [-1.0, -9.0]])).tolist() == [[5, 9], [0, -9]]


@given(st.integers(0, 10**6), st.integers(0, 2), st.integers(1, 6), st.booleans())
def test_the_nearest_point_is_feasible_and_no_other_feasible_point_is_nearer(seed, equalities, inequalities, weighted):
    """A point is the nearest iff moving towards any feasible point leads away: (p − x) · M (y − x) ≤ 0."""
    rng = np.random.default_rng(seed)
    inside = rng.standard_normal((20, 4))
    equal = rng.standard_normal((equalities, 4))
    inside -= (inside @ equal.T) @ np.linalg.pinv(equal).T if equalities else 0.0
    at_most = rng.standard_normal((inequalities, 4))
    limits = (inside @ at_most.T).max(axis=0)
    constraints = LinearConstraints(equal, np.zeros(equalities), at_most, limits)
    point = 3 * rng.standard_normal((1, 4))
    metric = rng.uniform(0.1, 5, (1, 4)) if weighted else None
    nearest = constraints.nearest(point, metric)
    assert np.abs(nearest @ equal.T).max(initial=0) < 1e-8
    assert (nearest @ at_most.T - limits).max(initial=-1) < 1e-8
    towards = (point - nearest) * (1.0 if metric is None else metric)
    assert ((inside - nearest) @ towards[0]).max() < 1e-7


def test_the_nearest_point_is_that_of_a_general_solver():
    rng = np.random.default_rng(5)
    constraints = LinearConstraints(
        np.array([[1.0, 1.0, -1.0]]), np.array([0.0]), np.array([[-1.0, 0, 0], [0, 0, 1], [1, -2, 0]]), np.ones(3)
    )
    for point in 3 * rng.standard_normal((10, 3)):
        solved = minimize(
            lambda v, point=point: ((v - point) ** 2).sum(),
            np.zeros(3),
            constraints=[
                {"type": "eq", "fun": lambda v: v @ constraints.equal[0]},
                {"type": "ineq", "fun": lambda v: constraints.limits - constraints.at_most @ v},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert constraints.nearest(point[None])[0] == pytest.approx(solved.x, abs=1e-5)


def test_records_that_satisfy_the_constraints_have_the_centres_of_plain_c_means():
    points = accounts(1)
    plain, constrained = c_means(points, points[:4], 1.3), constrained_c_means(points, points[:4], 1.3, SUM)
    assert constrained.centres == pytest.approx(plain.centres, rel=1e-9)
    assert constrained.objective == pytest.approx(plain.objective, rel=1e-9)


@pytest.mark.parametrize("fuzziness", [1.0, 1.2, 2.0, 200.0, np.inf])
def test_centres_satisfy_the_constraints_where_records_do_not(fuzziness):
    points = accounts(2, off=2.0)
    found = constrained_c_means(points, points[:5], fuzziness, SUM)
    assert found.centres[:, 0] + found.centres[:, 1] == pytest.approx(found.centres[:, 2], abs=1e-9)
    assert (c_means(points, points[:5], fuzziness).centres @ [1, 1, -1] != 0).any()


@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.3, 2.0]), st.booleans())
def test_the_objective_never_rises_with_inequalities_weights_and_missing_values(seed, fuzziness, holes):
    points = accounts(seed, off=3.0)
    rng = np.random.default_rng(seed)
    start = points[:3].copy()
    if holes:
        points[rng.random(points.shape) < 0.1] = np.nan
    edits = LinearConstraints(
        SUM.equal, SUM.values, np.array([[0.0, 1.0, 0.0], [-1.0, 2.0, 0.0]]), np.array([1.5, 0.0])
    )
    found = constrained_c_means(points, start, fuzziness, edits, weights=rng.uniform(0.5, 2, len(points)))
    assert (np.diff(found.objective) <= 1e-8 * found.objective[0]).all()
    assert edits.violations(found.centres).max() < 1e-6
    assert found.objective[-1] <= found.objective[0]


def test_constraints_hold_in_the_units_of_the_file_after_clustering_standardised_points():
    points = accounts(3, off=1.0)
    mean, deviation = points.mean(axis=0), points.std(axis=0)
    scaled = (points - mean) / deviation
    found = constrained_c_means(scaled, scaled[:4], 1.5, SUM.in_coordinates(mean, deviation))
    assert (found.centres * deviation + mean) @ [1, 1, -1] == pytest.approx(np.zeros(4), abs=1e-9)


def test_constraints_that_exclude_each_other_are_named_and_others_are_not():
    edits = LinearConstraints(
        equal=np.array([[1.0, 1.0]]),
        values=np.array([10.0]),
        at_most=np.array([[1.0, 0], [0, 1.0], [-1.0, 0]]),
        limits=np.array([4.0, 5.0, 0.0]),
        labels=("a + b = 10", "a ≤ 4", "b ≤ 5", "a ≥ 0"),
    )
    assert edits.conflict() == (0, 1, 2)
    with pytest.raises(ValueError, match=r"a \+ b = 10; a ≤ 4; b ≤ 5"):
        constrained_c_means(np.zeros((3, 2)), np.zeros((1, 2)), 2, edits)


def test_equalities_that_contradict_each_other_are_found():
    edits = LinearConstraints(equal=np.array([[1.0, 1.0], [2.0, 2.0]]), values=np.array([1.0, 3.0]))
    assert edits.conflict() == (0, 1)
    assert LinearConstraints(equal=np.array([[1.0, 1.0], [2.0, 2.0]]), values=np.array([1.0, 2.0])).conflict() == ()


def test_an_equality_that_appears_twice_changes_nothing():
    points = accounts(4, off=1.0)
    twice = LinearConstraints(equal=np.repeat(SUM.equal, 2, axis=0), values=np.zeros(2))
    one, two = (constrained_c_means(points, points[:3], 1.5, edits).centres for edits in (SUM, twice))
    assert one == pytest.approx(two, abs=1e-9)


def test_constraints_of_another_width_are_refused():
    with pytest.raises(ValueError, match="3 attributes and the points have 2"):
        constrained_c_means(np.zeros((3, 2)), np.zeros((1, 2)), 2, SUM)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 10**6))
def test_steps_for_many_points_are_those_of_each_point(attributes, constraints, seed):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((constraints, attributes))
    rows = np.vstack([rows, 2 * rows[:1]])  # one constraint twice, in another unit
    inside = rng.standard_normal((40, attributes)) * 0.3
    slack = (rows @ inside.T).max(axis=1) + 0.1 - rng.standard_normal((40, attributes)) @ rows.T
    steps = least_steps(rows, slack)
    for step, each in zip(steps, slack, strict=True):
        assert (rows @ step <= each + 1e-7).all()
        if (each < 0).any():
            assert np.linalg.norm(step) == pytest.approx(np.linalg.norm(least_step(rows, each)), rel=1e-6, abs=1e-9)
        else:
            assert step == pytest.approx(np.zeros(attributes))
