"""Fuzzy c-means: golden values, limits, and a plain twin."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.fuzzy.c_means import c_means, draw_assignments, memberships, weighted_sums

FOUR = np.array([[0.0], [1], [9], [10]])
ENDS = np.array([[0.0], [10.0]])
exponents = st.sampled_from([1.05, 1.1, 1.3, 1.5, 2.0, 3.0, 7.0])


def twin(points: np.ndarray, centres: np.ndarray, m: float) -> np.ndarray:
    """Memberships by their formula; a record on a centre belongs to it only."""
    distance = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    degrees = np.empty(distance.shape)
    for k, row in enumerate(distance):
        if (row == 0).any():
            degrees[k] = (row == 0) / (row == 0).sum()
        else:
            closeness = -np.log(row) / (m - 1)
            weights = np.exp(closeness - closeness.max())
            degrees[k] = weights / weights.sum()
    return degrees


@pytest.mark.parametrize(
    ("m", "low", "objective"), [(1.5, 0.499998665, None), (2, 0.499740158, 0.996894381), (3, 0.496629094, 0.897205077)]
)
def test_four_points_on_a_line_converge_to_the_golden_centres(m, low, objective):
    found = c_means(FOUR, ENDS, m, tolerance=1e-13, max_rounds=5000)
    assert found.converged
    assert found.centres.ravel() == pytest.approx([low, 10 - low], abs=1e-9)
    if objective is not None:
        assert found.objective[-1] == pytest.approx(objective, abs=1e-9)


def test_memberships_of_four_points_on_a_line_are_the_golden_ones():
    found = c_means(FOUR, ENDS, 2, tolerance=1e-13, max_rounds=5000)
    golden = [0.997240582, 0.996548362, 0.003451638, 0.002759418]
    assert found.memberships(FOUR)[:, 0] == pytest.approx(golden, abs=1e-9)


def test_seven_points_in_the_plane_converge_to_the_golden_centres():
    points = np.array([(0, 0), (0, 2), (2, 0), (10, 10), (10, 12), (12, 10), (5, 5)], dtype=float)
    found = c_means(points, np.array([[0.0, 0], [12, 12]]), 2, tolerance=1e-13, max_rounds=5000)
    assert found.centres == pytest.approx(np.array([[1.263222862] * 2, [10.472339773] * 2]), abs=1e-8)
    degrees = memberships(points, found.centres, 2)[:, 0]
    golden = [0.98565836, 0.98835130, 0.98835130, 0.00291433, 0.01316834, 0.01316834, 0.68199723]
    assert degrees == pytest.approx(golden, abs=1e-7)
    assert found.objective[-1] == pytest.approx(31.910428068, abs=1e-8)


@given(st.integers(1, 30), st.integers(1, 6), st.integers(1, 3), exponents, st.integers(0, 10**6))
def test_memberships_are_those_of_the_formula(records, clusters, attributes, m, seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, (records, attributes)).astype(float)
    centres = rng.integers(0, 5, (clusters, attributes)).astype(float)
    assert memberships(points, centres, m) == pytest.approx(twin(points, centres, m), abs=1e-9)


@pytest.mark.parametrize("m", [1.02, 1.05, 1.1, 1.3, 1.35, 1.5, 2.0, 2.7, 50.0])
@pytest.mark.parametrize("attributes", [1, 2, 13])
def test_memberships_in_many_centres_are_those_of_the_formula(m, attributes):
    """With many centres most are far: near 1 only some count, and well above all do."""
    rng = np.random.default_rng(1)
    points, centres = rng.standard_normal((40, attributes)), rng.standard_normal((101, attributes))
    degrees = memberships(points, centres, m)
    assert degrees == pytest.approx(twin(points, centres, m), rel=1e-10, abs=1e-16)
    assert degrees.sum(axis=1) == pytest.approx(np.ones(40), rel=1e-14)


@pytest.mark.parametrize("m", [1.05, 1.3, 2.0])
def test_a_step_weighs_records_by_their_memberships_to_the_fuzziness(m):
    rng = np.random.default_rng(2)
    points, centres = rng.standard_normal((60, 3)), rng.standard_normal((37, 3))
    weights, sums, objective = weighted_sums(points, centres, m)
    shares = twin(points, centres, m) ** m
    distance = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    assert weights == pytest.approx(shares.sum(axis=0), rel=1e-11, abs=1e-15)
    assert sums == pytest.approx(shares.T @ points, rel=1e-11, abs=1e-15)
    assert objective == pytest.approx((shares * distance).sum(), rel=1e-11)


@pytest.mark.parametrize("m", [1.0, 1.05, 1.3, 2.0])
def test_a_point_that_is_unknown_has_no_memberships_and_harms_no_other(m):
    known = np.array([[1.0], [8.0]])
    degrees = memberships(np.array([[1.0], [np.nan], [8.0]]), ENDS, m)
    assert np.isnan(degrees[1]).all()
    assert np.array_equal(degrees[[0, 2]], memberships(known, ENDS, m))


@given(st.integers(6, 40), st.integers(2, 6), exponents, st.integers(0, 10**6))
def test_the_objective_never_rises(records, clusters, m, seed):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((records, 2))
    path = c_means(points, rng.standard_normal((clusters, 2)), m, max_rounds=60).objective
    assert (np.diff(path) <= 1e-9 * path[0]).all()


def test_crisp_clusters_are_those_of_k_means():
    found = c_means(FOUR, ENDS, 1)
    assert found.centres.ravel() == pytest.approx([0.5, 9.5])
    assert np.array_equal(memberships(FOUR, found.centres, 1), [[1, 0], [1, 0], [0, 1], [0, 1]])


def test_without_any_preference_every_centre_is_the_mean():
    found = c_means(FOUR, ENDS, np.inf)
    assert found.centres.ravel() == pytest.approx([5, 5])
    assert memberships(FOUR, ENDS, np.inf) == pytest.approx(np.full((4, 2), 0.5))


def test_a_point_between_two_crisp_centres_belongs_to_both_alike():
    assert memberships(np.array([[5.0]]), ENDS, 1) == pytest.approx(np.array([[0.5, 0.5]]))


def test_centres_are_drawn_with_their_memberships():
    """Of 40,000 draws at a membership of 0.9 the share is 0.0015 off by one standard deviation."""
    points = np.repeat([[1.0]], 40_000, axis=0)
    centres = np.array([[0.0], [4.0]])  # D = 1 and 9: memberships 0.9 and 0.1 at m = 2
    drawn = draw_assignments(points, centres, 2, np.random.default_rng(1).random(40_000))
    assert (drawn == 0).mean() == pytest.approx(0.9, abs=0.008)


def test_the_ends_of_the_unit_interval_still_draw_a_possible_centre():
    points, centres = np.array([[0.0], [0.0]]), np.array([[0.0], [1.0]])
    assert draw_assignments(points, centres, 1.5, np.array([0.0, np.nextafter(1, 0)])).tolist() == [0, 0]


def test_a_fuzziness_below_one_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        c_means(FOUR, ENDS, 0.9)


def exact_step(points: np.ndarray, centres: np.ndarray, m: int) -> np.ndarray:
    """The next centres by rational arithmetic with 60 digits."""
    with localcontext() as context:
        context.prec, context.Emin = 60, -(10**9)
        power = -1 / Decimal(m - 1)
        tops = [[Decimal(0)] * points.shape[1] for _ in centres]
        bottoms = [Decimal(0)] * len(centres)
        for point in points.tolist():
            distance = [
                sum(((Decimal(x) - Decimal(v)) ** 2 for x, v in zip(point, centre, strict=True)), Decimal(0))
                for centre in centres.tolist()
            ]
            closeness = [Decimal(each == 0) if 0 in distance else each**power for each in distance]
            for i, close in enumerate(closeness):
                weight = (close / sum(closeness)) ** m
                bottoms[i] += weight
                tops[i] = [top + weight * Decimal(x) for top, x in zip(tops[i], point, strict=True)]
        return np.array([[float(top / bottom) for top in row] for row, bottom in zip(tops, bottoms, strict=True)])


@pytest.mark.slow
@pytest.mark.parametrize("m", [135, 200, 1000])
def test_a_large_fuzziness_moves_the_centres_as_exact_arithmetic_does(m):
    """With 200 centres the weights are below 10^−308; a sum of zeros would leave every centre where it is."""
    rng = np.random.default_rng(5)
    points, centres = rng.standard_normal((30, 2)), rng.standard_normal((200, 2))
    weights, sums, _ = weighted_sums(points, centres, float(m))
    assert (weights > 0).all()
    assert sums / weights[:, None] == pytest.approx(exact_step(points, centres, m), abs=1e-9)


def test_a_record_on_a_centre_outweighs_all_others_at_a_large_fuzziness():
    rng = np.random.default_rng(6)
    centres = rng.standard_normal((200, 2))
    points = np.concatenate([centres[:1], rng.standard_normal((20, 2))])
    weights, sums, _ = weighted_sums(points, centres, 200.0)
    assert sums[0] / weights[0] == pytest.approx(points[0])
    assert sums / weights[:, None] == pytest.approx(exact_step(points, centres, 200), abs=1e-9)


@pytest.mark.parametrize("m", [135.0, 200.0, 1000.0, np.inf])
def test_with_a_large_fuzziness_all_centres_fall_into_the_mean(m):
    """From between the records: a centre that starts on one stays there, as its distance is 0."""
    rng = np.random.default_rng(8)
    points = rng.standard_normal((400, 4))
    found = c_means(points, 0.2 * rng.standard_normal((200, 4)), m)
    assert found.converged
    assert found.centres == pytest.approx(np.tile(points.mean(axis=0), (200, 1)), abs=0.02)


def log_twin(points: np.ndarray, centres: np.ndarray, m: float) -> np.ndarray:
    """The next centres, with u^m in logarithms and each centre's weights divided by its largest."""
    distance = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    closeness = -np.log(distance) / (m - 1)
    logs = m * (closeness - np.logaddexp.reduce(closeness, axis=1, keepdims=True))
    weights = np.exp(logs - logs.max(axis=0))
    return (weights.T @ points) / weights.sum(axis=0)[:, None]


