from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from sdckit.kernels.assignment import best_assignment
from sdckit.kernels.nearest import nearest_links


def least_cost(known, released):
    """The same problem on the matrix of all pairs."""
    cost = cdist(known, released, "sqeuclidean")
    return cost[linear_sum_assignment(cost)].sum()


def cost_of(link, known, released):
    linked = link >= 0
    return ((known[linked] - released[link[linked]]) ** 2).sum()


@st.composite
def pairs_of_files(draw, elements):
    d = draw(st.integers(1, 3))
    return tuple(draw(arrays(np.float64, (draw(st.integers(1, 40)), d), elements=elements)) for _ in range(2))


def check(known, released, **options):
    found = best_assignment(known, released, **options)
    rows = found.link[found.link >= 0]
    assert len(rows) == len(np.unique(rows)) == min(len(known), len(released))
    assert found.cost == pytest.approx(cost_of(found.link, known, released), rel=1e-9, abs=1e-9)
    return found


@given(pairs_of_files(st.integers(0, 4).map(float)), st.integers(1, 6))
def test_the_cost_on_a_grid_full_of_ties_is_the_least(files, neighbours):
    found = check(*files, neighbours=neighbours)
    assert found.exact
    assert found.cost == pytest.approx(least_cost(*files), rel=1e-9, abs=1e-9)


