"""Classes split down the trees of their keys: by hand, and what every split keeps."""

import numpy as np
import pytest

from sdckit.kernels.class_models import DistinctDiversity, EntropyDiversity, Presence, Rule, SmallestSize
from sdckit.kernels.class_refinement import Partition, Tree
from sdckit.kernels.class_splits import children, split_classes
from sdckit.kernels.lattice_rows import RowTable


def flat(categories: int) -> Tree:
    """A root, 0, above all categories."""
    paths = np.column_stack([np.zeros(categories, dtype=np.int64), np.arange(1, categories + 1)])
    return Tree(paths, np.array([1.0] + [0.0] * categories))


BINARY = Tree(np.array([[0, 1, 3], [0, 1, 4], [0, 2, 5], [0, 2, 6]]), np.array([1.0, 0.5, 0.5, 0, 0, 0, 0]))


def partition(rows, sizes, trees, weights=None, counts=(), population=None, of=None) -> Partition:
    rows, sizes = np.array(rows, dtype=np.int64), np.array(sizes, dtype=float)
    table = RowTable(rows, sizes, sizes if population is None else np.array(population, dtype=float), list(counts))
    of = np.zeros(len(rows), dtype=np.int64) if of is None else np.array(of)
    return Partition(table, trees, [1.0] * len(trees) if weights is None else weights, of)


def groups(found: Partition) -> list[list[int]]:
    return sorted(np.flatnonzero(found.of == each).tolist() for each in range(found.count))


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([3, 3, 3], [[0], [1], [2]]),
        ([4, 5, 2, 2], [[0], [1], [2, 3]]),  # what remains is sufficient
        ([4, 5, 2], [[0, 2], [1]]),  # it is not, and the smallest sufficient part stays with it
        ([4, 4, 5, 2], [[0, 1, 3], [2]]),
        ([4, 2], [[0, 1]]),
        ([2, 2, 1], [[0, 1, 2]]),
        ([7], [[0]]),
    ],
)
def test_parts_of_three_records_leave_their_class_by_hand(sizes, expected):
    rows = np.arange(len(sizes))[:, None]
    assert groups(split_classes(partition(rows, sizes, [flat(len(sizes))]), Rule([SmallestSize(3)]))) == expected


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [([3, 3, 3, 3], [[0], [1], [2], [3]]), ([3, 2, 5, 1], [[0, 1], [2, 3]]), ([2, 2, 1, 1], [[0, 1, 2, 3]])],
)
def test_a_class_is_split_level_by_level(sizes, expected):
    found = split_classes(partition([[0], [1], [2], [3]], sizes, [BINARY]), Rule([SmallestSize(3)]))
    assert groups(found) == expected


@pytest.mark.parametrize(("weights", "expected"), [((1.0, 2.0), [[0, 2], [1, 3]]), ((2.0, 1.0), [[0, 1], [2, 3]])])
def test_the_key_that_gains_most_is_split_first(weights, expected):
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    found = split_classes(partition(rows, [2] * 4, [flat(2), flat(2)], weights), Rule([SmallestSize(4)]))
    assert groups(found) == expected


def test_an_empty_remainder_is_no_class_that_could_be_insufficient():
    """A share of 0 of the population is below the limit, but all records left."""
    start = partition([[0], [1]], [2, 2], [flat(2)], population=[4, 4])
    assert groups(split_classes(start, Rule([Presence(0.3, 0.7)]))) == [[0], [1]]


def test_a_remainder_that_stays_insufficient_keeps_its_class_whole():
    """Each of the first three is diverse; the many equal values of the last outweigh any two of them."""
    counts = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [30.0, 0.0]])
    start = partition(np.arange(4)[:, None], counts.sum(axis=1), [flat(4)], counts=[counts])
    assert groups(split_classes(start, Rule([EntropyDiversity(0, 1.9)]))) == [[0, 1, 2, 3]]


@pytest.mark.parametrize("seed", range(8))
def test_classes_stay_sufficient_and_only_become_finer(seed):
    rng = np.random.default_rng(seed)
    rows = np.array([[a, b] for a in range(4) for b in range(3)])
    counts = rng.integers(0, 5, (12, 3)).astype(float)
    of = np.where(rng.random(12) < 0.15, -1, rng.integers(0, 2, 12))
    of[:2] = 0, 1
    start = partition(rows, counts.sum(axis=1), [BINARY, flat(3)], counts=[counts], of=of)
    rule = Rule([SmallestSize(3), DistinctDiversity(0, 2)])
    found = split_classes(start, rule)
    assert rule.sufficient(found.classes).tolist().count(False) <= rule.sufficient(start.classes).tolist().count(False)
    assert ((found.of < 0) == (of < 0)).all()
    assert all(len(set(of[found.of == each])) == 1 for each in range(found.count))
    assert found.count >= start.count
    assert groups(split_classes(found, rule)) == groups(found)


def test_nothing_to_split():
    start = partition(np.empty((0, 1)), [], [flat(2)])
    assert split_classes(start, Rule([SmallestSize(3)])).count == 0


def test_the_node_below_is_one_level_down_or_the_last():
    nodes, codes = np.array([0, 0, 1, 2, 4]), np.array([1, 2, 0, 3, 1])
    assert children(BINARY, nodes, codes).tolist() == [1, 2, 3, 6, 4]
