import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from sdckit.kernels.auction import warm_prices
from sdckit.kernels.kd_tree import build_tree
from sdckit.kernels.priced_rows import NONE, list_cheapest, priced


@pytest.mark.parametrize("decimals", [0, 1, 8])
def test_the_prices_bound_the_least_cost_closely_from_below(decimals):
    # By duality no assignment costs less than the sum of what records pay at least minus what rows earn.
    rng = np.random.default_rng(decimals)
    known = rng.normal(size=(150, 3))
    released = np.round(known + rng.normal(scale=0.5, size=known.shape), decimals)
    tree = build_tree(released)
    prices = priced(tree, np.zeros(len(tree.rows)))
    listed, cost, bound = np.full((150, 8), NONE), np.empty((150, 8)), np.empty(150)
    list_cheapest(tree, prices, known, 0, 150, listed, cost, bound)
    warm_prices(tree, known, prices, listed, cost, bound)
    table = cdist(known, released, "sqeuclidean")
    least = table[linear_sum_assignment(table)].sum()
    price = prices.row[tree.position]
    dual = (table + price).min(axis=1).sum() - price.sum()
    assert dual <= least + 1e-9
    assert dual >= 0.9 * least
