"""What nodes of a lattice cost, and which classes rounds release: by loops over single records."""

from itertools import product

import numpy as np
import pytest

from sdckit.kernels import lattice_rows
from sdckit.kernels.class_models import (
    AverageRisk,
    Classes,
    DistinctDiversityOfAll,
    EntropyDiversity,
    Presence,
    Rule,
    SmallestPopulation,
    SmallestSize,
)
from sdckit.kernels.lattice_counts import ClassLoss, LatticeCounts, Price, _split
from sdckit.kernels.lattice_rounds import classes_by_rounds
from sdckit.kernels.lattice_rows import Lattice, Levels, RowTable, row_table

RULES = [
    Rule([SmallestSize(2)]),
    Rule([SmallestSize(2), EntropyDiversity(0, 1.8)]),
    Rule([SmallestSize(3), DistinctDiversityOfAll(0, 2)]),
    Rule([SmallestPopulation(4)]),
    Rule([SmallestSize(2), Presence(0.2, 0.8)]),
    Rule([SmallestSize(2)], [AverageRisk(0.4)]),
]
PRICES = [(1.0, None), (0.25, None), (2.0, None), (0.5, ClassLoss.DISCERNIBILITY), (0.25, ClassLoss.CLASS_SIZE)]


def random_keys(rng: np.random.Generator, count: int) -> list[Levels]:
    """Keys of three categories and the missing value, on one to three levels."""
    nodes = np.array([[1, 2, 3, 0], [5, 5, 4, 0], [6, 6, 6, 0]])
    losses = np.array([[0, 0, 0, 0], [0.5, 0.5, 0, 0], [1, 1, 1, 0]])
    some = [[0, 1, 2][: rng.integers(1, 4)] for _ in range(count)]
    return [Levels(nodes[levels], losses[levels] * rng.choice([1.0, 0.5])) for levels in some]


def random_records(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[Levels]]:
    rng = np.random.default_rng(seed)
    records, keys = rng.integers(1, 12), rng.integers(1, 4)
    codes = rng.integers(0, 4, (records, keys))
    released = rng.random(records) < (1.0 if seed % 2 else 0.7)
    return (
        codes,
        released,
        rng.integers(1, 4, records).astype(float),
        rng.integers(-1, 3, records),
        random_keys(rng, keys),
    )


def counts(seed: int, rule: Rule, price: tuple[float, ClassLoss | None], limit: float) -> LatticeCounts:
    codes, released, weights, values, keys = random_records(seed)
    table, _ = row_table(codes, released, weights, [(values, 3)])
    importance = tuple(np.random.default_rng(seed).choice([0.5, 1.0, 3.0], len(keys)).tolist())
    return LatticeCounts(table, Lattice(keys), rule, limit, Price(importance, *price))


def classes_on(rows: np.ndarray, keys: list[Levels], node) -> list[list[int]]:
    """The rows of each class of a node, in order of first appearance."""
    found: dict[tuple[int, ...], list[int]] = {}
    for row, codes in enumerate(rows):
        label = tuple(int(key.nodes[level][code]) for key, level, code in zip(keys, node, codes, strict=True))
        found.setdefault(label, []).append(row)
    return list(found.values())


def contents(table: RowTable, members: list[list[int]]) -> Classes:
    return Classes(
        np.array([table.frequencies[each].sum() for each in members]),
        np.array([table.population[each].sum() for each in members]),
        [np.array([count[each].sum(axis=0) for each in members]) for count in table.counts],
    )


@pytest.mark.parametrize("seed", range(20))
def test_distinct_rows_have_the_records_of_each(seed):
    codes, released, weights, values, _ = random_records(seed)
    table, of = row_table(codes, released, weights, [(values, 3), (np.full(len(codes), -1), 0)])
    assert (table.rows[of.of] == codes).all() and len(np.unique(codes, axis=0)) == len(table.rows)
    for row in range(len(table.rows)):
        mine = of.of == row
        assert table.frequencies[row] == (mine & released).sum()
        assert table.population[row] == weights[mine].sum()
        assert table.counts[0][row].tolist() == [(mine & released & (values == value)).sum() for value in range(3)]
        assert table.counts[1][row].tolist() == [0]
    some = table.some(np.arange(len(table.rows))[::-2])
    assert (some.rows == table.rows[::-2]).all() and (some.counts[0] == table.counts[0][::-2]).all()
    assert (some.frequencies == table.frequencies[::-2]).all() and (some.population == table.population[::-2]).all()


