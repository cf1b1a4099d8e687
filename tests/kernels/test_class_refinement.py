"""Classes of rows under trees: ancestors, splits, moves and dissolved classes are those of loops over single rows."""

import numpy as np
import pytest

from sdckit.kernels import class_moves, class_refinement
from sdckit.kernels.class_models import Classes, EntropyDiversity, Rule, SmallestPopulation, SmallestSize
from sdckit.kernels.class_moves import move_rows
from sdckit.kernels.class_refinement import Partition, Tree
from sdckit.kernels.class_splits import split_classes
from sdckit.kernels.lattice_rows import RowTable

DEEP = Tree(np.array([[0, 1, 3], [0, 1, 4], [0, 2, 5], [0, 2, 6]]), np.array([1.0, 0.5, 0.25, 0, 0, 0, 0]))
SHORT = Tree(np.array([[4, 3, 0], [4, 3, 1], [4, 2, 2]]), np.array([0.0, 0.0, 0.0, 0.5, 1.0]))
FLOOR = Tree(np.array([[4, 2], [4, 2], [4, 3]]), np.array([np.inf, np.inf, 0.25, 0.5, 2.0]))
BARRED = Tree(np.array([[0, 1], [0, 2]]), np.array([np.inf, 0.0, 0.5]))  # the root may not be released
TREES = [DEEP, SHORT, FLOOR, BARRED]
RULES = [
    Rule([SmallestSize(2)]),
    Rule([SmallestSize(3), EntropyDiversity(0, 1.8)]),
    Rule([SmallestPopulation(4)]),
    Rule([EntropyDiversity(0, 1.9)]),
]


def path(tree: Tree, node: int) -> list[int]:
    """From the root down to a node."""
    line = next(list(line) for line in tree.paths if node in line)
    return line[: line.index(node) + 1]


def ancestor(tree: Tree, nodes) -> int:
    """The last node that the paths of all nodes have in common."""
    together = [set(level) for level in zip(*(path(tree, node) for node in nodes), strict=False)]
    return int([min(level) for level in together if len(level) == 1][-1])


@pytest.mark.parametrize("tree", TREES)
def test_common_ancestors_are_the_last_nodes_that_paths_share(tree):
    nodes = sorted({int(node) for node in tree.paths.ravel()})
    for one in nodes:
        below = [node for node in nodes if one in path(tree, node)]
        assert one in below
        assert tree.join(np.array(nodes), one).tolist() == [ancestor(tree, [one, other]) for other in nodes]
        assert [tree.table[one, other] for other in nodes] == [ancestor(tree, [one, other]) for other in nodes]
        shown = list(tree.paths_of_nodes[one])
        assert shown == [*path(tree, one), *[one] * (tree.paths.shape[1] - len(path(tree, one)))]
    rng = np.random.default_rng(1)
    codes, starts = rng.integers(0, len(tree.paths), 12), np.array([0, 1, 3, 6])
    groups = np.split(codes, starts[1:])
    expected = [ancestor(tree, [tree.paths[code, -1] for code in group]) for group in groups]
    assert tree.common(codes, starts).tolist() == expected
    assert tree.lowest(codes).tolist() == [tree.paths[code][-1] for code in codes]


def random_partition(seed: int) -> Partition:
    rng = np.random.default_rng(seed)
    trees = [TREES[index] for index in rng.choice(len(TREES), rng.integers(1, 4), replace=False)]
    rows = np.unique([[rng.integers(len(tree.paths)) for tree in trees] for _ in range(rng.integers(2, 14))], axis=0)
    counts = rng.integers(0, 3, (len(rows), 2)).astype(float)
    frequencies = counts.sum(axis=1) + rng.integers(0, 2, len(rows))
    frequencies[frequencies == 0] = 1.0
    table = RowTable(rows, frequencies, frequencies + rng.integers(0, 3, len(rows)), [counts])
    of = rng.integers(0, rng.integers(1, 7), len(rows))
    of = np.unique(of, return_inverse=True)[1]
    of -= of.max() > 0 and rng.random() < 0.3
    partition = Partition(table, trees, rng.choice([0.5, 1.0, 2.0], len(trees)).tolist(), of)
    allowed = np.isfinite(partition.loss_of(partition.nodes)).all()
    return partition if allowed else partition.with_classes(np.arange(len(rows)))