@pytest.mark.parametrize("m", [60.0, 135.0, 200.0, 1000.0])
def test_a_large_fuzziness_weighs_records_though_every_weight_is_too_small_for_a_number(m):
    """With 200 centres and m = 135, u^m is about 200^−135, and no number is that small."""
    rng = np.random.default_rng(3)
    points, centres = rng.standard_normal((700, 2)), rng.standard_normal((200, 2))
    step = c_means(points, centres, m, max_rounds=1)
    assert step.centres == pytest.approx(log_twin(points, centres, m), rel=1e-9)
    assert not len(step.empty)


@pytest.mark.parametrize("m", [1.5, 3.0])
def test_both_ways_of_adding_weights_give_the_same_centres(m, monkeypatch):
    rng = np.random.default_rng(4)
    points, start = rng.standard_normal((300, 3)), rng.standard_normal((7, 3))
    points[rng.random(points.shape) < 0.1] = np.nan
    weights = rng.uniform(0, 2, 300)
    plain = c_means(points, start, m, weights=weights, max_rounds=5)
    monkeypatch.setattr("sdckit.fuzzy.c_means.WIDEST", 0.0)
    logs = c_means(points, start, m, weights=weights, max_rounds=5)
    assert logs.centres == pytest.approx(plain.centres, rel=1e-10)
    assert logs.objective == pytest.approx(plain.objective, rel=1e-10)


