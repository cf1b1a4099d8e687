"""Branch and bound on lattices: bounds hold for every node of a box, and the best node is that of an enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.kernels.class_models import (
    AverageRisk,
    DistinctDiversityOfAll,
    EntropyDiversity,
    LargestShare,
    Presence,
    Rule,
    SmallestSize,
)
from sdckit.kernels.lattice import Box, BranchAndBound, best_generalisation
from sdckit.kernels.lattice_counts import ClassLoss, LatticeCounts, Price
from sdckit.kernels.lattice_rows import Lattice, Levels, row_table

RULES = {
    "k": Rule([SmallestSize(3)]),
    "l": Rule([SmallestSize(2), DistinctDiversityOfAll(0, 2)]),
    "entropy": Rule([SmallestSize(2), EntropyDiversity(0, 1.8)]),
    "alpha": Rule([LargestShare(0, 0.6)]),
    "presence": Rule([SmallestSize(2), Presence(0.2, 0.8)]),
    "average": Rule([SmallestSize(2)], [AverageRisk(0.2)]),
}
PRICES = [
    Price((1.0, 1.0, 1.0)),
    Price((1.0, 3.0, 0.0), 2.0),
    Price((1.0, 1.0, 1.0), 0.3),
    Price((1.0, 1.0, 1.0), 1.0, ClassLoss.DISCERNIBILITY),
    Price((1.0, 1.0, 1.0), 0.5, ClassLoss.CLASS_SIZE),
]


def levels(categories: int, halve: bool) -> Levels:
    """Categories, their pairs if asked, and all; the missing value, the last one, is in one group with the root."""
    own = np.arange(categories)
    nodes = [own + 1, *([own // 2 + 50] if halve else []), np.zeros(categories, dtype=np.int64)]
    losses = [own * 0.0, *([own * 0.0 + 1 / (categories - 1)] if halve else []), own * 0.0 + 1.0]
    with_missing = [np.append(each, 0) for each in nodes]
    return Levels(np.array(with_missing), np.array([np.append(each, 0.0) for each in losses]))


def counts(seed: int, rule: Rule, limit: int, price: Price) -> LatticeCounts:
    rng = np.random.default_rng(seed)
    records = int(rng.integers(1, 40))
    codes = np.column_stack([rng.integers(0, 4 + (rng.random() < 0.3), records) for _ in range(3)])
    table, _ = row_table(
        np.minimum(codes, 4),
        np.ones(records, bool),
        rng.choice([1.0, 2.0, 5.0], records),
        [(rng.integers(0, 3, records), 3)],
    )
    return LatticeCounts(table, Lattice([levels(4, True), levels(4, False), levels(4, True)]), rule, limit, price)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize(
    "price", PRICES, ids=lambda price: f"{price.classes and price.classes.value}-{price.suppressed}"
)
@given(st.integers(0, 10_000), st.integers(0, 6))
@settings(max_examples=8)
def test_bounds_hold_and_nothing_better_is_missed(rule, price, seed, limit):
    lattice = counts(seed, rule, limit, price)
    nodes = list(product(*map(range, lattice.lattice.shape)))
    losses = {node: lattice.loss(node)[0] for node in nodes}
    rng = np.random.default_rng(seed)
    for _ in range(6):
        corners = [nodes[int(rng.integers(len(nodes)))] for _ in range(2)]
        finest, coarsest = (tuple(map(end, *corners)) for end in (min, max))
        above = lattice.counted(coarsest)
        inside = [node for node in nodes if all(a <= b <= c for a, b, c in zip(finest, node, coarsest, strict=True))]
        least = min(losses[node] for node in inside)
        assert least == np.inf or above.suppressed <= limit
        assert lattice.lower_bound(finest, above) <= least + 1e-6
    found = best_generalisation(lattice.table, lattice.lattice.keys, rule, limit, price)
    least = min(losses.values())
    assert (found is None) == (least == np.inf)
    if found is not None:
        assert losses[found.levels] == pytest.approx(least)
        assert found.gap == 0


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_a_box_counted_step_by_step_is_counted_as_a_whole(seed):
    lattice = counts(seed, RULES["l"], 3, PRICES[0])
    rng = np.random.default_rng(seed)
    node = [each - 1 for each in lattice.lattice.shape]
    counted = lattice.counted(tuple(node))
    for key in rng.permutation(3):
        node[key] = int(rng.integers(node[key] + 1))
        counted = lattice.finer(counted, int(key), node[key])
        whole = lattice.counted(tuple(node))
        assert counted.suppressed == whole.suppressed
        assert np.allclose(counted.costs, whole.costs)


def test_a_stopped_search_has_a_bound_below_the_best_node_and_goes_on_from_there():
    lattice = counts(11, RULES["k"], 2, PRICES[0])
    whole = BranchAndBound(lattice, np.inf)
    assert whole.run() == whole.loss
    for budget in (1, 20, 40, 80):
        stopped = BranchAndBound(lattice, budget)
        assert stopped.run() <= whole.loss <= stopped.loss


def test_without_keys_there_is_one_node():
    table, _ = row_table(np.empty((4, 0), dtype=np.int64), np.ones(4, bool), np.ones(4), [])
    found = best_generalisation(table, [], RULES["k"], 0, Price(()))
    assert found is not None and found.levels == () and found.loss == 0


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize(
    "price", PRICES[:4], ids=lambda price: f"{price.classes and price.classes.value}-{price.suppressed}"
)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_described_as_it_is(rule, price, seed):
    limit = 1 + seed
    lattice = counts(seed, rule, limit, price)
    found = best_generalisation(lattice.table, lattice.lattice.keys, rule, limit, price)
    if found is None:
        return
    cells = lattice.table.frequencies.sum() * sum(price.weights) if price.classes is None else 1.0
    loss, lost = lattice.loss(found.levels)
    assert found.loss == pytest.approx(loss / cells)
    assert (found.suppressed == lattice.insufficient(found.levels)).all()
    assert lattice.table.frequencies[found.suppressed].sum() == lost <= limit
    for key, level in enumerate(found.levels):
        if level:
            finer = (*found.levels[:key], level - 1, *found.levels[key + 1 :])
            assert lattice.loss(finer)[0] > loss + 1e-9
    for node, other, records in found.alternatives:
        assert lattice.loss(node) == (pytest.approx(other * cells), records)
        assert other > found.loss
        rest = [each for each in found.alternatives if each[0] != node]
        assert not any(a <= other + 1e-12 and b <= records for _, a, b in rest)
    assert list(found.alternatives) == sorted(found.alternatives, key=lambda each: each[1])
    numbers = [records for _, _, records in found.alternatives]
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.parametrize("budget", [1, 3, 8, 15, 40])
@pytest.mark.parametrize("seed", range(6))
def test_a_search_that_stops_early_evaluates_no_more_than_a_step_further(seed, budget, monkeypatch):
    lattice = counts(seed, RULES["k"], 3, PRICES[0])
    evaluated, splits = [], []
    plain, split = BranchAndBound.evaluated, BranchAndBound.split

    def spied(self, node, counted):
        evaluated.append(node)
        return plain(self, node, counted)

    def spied_split(self, box):
        splits.append(len(evaluated))
        split(self, box)

    monkeypatch.setattr(BranchAndBound, "evaluated", spied)
    monkeypatch.setattr(BranchAndBound, "split", spied_split)
    search = BranchAndBound(lattice, budget)
    lower = search.run()
    assert search.checked == len(evaluated) and all(before < budget for before in splits)
    losses = {node: lattice.loss(node)[0] for node in product(*map(range, lattice.lattice.shape))}
    assert lower <= min(losses.values()) + 1e-9
    assert search.loss == pytest.approx(min(losses[node] for node in evaluated))
    found = best_generalisation(lattice.table, lattice.lattice.keys, RULES["k"], 3, PRICES[0], budget)
    if found is not None:
        cells = lattice.table.frequencies.sum() * sum(PRICES[0].weights)
        assert found.loss - found.gap <= min(losses.values()) / cells + 1e-9
        assert found.gap == pytest.approx(max(search.loss - lower, 0.0) / cells)


def lowered(node, key, level):
    return (*node[:key], level, *node[key + 1 :])


def gain_of(lattice, node, key, level):
    """What a level of one key costs less than the next, with those suppressed who are on the node."""
    costs, start = lattice.counted(node).costs, sum(lattice.lattice.shape[:key])
    return costs[start + level + 1] - costs[start + level]


@pytest.mark.parametrize("limit", [0, 2, 5])
@pytest.mark.parametrize("seed", range(8))
def test_a_descent_takes_the_key_that_gains_most_for_each_record_it_suppresses(seed, limit, monkeypatch):
    lattice = counts(seed, RULES["l"], 5, PRICES[1])
    evaluated, plain = [], BranchAndBound.evaluated

    def spied(self, node, counted):
        evaluated.append(node)
        return plain(self, node, counted)

    monkeypatch.setattr(BranchAndBound, "evaluated", spied)
    node = tuple(levels - 1 for levels in lattice.lattice.shape)
    BranchAndBound(lattice, np.inf).descend(node, lattice.counted(node), limit)
    expected = []
    while node is not None:
        steps, here = [], lattice.counted(node).suppressed
        for key, level in enumerate(node):
            if level:
                below = lowered(node, key, level - 1)
                expected.append(below)
                lost = lattice.counted(below).suppressed
                if lost <= limit:
                    steps.append((gain_of(lattice, node, key, level - 1) / (lost - here + 1), below))
        node = max(steps, key=lambda step: step[0])[1] if steps else None
    assert evaluated == expected


@pytest.mark.parametrize(("limit", "limits"), [(0, [0]), (1, [1, 0]), (4, [4, 2, 1, 0]), (9, [9, 4, 2, 0])])
def test_good_nodes_are_looked_for_under_several_limits_first(limit, limits, monkeypatch):
    lattice, used = counts(3, RULES["k"], limit, PRICES[0]), []
    monkeypatch.setattr(BranchAndBound, "descend", lambda self, node, counted, under: used.append((node, under)))
    BranchAndBound(lattice, np.inf).run()
    assert used == [(tuple(levels - 1 for levels in lattice.lattice.shape), each) for each in limits]


@pytest.mark.parametrize("seed", range(16))
def test_a_box_is_cut_by_the_key_that_changes_most(seed, monkeypatch):
    lattice = counts(seed, RULES["k"], 4, PRICES[0])
    search, added = BranchAndBound(lattice, np.inf), []
    monkeypatch.setattr(
        search, "add", lambda finest, coarsest, counted, steps: added.append((finest, coarsest, counted, steps))
    )
    top = tuple(levels - 1 for levels in lattice.lattice.shape)
    whole = lattice.counted(top)
    search.split(Box(0.0, 0, tuple(0 for _ in top), top, {}))
    if not added:
        return
    (low, below, finer, no_steps), (above, coarsest, counted, steps) = added
    key = next(key for key in range(3) if below[key] != top[key])
    assert below == lowered(top, key, low[key]) and above == lowered(low, key, low[key] + 1) and coarsest == top
    assert finer.suppressed == lattice.counted(below).suppressed and counted.suppressed == whole.suppressed

    def change(key):
        lost = lattice.counted(lowered(top, key, low[key])).suppressed - whole.suppressed
        return (gain_of(lattice, top, key, low[key]) + 1e-9) * (lost + 1)

    free = [each for each in range(3) if low[each] < top[each]]
    assert change(key) == pytest.approx(max(map(change, free)))
    assert no_steps == {} and sorted(steps) == [each for each in free if each != key]
    for each, step in steps.items():
        assert step.suppressed == lattice.counted(lowered(top, each, low[each])).suppressed