def contents(table: RowTable, rows) -> Classes:
    """What some rows contain together, as one class."""
    rows = np.array(rows, dtype=np.int64)
    counts = [each[rows].sum(axis=0, keepdims=True) for each in table.counts]
    return Classes(table.frequencies[rows].sum(keepdims=True), table.population[rows].sum(keepdims=True), counts)


def good(partition: Partition, rule: Rule, rows) -> bool:
    return bool(rule.sufficient(contents(partition.table, rows))[0])


def members(partition: Partition) -> list[list[int]]:
    return [np.flatnonzero(partition.of == number).tolist() for number in range(partition.count)]


def nodes_of(partition: Partition, rows) -> list[int]:
    return [
        ancestor(tree, [tree.paths[code, -1] for code in partition.table.rows[rows, j]])
        for j, tree in enumerate(partition.trees)
    ]


def loss(partition: Partition, nodes) -> float:
    each = zip(partition.weights, partition.trees, nodes, strict=True)
    return float(sum(weight * tree.losses[node] for weight, tree, node in each))


def joined(partition: Partition, nodes, others) -> list[int]:
    return [ancestor(tree, pair) for tree, *pair in zip(partition.trees, nodes, others, strict=True)]


@pytest.mark.parametrize("seed", range(30))
def test_a_partition_has_what_its_rows_have(seed):
    partition = random_partition(seed)
    table = partition.table
    assert partition.count == len(set(partition.of[partition.of >= 0]))
    for number, rows in enumerate(members(partition)):
        assert partition.nodes[number].tolist() == nodes_of(partition, rows)
        assert partition.loss_of(partition.nodes)[number] == loss(partition, nodes_of(partition, rows))
        own = contents(table, rows)
        assert partition.classes.sizes[number] == own.sizes[0]
        assert partition.classes.population[number] == own.population[0]
        assert (partition.classes.counts[0][number] == own.counts[0][0]).all()
    for row in range(len(table.rows)):
        assert partition.lowest[row].tolist() == nodes_of(partition, [row])


def test_classes_without_rows_are_left_out():
    table = RowTable(np.zeros((7, 1), dtype=np.int64), np.ones(7), np.ones(7), [])
    partition = Partition(table, [DEEP], [1.0], np.zeros(7, dtype=np.int64))
    assert partition.with_classes(np.array([7, -1, 4, 7, 2, 4, 2])).of.tolist() == [2, -1, 1, 2, 0, 1, 0]
    nothing = partition.with_classes(np.full(7, -1))
    assert nothing.count == 0 and (nothing.of == -1).all()


@pytest.mark.parametrize("seed", range(60))
def test_a_group_joins_the_cheapest_classes_that_make_it_sufficient(seed):
    partition = random_partition(seed)
    rule = RULES[seed % len(RULES)]
    group = np.flatnonzero(partition.of == (-1 if (partition.of < 0).any() else 0))
    start = partition.with_classes(np.where(np.isin(np.arange(len(partition.of)), group), -1, partition.of))
    classes, rows = members(start), group.tolist()
    chosen = None
    while classes and chosen is None:
        nodes = nodes_of(start, rows)
        own = start.table.frequencies[rows].sum()
        costs = []
        for each in classes:
            size, before = start.table.frequencies[each].sum(), loss(start, nodes_of(start, each))
            after = loss(start, joined(start, nodes_of(start, each), nodes))
            costs.append(after * (size + own) - before * size if after < np.inf else np.inf)
        fits = [good(start, rule, rows + each) and cost < np.inf for each, cost in zip(classes, costs, strict=True)]
        if min(costs) == np.inf:
            break
        allowed = [cost if fit or not any(fits) else np.inf for cost, fit in zip(costs, fits, strict=True)]
        cheapest = classes.pop(int(np.argmin(allowed)))
        rows = rows + cheapest
        chosen = rows if any(fits) else None
    found = start.with_group(group, rule)
    expected = sorted([sorted(each) for each in classes] + ([sorted(chosen)] if chosen else []))
    assert sorted(members(found)) == expected