@pytest.mark.parametrize("seed", range(12))
def test_rows_of_no_class_are_left_out(seed):
    rng = np.random.default_rng(seed)
    table, _ = row_table(*random_records(seed)[:3], [(random_records(seed)[3], 3)])
    of = rng.integers(-1, 3, len(table.rows)) if seed % 3 else rng.integers(0, 3, len(table.rows))
    found, expected = table.classes(of, 4), contents(table, [np.flatnonzero(of == each).tolist() for each in range(4)])
    assert (found.sizes == expected.sizes).all() and (found.population == expected.population).all()
    assert (found.counts[0] == expected.counts[0]).all()


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_classes_of_a_node_have_the_same_nodes_of_all_keys(seed, packed, monkeypatch):
    codes, _, _, _, keys = random_records(seed)
    spans = np.prod([int(key.nodes.max()) + 1 for key in keys])
    monkeypatch.setattr(lattice_rows, "PACKED", spans if packed else spans - 1)
    lattice = Lattice(keys)
    assert lattice.packed == packed
    for node in product(*map(range, lattice.shape)):
        found, members = lattice.cells(codes, node), classes_on(codes, keys, node)
        assert sorted(np.flatnonzero(found.of == each).tolist() for each in range(len(found.sizes))) == sorted(members)
        assert found.sizes.tolist() == np.bincount(found.of).tolist()


def test_without_keys_all_rows_are_in_one_class():
    found = Lattice([]).cells(np.empty((3, 0), dtype=np.int64), ())
    assert (found.of.tolist(), found.sizes.tolist()) == ([0, 0, 0], [3])
    nothing = Lattice([]).cells(np.empty((0, 0), dtype=np.int64), ())
    assert (len(nothing.of), len(nothing.sizes)) == (0, 0)
    assert not Lattice([]).packed


@pytest.mark.parametrize("seed", range(12))
def test_many_classes_are_numbered_in_order_of_first_appearance(seed):
    """So many that their slots collide."""
    rng = np.random.default_rng(seed)
    of, nodes = rng.integers(0, 5, 40), rng.integers(0, 1 + seed, 40)
    labels = {pair: number for number, pair in enumerate(dict.fromkeys(zip(of, nodes, strict=True)))}
    split, classes = _split(of, nodes)
    assert split.tolist() == [labels[pair] for pair in zip(of, nodes, strict=True)]
    assert classes == len(labels)
    key = Levels(np.arange(50)[None], np.zeros((1, 50)))
    cells = Lattice([key, key]).cells(np.column_stack([of, nodes]), (0, 0))
    assert cells.of.tolist() == split.tolist()


def cell_loss(counts: LatticeCounts, key: int, level: int, code: int, suppressed: bool) -> float:
    """Of a record; a missing value costs nothing where it is suppressed."""
    weight = counts.price.weights[key]
    if suppressed:
        return weight * counts.price.suppressed * (code < 3)
    return weight * float(counts.lattice.keys[key].losses[level, code])


def costs_of_levels(counts: LatticeCounts, out: set[int]) -> list[float]:
    table = counts.table
    return [
        sum(
            table.frequencies[row] * cell_loss(counts, key, level, table.rows[row, key], row in out)
            for row in range(len(table.rows))
        )
        for key, levels in enumerate(counts.lattice.shape)
        for level in range(levels)
    ]


@pytest.mark.parametrize("rule", range(6))
@pytest.mark.parametrize("price", range(5))
def test_a_node_costs_what_its_records_cost(rule, price):
    for seed in range(6):
        check_costs(seed, rule, price)


def check_costs(seed, rule, price):
    limit = float(seed % 4)
    lattice = counts(seed + 7 * rule, RULES[rule], PRICES[price], limit)
    table, keys = lattice.table, list(lattice.lattice.keys)
    monotone = rule in (0, 2, 3, 5) or limit < 1
    certain = [model for model in RULES[rule].of_classes if monotone or model.upward_closed]
    assert lattice.exact == (monotone and rule != 5 and price < 3)
    total, starts = table.frequencies.sum(), np.cumsum([0, *lattice.lattice.shape])
    top = lattice.counted(tuple(levels - 1 for levels in lattice.lattice.shape))
    for node in product(*map(range, lattice.lattice.shape)):
        members = classes_on(table.rows, keys, node)
        classes = contents(table, members)
        bad = [not good for good in Rule(certain).sufficient(classes)]
        out = {row for rows, wrong in zip(members, bad, strict=True) if wrong for row in rows}
        counted = lattice.counted(node)
        lost = table.frequencies[list(out)].sum()
        nobody = any(wrong and size == 0 for wrong, size in zip(bad, classes.sizes, strict=True))
        assert counted.suppressed == (np.inf if nobody else lost)
        few = counted.suppressed <= limit and PRICES[price][1] is None
        expected = costs_of_levels(lattice, out if few else set())
        assert counted.costs == pytest.approx(expected)
        assert lattice.cost(node, counted) == pytest.approx(
            sum(expected[starts[k] + level] for k, level in enumerate(node))
        )
        for key, level in enumerate(node):
            if all(other == lattice.lattice.shape[k] - 1 for k, other in enumerate(node) if k != key):
                step = lattice.finer(top, key, level)
                assert step.suppressed == counted.suppressed and (step.costs == counted.costs).all()
        good = RULES[rule].sufficient(classes)
        out = {row for rows, fine in zip(members, good, strict=True) if not fine for row in rows}
        assert np.flatnonzero(lattice.insufficient(node)).tolist() == sorted(out)
        lost = float(table.frequencies[list(out)].sum())
        released = [size for size, fine in zip(classes.sizes, good, strict=True) if fine and size > 0]
        nobody = any(not fine and size == 0 for fine, size in zip(good, classes.sizes, strict=True))
        risky = rule == 5 and released and len(released) / sum(released) > 0.4 + 1e-9
        charge, loss = lattice.price.suppressed, PRICES[price][1]
        if nobody or lost > limit or risky:
            expected_loss = np.inf
        elif loss is ClassLoss.DISCERNIBILITY:
            expected_loss = sum(size**2 for size in released) + charge * lost * total
        elif loss is ClassLoss.CLASS_SIZE:
            expected_loss = (np.mean(released) if released else 0.0) + charge * lost
        else:
            levels = costs_of_levels(lattice, out)
            expected_loss = sum(levels[starts[k] + level] for k, level in enumerate(node))
        assert lattice.loss(node) == (pytest.approx(expected_loss), lost)
        if top.suppressed == np.inf:
            continue
        bound = lattice.lower_bound(node, top)
        sizes = classes.sizes
        if loss is ClassLoss.DISCERNIBILITY:
            assert bound == sum(size * min(size, charge * total) for size in sizes)
        elif loss is ClassLoss.CLASS_SIZE:
            number = max(sum(sizes > 0), 1)
            assert bound == min((total - some) / number + charge * some for some in (top.suppressed, limit))
        else:
            saved = max(1 - charge, 0) * sum(lattice.price.weights) * (limit - top.suppressed)
            assert bound == pytest.approx(lattice.cost(node, top) - saved)