@pytest.mark.parametrize("m", [1.0, 1.4, 2.0, 200.0, np.inf])
def test_a_record_of_weight_two_is_the_record_twice(m):
    rng = np.random.default_rng(5)
    points, start = rng.standard_normal((40, 2)), rng.standard_normal((3, 2))
    weights = rng.integers(0, 3, 40)
    weighted = c_means(points, start, m, weights=weights.astype(float), max_rounds=20)
    repeated = c_means(np.repeat(points, weights, axis=0), start, m, max_rounds=20)
    assert weighted.centres == pytest.approx(repeated.centres, rel=1e-9)
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-9)


def test_a_missing_value_is_left_out_and_the_distance_scaled_up():
    """At (1, missing), D to (0, 0) and (3, 5) is 2 · 1 and 2 · 4: the memberships of 1 and 4."""
    degrees = memberships(np.array([[1.0, np.nan]]), np.array([[0.0, 0.0], [3.0, 5.0]]), 2)
    assert degrees == pytest.approx(np.array([[0.8, 0.2]]))


@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.3, 2.0]))
def test_the_objective_never_rises_with_missing_values_and_weights(seed, m):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((40, 3))
    points[rng.random(points.shape) < 0.25] = np.nan
    found = c_means(points, rng.standard_normal((4, 3)), m, weights=rng.uniform(0, 2, 40), max_rounds=40)
    assert np.isfinite(found.centres).all()
    assert (np.diff(found.objective) <= 1e-9 * found.objective[0]).all()


@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.3, 2.0]))
def test_the_order_of_records_and_centres_the_origin_and_the_unit_do_not_matter(seed, m):
    rng = np.random.default_rng(seed)
    points, start = rng.standard_normal((30, 2)), rng.standard_normal((4, 2))
    found = c_means(points, start, m, max_rounds=15).centres
    order = rng.permutation(4)
    moved = c_means(3 * points[rng.permutation(30)] + 7, 3 * start[order] + 7, m, max_rounds=15).centres
    assert moved == pytest.approx(3 * found[order] + 7, abs=1e-6)


def test_fewer_records_than_clusters_are_refused_with_the_cure():
    with pytest.raises(ValueError, match="4 records cannot make 5 clusters; ask for at most 4"):
        c_means(FOUR, np.zeros((5, 1)), 2)


def test_empty_and_coincident_clusters_are_reported():
    """No record is nearest to the centre at 1000; both centres at 0 get the same records."""
    found = c_means(FOUR, np.array([[0.0], [10.0], [1000.0], [0.0]]), 1)
    assert found.empty.tolist() == [2]
    assert [group.tolist() for group in found.coincident()] == [[0, 3]]


def test_memberships_come_in_blocks():
    rng = np.random.default_rng(6)
    points = rng.standard_normal((50, 2))
    found = c_means(points, points[:3], 1.5)
    blocks = list(found.membership_blocks(points, rows=20))
    assert [part.stop - part.start for part, _ in blocks] == [20, 20, 10]
    assert np.array_equal(np.concatenate([degrees for _, degrees in blocks]), found.memberships(points))


def test_a_point_without_any_value_draws_any_centre():
    drawn = draw_assignments(np.full((2, 1), np.nan), ENDS, 1.5, np.array([0.2, 0.7]))
    assert drawn.tolist() == [0, 1]


def test_missing_values_of_a_single_attribute_count_nowhere():
    """A cluster analysis of the observed values alone gives the same centres."""
    holes = np.array([[0.0], [np.nan], [1], [9], [np.nan], [10]])
    assert c_means(holes, ENDS, 2.0).centres == pytest.approx(c_means(FOUR, ENDS, 2.0).centres)