def dissolved(partition: Partition) -> list[list[int]]:
    """Costly classes whose rows cost less in others, one after the other."""
    frequencies, classes = partition.table.frequencies, dict(enumerate(members(partition)))
    nodes = {number: nodes_of(partition, rows) for number, rows in classes.items()}
    sizes = {number: frequencies[rows].sum() for number, rows in classes.items()}
    grown: set[int] = set()
    costly = sorted(classes, key=lambda number: -loss(partition, nodes[number]))
    for own in costly:
        if own in grown or loss(partition, nodes[own]) <= 0:
            continue
        budget = loss(partition, nodes[own]) * sizes[own]
        new_nodes, new_sizes, targets = dict(nodes), dict(sizes), []
        for row in classes[own]:
            choices = []
            for other in classes:
                if other != own:
                    after = joined(partition, new_nodes[other], nodes_of(partition, [row]))
                    before = loss(partition, new_nodes[other]) * new_sizes[other]
                    choices.append(
                        (loss(partition, after) * (new_sizes[other] + frequencies[row]) - before, other, after)
                    )
            if not choices or min(choices)[0] >= budget - 1e-12:
                break
            cost, other, after = min(choices)
            budget -= cost
            new_nodes[other], new_sizes[other] = after, new_sizes[other] + frequencies[row]
            targets.append((row, other))
        else:
            nodes, sizes = new_nodes, new_sizes
            for row, other in targets:
                classes[other] = [*classes[other], row]
                grown.add(other)
            del classes[own], nodes[own], sizes[own]
    return sorted(sorted(rows) for rows in classes.values())


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_classes_dissolve_where_their_rows_cost_less_in_others(first):
    for seed in range(first, first + 20):
        partition = random_partition(seed)
        assert sorted(members(partition.refined())) == dissolved(partition)


def astray() -> Partition:
    """Each of the two rows of the last class belongs to another one."""
    table = RowTable(np.array([[0], [2], [1], [3]]), np.ones(4), np.ones(4), [])
    even = Tree(DEEP.paths, np.array([1.0, 0.25, 0.25, 0, 0, 0, 0]))
    return Partition(table, [even], [1.0], np.array([2, 2, 0, 1]))


@pytest.mark.parametrize(("limit", "enough", "too_few"), [("LARGEST_TREE", 7, 6), ("MOST_COMPARISONS", 6, 5)])
def test_nothing_is_dissolved_where_that_would_take_too_long(limit, enough, too_few, monkeypatch):
    """A tree of seven nodes; two rows are compared with three classes."""
    monkeypatch.setattr(class_refinement, limit, enough)
    assert sorted(members(astray().refined())) == [[0, 2], [1, 3]]
    monkeypatch.setattr(class_refinement, limit, too_few)
    assert sorted(members(astray().refined())) == [[0, 1], [2], [3]]