@pytest.mark.parametrize("seed", range(8))
def test_unpacked_classes_cost_the_same(seed, monkeypatch):
    lattice = counts(seed, RULES[seed % 6], PRICES[0], 2.0)
    nodes = list(product(*map(range, lattice.lattice.shape)))
    expected = [lattice.loss(node) for node in nodes]
    monkeypatch.setattr(lattice_rows, "PACKED", 0)
    again = counts(seed, RULES[seed % 6], PRICES[0], 2.0)
    assert not again.lattice.packed
    assert [again.loss(node) for node in nodes] == expected


def by_rounds(table: RowTable, keys: list[Levels], rule: Rule, weights, share: float) -> list[list[int]]:
    """Every node is tried in every round, the least costly first."""
    left, released = list(range(len(table.rows))), []
    nodes = list(product(*(range(len(key.nodes)) for key in keys)))
    while table.frequencies[left].sum() > 0:
        needed = max(share * table.frequencies[left].sum(), 1.0)

        def cost(node, left=tuple(left)):
            return sum(
                weight * table.frequencies[row] * key.losses[level, table.rows[row, k]]
                for k, (key, level, weight) in enumerate(zip(keys, node, weights, strict=True))
                for row in left
            )

        for node in sorted(nodes, key=cost):
            members = [[left[row] for row in rows] for rows in classes_on(table.rows[left], keys, node)]
            some = table._replace(counts=table.counts)
            good = rule.sufficient(contents(some, members))
            ready = [
                rows for rows, fine in zip(members, good, strict=True) if fine and table.frequencies[rows].sum() > 0
            ]
            if sum(table.frequencies[rows].sum() for rows in ready) >= needed:
                break
        else:
            break
        if not rule.of_population:
            ready = [[row for row in rows if table.frequencies[row] > 0] for rows in ready]
        released += ready
        left = [row for row in left if not any(row in rows for rows in ready)]
    return released


@pytest.mark.parametrize("share", [0.01, 0.4, 1.0])
@pytest.mark.parametrize("rule", [0, 2, 3])
def test_a_round_releases_the_classes_of_the_least_costly_node(rule, share):
    for seed in range(8):
        check_rounds(seed, rule, share)


def check_rounds(seed, rule, share):
    codes, released, weights, values, keys = random_records(seed + 10 * rule)
    table, _ = row_table(codes, released, weights, [(np.maximum(values, 0), 3)])
    importance = [1.0, 2.5, 0.3][: len(keys)]
    of = classes_by_rounds(table, Lattice(keys), RULES[rule], importance, share)
    found = [np.flatnonzero(of == number).tolist() for number in range(of.max() + 1)]
    assert sorted(found) == sorted(by_rounds(table, keys, RULES[rule], importance, share))


def test_one_class_of_persons_who_are_not_in_the_file_makes_a_node_infeasible():
    """Half of the first class is in the file and nobody of the second; together a third of them are."""
    codes, released = np.array([[0], [0], [0], [0], [1], [1]]), np.array([True, True, False, False, False, False])
    table, _ = row_table(codes, released, np.ones(6), [])
    key = Levels(np.array([[1, 2, 0], [3, 3, 0]]), np.array([[0.0, 0, 0], [1, 1, 0]]))
    found = LatticeCounts(table, Lattice([key]), Rule([Presence(0.2, 0.8)]), 6.0, Price((1.0,), 1.0, None))
    assert found.loss((0,)) == (np.inf, 0.0)
    assert found.loss((1,)) == (2.0, 0.0)
