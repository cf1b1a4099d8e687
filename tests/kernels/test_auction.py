import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from sdckit.kernels.auction import FIRST_STEP, REFINEMENT, ROUNDS, _lowest_seats, _two_cheapest, warm_prices
from sdckit.kernels.kd_tree import build_tree
from sdckit.kernels.priced_rows import NONE, list_cheapest, priced


@pytest.mark.parametrize("decimals", [0, 1, 8])
def test_the_prices_bound_the_least_cost_closely_from_below(decimals):
    # By duality no assignment costs less than the sum of what records pay at least minus what rows earn.
    rng = np.random.default_rng(decimals)
    known = rng.normal(size=(60, 3))
    released = np.round(known + rng.normal(scale=0.5, size=known.shape), decimals)
    tree = build_tree(released)
    prices = priced(tree, np.zeros(len(tree.rows)))
    listed, cost, bound = np.full((60, 8), NONE), np.empty((60, 8)), np.empty(60)
    list_cheapest(tree, prices, known, 0, 60, listed, cost, bound)
    warm_prices(tree, known, prices, listed, cost, bound)
    table = cdist(known, released, "sqeuclidean")
    least = table[linear_sum_assignment(table)].sum()
    price = prices.row[tree.position]
    dual = (table + price).min(axis=1).sum() - price.sum()
    assert dual <= least + 1e-9
    assert dual >= 0.9 * least


@pytest.mark.parametrize("seed", range(30))
def test_bids_end_within_the_last_step_of_the_best_assignment(seed):
    """Bertsekas 1988: no record pays more than a step above its cheapest row, so that is what the dual can miss."""
    rng = np.random.default_rng(seed)
    m, width = int(rng.integers(2, 12)), int(rng.integers(2, 5))
    known, released = (rng.integers(0, 6, (m, 2)).astype(float) for _ in range(2))
    known += rng.choice([0.0, 0.3])
    tree = build_tree(released)
    if len(tree.rows) < 2:
        return
    width = min(width, len(tree.rows))
    prices = priced(tree, -rng.integers(0, 3, len(tree.rows)).astype(float))
    listed, cost, bound = np.full((m, width), NONE), np.empty((m, width)), np.empty(m)
    list_cheapest(tree, prices, known, 0, m, listed, cost, bound)
    before = prices.row.copy()
    step = FIRST_STEP * cost[:, 0].mean()
    warm_prices(tree, known, prices, listed, cost, bound)
    assert (prices.row >= before).all()
    table = cdist(known, released, "sqeuclidean")
    least = table[linear_sum_assignment(table)].sum()
    price = prices.row[tree.position]
    dual = (table + price).min(axis=1).sum() - price.sum()
    assert dual <= least + 1e-9
    if step > 0:
        assert dual >= least - m * step / REFINEMENT ** (ROUNDS - 1) - 1e-9
    for record in range(m):
        assert cost[record] == pytest.approx([((known[record] - tree.rows[row]) ** 2).sum() for row in listed[record]])
        left_out = np.setdiff1d(np.arange(len(tree.rows)), listed[record])
        keys = ((known[record] - tree.rows[left_out]) ** 2).sum(axis=1) + prices.row[left_out]
        assert (keys >= bound[record] - 1e-9).all()


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(30))
def test_the_two_cheapest_are_those_of_a_sort(seed):
    rng = np.random.default_rng(seed)
    price, cost = rng.integers(0, 4, 6).astype(float), rng.integers(0, 4, 4).astype(float)
    listed = rng.permutation(6)[: rng.integers(1, 5)]
    keys = sorted((cost[at] + price[row], at) for at, row in enumerate(listed))
    second = keys[1][0] if len(keys) > 1 else np.inf
    assert _two_cheapest(listed, cost, price) == (listed[keys[0][1]], keys[0][0], second)
    first, capacity = int(rng.integers(0, 3)), int(rng.integers(1, 4))
    seats = sorted((price[seat], seat) for seat in range(first, first + capacity))
    next_lowest = seats[1][0] if capacity > 1 else np.inf
    assert _lowest_seats(price, first, capacity) == (seats[0][1], seats[0][0], next_lowest)