def moved(partition: Partition, rule: Rule, tried: int) -> list[list[int]]:
    """The costliest rows, one by one, in the cheapest class that stays sufficient with them."""
    frequencies = partition.table.frequencies
    classes = members(partition)
    nodes = [nodes_of(partition, rows) for rows in classes]
    costly = [row for row in range(len(frequencies)) if partition.of[row] >= 0]
    costly.sort(key=lambda row: -loss(partition, nodes[partition.of[row]]))
    for row in costly:
        own = next(number for number, rows in enumerate(classes) if row in rows)
        choices = []
        for other, rows in enumerate(classes):
            if rows and other != own:
                size = frequencies[rows].sum()
                after = joined(partition, nodes[other], nodes_of(partition, [row]))
                cost = loss(partition, after) * (size + frequencies[row]) - loss(partition, nodes[other]) * size
                choices.append((cost, other, after))
        choices = sorted(choices)[:tried]
        rest = [each for each in classes[own] if each != row]
        for cost, other, after in choices:
            cheaper = cost < loss(partition, nodes[own]) * frequencies[row] - 1e-9
            if cheaper and (not rest or good(partition, rule, rest)) and good(partition, rule, [*classes[other], row]):
                classes[own], classes[other], nodes[other] = rest, [*classes[other], row], after
                break
    return sorted(sorted(rows) for rows in classes if rows)


@pytest.mark.parametrize("tried", [1, 2, 16])
def test_rows_move_to_where_they_cost_least(tried, monkeypatch):
    monkeypatch.setattr(class_moves, "TRIED", tried)
    for seed in range(40):
        partition, rule = random_partition(seed), RULES[seed % len(RULES)]
        assert sorted(members(move_rows(partition, rule))) == moved(partition, rule, tried)


def test_only_as_many_rows_move_as_there_is_time_for(monkeypatch):
    start, anything = astray(), Rule([SmallestSize(1)])
    assert sorted(members(move_rows(start, anything))) == [[0, 2], [1, 3]]
    monkeypatch.setattr(class_moves, "MOST_COMPARISONS", 3)
    assert sorted(members(move_rows(start, anything))) == [[0, 2], [1], [3]]
    monkeypatch.setattr(class_moves, "MOST_COMPARISONS", 2)
    assert sorted(members(move_rows(start, anything))) == [[0, 1], [2], [3]]
    monkeypatch.undo()
    monkeypatch.setattr(class_moves, "MOST_MOVES", 1)
    assert sorted(members(move_rows(start, anything))) == [[0, 2], [1], [3]]


def best_split(partition: Partition, rule: Rule, rows) -> tuple[float, list[list[int]]]:
    """The split of a class by the first key that gains most: the parts that leave, and what remains."""
    best: tuple[float, list[list[int]]] = (1e-9, [rows])
    for j, tree in enumerate(partition.trees):
        node = nodes_of(partition, rows)[j]
        parts: dict[int, list[int]] = {}
        for row in rows:
            line = list(tree.paths[partition.table.rows[row, j]])
            child = line[min(line.index(node) + 1, len(line) - 1)]
            parts.setdefault(int(child), []).append(row)
        leaving = {child for child, part in parts.items() if good(partition, rule, part)}
        for attempt in range(3):
            remain = [row for child, part in parts.items() if child not in leaving for row in part]
            if not remain or good(partition, rule, remain):
                break
            sizes = {child: partition.table.frequencies[parts[child]].sum() for child in leaving}
            smallest = min(sizes.values(), default=np.inf)
            leaving = {child for child in leaving if sizes[child] > smallest} if attempt < 2 else set()
        saved = sum(
            (tree.losses[node] - tree.losses[child]) * partition.table.frequencies[parts[child]].sum()
            for child in leaving
        )
        remain = [row for child, part in parts.items() if child not in leaving for row in part]
        if partition.weights[j] * saved > best[0]:
            best = partition.weights[j] * saved, [each for each in (*map(parts.get, leaving), remain) if each]
    return best


@pytest.mark.parametrize("seed", range(60))
def test_classes_are_split_by_the_key_that_gains_most(seed):
    partition, rule = random_partition(seed), RULES[seed % len(RULES)]
    waiting, expected = members(partition), []
    while waiting:
        rows = waiting.pop()
        _, parts = best_split(partition, rule, rows)
        if len(parts) > 1 or (len(parts) == 1 and parts[0] != rows):
            waiting += parts
        else:
            expected.append(sorted(rows))
    assert sorted(members(split_classes(partition, rule))) == sorted(expected)