@given(pairs_of_files(st.floats(-10, 10, width=32)), st.integers(1, 6))
def test_the_cost_of_any_numbers_is_the_least(files, neighbours):
    assert check(*files, neighbours=neighbours).cost == pytest.approx(least_cost(*files), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("neighbours", [1, 3])
@pytest.mark.parametrize("seed", range(40))
def test_records_that_compete_for_few_rows_are_assigned_at_the_least_cost(seed, neighbours):
    """The known records lie in one corner, so that lists have to grow and prices to rise."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 14))
    n = max(m + int(rng.choice([0, 0, 1, 4, -2])), 1)
    known, released = rng.integers(0, 2, (m, 2)).astype(float), rng.integers(0, 7, (n, 2)).astype(float)
    found = check(known, released, neighbours=neighbours)
    assert found.exact and found.cost == pytest.approx(least_cost(known, released))


def test_two_records_by_hand():
    # Both records are nearest to the first row; the second loses more without it.
    found = best_assignment(np.array([[1.0], [0.0]]), np.array([[0.0], [3.0]]))
    assert found.link.tolist() == [1, 0]
    assert found.cost == 4.0
    assert found.exact


def test_rows_equal_to_the_linked_one_are_counted():
    found = best_assignment(np.array([[0.0], [0.1], [9.0]]), np.array([[0.0], [9.0], [0.0]]))
    assert sorted(found.link[:2].tolist()) == [0, 2]
    assert found.alike.tolist() == [2, 2, 1]


def test_records_beyond_the_number_of_rows_stay_unlinked():
    found = best_assignment(np.array([[0.0], [5.0], [1.0]]), np.array([[5.5]]))
    assert found.link.tolist() == [-1, 0, -1]
    assert found.alike.tolist() == [0, 1, 0]


def test_without_records_the_cost_is_zero():
    found = best_assignment(np.empty((0, 2)), np.zeros((3, 2)))
    assert (len(found.link), found.cost, found.exact) == (0, 0.0, True)


@pytest.mark.parametrize("neighbours", [1, 3])
def test_records_that_all_compete_for_one_corner_are_still_assigned_at_the_least_cost(neighbours):
    rng = np.random.default_rng(1)
    known, released = rng.normal(scale=0.01, size=(80, 2)), rng.normal(size=(80, 2))
    assert check(known, released, neighbours=neighbours).cost == pytest.approx(least_cost(known, released), rel=1e-9)


def test_a_spent_budget_is_admitted_and_still_links_one_to_one():
    rng = np.random.default_rng(2)
    known, released = rng.normal(scale=0.01, size=(60, 2)), rng.normal(size=(60, 2))
    found = check(known, released, budget=50)
    assert not found.exact
    assert found.cost >= least_cost(known, released)


def test_an_attribute_that_is_not_known_is_left_out():
    known = np.array([[0.0, np.nan], [2.0, 2.0]])
    released = np.array([[2.0, 2.0], [0.5, 7.0]])
    found = best_assignment(known, released)
    assert found.link.tolist() == [1, 0]
    assert found.cost == pytest.approx(0.25)


def pair_costs(known, released):
    """Squared distances over the attributes known; a hole is a tenth of the expected squared difference away."""
    expected = (known[:, None] - np.nan_to_num(released)) ** 2
    for j, column in enumerate(released.T):
        seen = column[~np.isnan(column)]
        mean, variance = (seen.mean(), seen.var(ddof=1) if len(seen) > 1 else 0.0) if len(seen) else (0.0, 0.0)
        expected[:, np.isnan(column), j] = 0.1 * ((known[:, j, None] - mean) ** 2 + variance)
    return np.nan_to_num(expected).sum(axis=2)


@pytest.mark.parametrize("seed", range(40))
def test_holes_are_assigned_at_the_least_cost_as_well(seed):
    rng = np.random.default_rng(seed)
    d, m = int(rng.integers(1, 3)), int(rng.integers(1, 6))
    n = m + int(rng.integers(0, 2))
    known, released = (rng.integers(0, 4, (size, d)).astype(float) for size in (m, n))
    for values in (known, released):
        values[rng.random(values.shape) < 0.25] = np.nan
    costs = pair_costs(known, released)
    found = best_assignment(known, released, neighbours=1 + seed % 3)
    assert len(set(found.link)) == m and found.link.min() >= 0
    least = min(costs[np.arange(m), list(rows)].sum() for rows in permutations(range(n), m))
    assert found.cost == pytest.approx(least) == pytest.approx(costs[np.arange(m), found.link].sum())
    alike = [np.array_equal(released[row], other, equal_nan=True) for row in found.link for other in released]
    assert found.alike.tolist() == np.reshape(alike, (m, n)).sum(axis=1).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_without_a_budget_every_record_takes_the_nearest_free_row(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 7))
    known, released = rng.normal(size=(m, 2)), rng.normal(size=(m + seed % 2, 2))[rng.integers(0, m, m + seed % 2)]
    found, free, total = check(known, released, budget=-1), [True] * len(released), 0.0
    for record in range(m):
        gaps = np.where(free, ((known[record] - released) ** 2).sum(axis=1), np.inf)
        assert ((known[record] - released[found.link[record]]) ** 2).sum() == pytest.approx(gaps.min())
        total += gaps.min()
        free[found.link[record]] = False
    assert not found.exact and found.cost == pytest.approx(total)


@pytest.mark.parametrize("seed", range(10))
def test_a_budget_that_lasts_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    known, released = rng.normal(scale=0.1, size=(12, 2)), rng.normal(size=(12, 2))
    whole = check(known, released)
    assert not check(known, released, budget=0).exact
    enough = next(budget for budget in range(10_000) if check(known, released, budget=budget).exact)
    assert check(known, released, budget=enough).cost == whole.cost
    assert enough > 0 and not check(known, released, budget=enough - 1).exact


@pytest.mark.parametrize(("m", "n"), [(300, 300), (200, 300), (300, 200)])
@pytest.mark.parametrize("noise", [0.1, 1.0, 10.0])
def test_the_cost_of_a_larger_file_is_the_least(m, n, noise):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 4))
    known, released = values[:m], (values + noise * rng.normal(size=values.shape))[:n]
    assert check(known, released).cost == pytest.approx(least_cost(known, released), rel=1e-9)


def test_one_to_one_linkage_finds_more_than_the_nearest_row_alone():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(1500, 5))
    masked = values + rng.normal(scale=0.35, size=values.shape)
    everyone = np.arange(1500)
    nearest_share = (nearest_links(values, masked, everyone).nearest == everyone).mean()
    assigned_share = (best_assignment(values, masked).link == everyone).mean()
    assert assigned_share > nearest_share
