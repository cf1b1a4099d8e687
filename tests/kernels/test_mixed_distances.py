import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels import mixed_distances, mixed_in_blocks
from sdckit.kernels.mixed_distances import (
    distances_by_attribute,
    links_by_tree,
    mixed_links,
    shares_of_ties_inside,
)
from sdckit.kernels.mixed_tree import (
    MixedRecords,
    Trees,
    category_distance,
    category_distances,
    distance,
    distance_to_box,
    mixed_tree,
    observed,
)

# A tree of height 2: 0 the root; 1 and 2 below it; 3, 4 below 1; 5 below 2. And a flat one: 6, 7, 8.
TREES = Trees.of([([[], [0], [1], [0, 2], [0, 3], [1, 4]], 2), ([[0], [1], [2]], 1)])
APART = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 1],
        [0, 1, 0, 1, 1, 0],
        [0, 0, 1, 0, 0.5, 1],
        [0, 0, 1, 0.5, 0, 1],
        [0, 1, 0, 1, 1, 0],
    ]
)


@st.composite
def files(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    made = []
    for _ in range(2):
        records = draw(st.sampled_from([1, 2, 7, 15, 70]))  # the last one is searched by a tree of several boxes
        numbers = rng.integers(0, draw(st.sampled_from([5, 1000])), (records, 2)) / 4
        nodes = np.column_stack([rng.integers(0, 6, records), rng.integers(6, 9, records)]).astype(np.int32)
        gone = draw(st.sampled_from([0, 0.3, 0.7]))
        numbers[rng.random(numbers.shape) < gone] = np.nan
        nodes[rng.random(nodes.shape) < gone] = -1
        made.append(MixedRecords(numbers, nodes))
    return (*made, rng.integers(-1, len(made[1].nodes), len(made[0].nodes)))


def all_distances(known, released):
    """The mean over the attributes known, pair by pair; a hole is a fifth of the mean distance to the others away."""
    mine, theirs = known.nodes[:, None], released.nodes[None]
    apart = np.stack([APART[mine[..., 0], theirs[..., 0]], (mine[..., 1] != theirs[..., 1]).astype(float)], axis=2)
    categories = np.where((mine < 0) | (theirs < 0), np.nan, apart)
    parts = np.concatenate([np.abs(known.numbers[:, None] - released.numbers[None]), categories], axis=2)
    unknown = np.hstack([np.isnan(known.numbers), known.nodes < 0])
    seen = ~np.isnan(parts)
    mean = np.where(seen, parts, 0.0).sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
    parts = np.where(unknown[:, None], 0.0, np.where(seen, parts, mean[:, None] / 5))
    return parts.sum(axis=2) / np.maximum((~unknown).sum(axis=1), 1)[:, None]


def tied(distance):
    least = distance.min(axis=1, keepdims=True)
    return (distance <= least + 1e-9) | np.isinf(least)


def small_files(seed):
    """Few values, so that most rows tie, and enough rows for a tree of several boxes."""
    rng = np.random.default_rng(seed)
    made = []
    for records in (int(rng.integers(1, 5)), int(rng.choice([1, 3, 9, 20]))):
        numbers = rng.integers(0, 3, (records, 2)) / 2
        nodes = np.column_stack([rng.integers(0, 6, records), rng.integers(6, 9, records)]).astype(np.int32)
        numbers[rng.random(numbers.shape) < 0.2 * (seed % 2)] = np.nan
        nodes[rng.random(nodes.shape) < 0.2 * (seed % 2)] = -1
        made.append(MixedRecords(numbers, nodes))
    return (*made, rng.integers(-1, len(made[1].nodes), len(made[0].nodes)))


@pytest.mark.parametrize("seed", range(40))
def test_the_links_of_few_values_are_those_of_all_pairs(seed):
    check_links(*small_files(seed))


@given(files())
def test_the_links_are_those_of_all_pairs(given_files):
    check_links(*given_files)


def check_links(known, released, truth):
    distance = all_distances(known, released)
    nearest = tied(distance)
    links = mixed_links(known, released, TREES, truth)
    for by_all, by_tree in zip(links, links_by_tree(known, released, TREES, truth), strict=True):
        assert by_all.dtype == by_tree.dtype and (by_all == by_tree).all()
    assert links.distance == pytest.approx(distance.min(axis=1))
    assert links.ties.tolist() == nearest.sum(axis=1).tolist()
    assert links.nearest.tolist() == nearest.argmax(axis=1).tolist()
    assert links.truth_tied.tolist() == ((truth >= 0) & nearest[np.arange(len(truth)), truth]).tolist()


@pytest.mark.parametrize("seed", range(40))
def test_the_shares_of_few_values_are_those_of_all_tied_pairs(seed):
    check_shares(*small_files(seed), seed)


@given(files(), st.integers(0, 1000))
def test_the_shares_are_those_of_all_tied_pairs(given_files, seed):
    check_shares(*given_files, seed)


def check_shares(known, released, left_out, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (len(released.nodes), 2)).astype(float)
    values[rng.random(values.shape) < 0.2] = np.nan
    lower = rng.integers(0, 4, (len(known.nodes), 2)).astype(float)
    upper = lower + rng.integers(0, 2, lower.shape)
    shares = shares_of_ties_inside(known, released, TREES, left_out, lower, upper, values)
    distance = all_distances(known, released)
    for record, row in enumerate(left_out):
        kept = np.arange(len(values)) != row
        if not kept.any():
            assert shares[record].tolist() == [0, 0]
            continue
        nearest = tied(distance[[record]][:, kept])[0]
        inside = (values[kept][nearest] >= lower[record]) & (values[kept][nearest] <= upper[record])
        assert shares[record] == pytest.approx(inside.mean(axis=0))


@given(files())
def test_no_row_is_nearer_than_its_box_and_a_single_one_as_near(given_files):
    known, released, _ = given_files
    tree, costs = mixed_tree(released), np.random.default_rng(0).random((len(known.nodes), 4))
    known = known.take(np.arange(min(len(known.nodes), 3)))
    for record in range(len(known.nodes)):
        attributes = observed(known, record)
        rows = [distance(known, record, attributes, costs, tree, row, TREES, np.inf) for row in range(len(tree.order))]
        for box, (start, stop) in enumerate(zip(tree.start, tree.stop, strict=True)):
            bound = distance_to_box(known, record, attributes, costs, tree, box, TREES)
            assert bound <= min(rows[start:stop]) + 1e-12
        one = mixed_tree(tree_rows(tree, 0))
        bound = distance_to_box(known, record, attributes, costs, one, 0, TREES)
        # A hole of the row costs what it costs, whatever the record has.
        assert bound == pytest.approx(rows[0])


def tree_rows(tree, row):
    return MixedRecords(tree.numbers[[row]], tree.nodes[[row]])


def distance_between(one, other):
    known, released = (MixedRecords(np.empty((1, 0)), np.array([[node]], dtype=np.int32)) for node in (one, other))
    return mixed_links(known, released, TREES, np.array([0])).distance[0]


def test_a_node_is_near_to_all_that_it_stands_for():
    assert [distance_between(3, node) for node in (0, 1, 2, 3, 4, 5)] == [0, 0, 1, 0, 0.5, 1]


def test_no_released_row_links_nobody():
    empty = MixedRecords(np.empty((0, 1)), np.empty((0, 0), dtype=np.int32))
    two = MixedRecords(np.zeros((2, 1)), np.empty((2, 0), np.int32))
    links = mixed_links(two, empty, TREES, np.array([-1, -1]))
    assert links.ties.tolist() == [0, 0] and not links.truth_tied.any()
    assert links.distance.tolist() == [np.inf, np.inf] and links.nearest.tolist() == [-1, -1]
    nowhere, ends = np.array([-1, -1]), np.zeros((2, 3))
    assert (shares_of_ties_inside(two, empty, TREES, nowhere, ends, ends, np.empty((0, 3))) == np.zeros((2, 3))).all()
    assert len(mixed_links(empty, two, TREES, np.empty(0, np.int64)).distance) == 0
    none = np.empty((0, 3))
    assert shares_of_ties_inside(empty, two, TREES, nowhere[:0], none, none, ends).shape == (0, 3)


def test_distances_from_one_category_are_those_of_pairs():
    """Two branches below the root: one of a leaf and two below another node, one of two levels."""
    trees = Trees.of([([[], [0], [0, 1], [0, 2], [3], [3, 4]], 2)])
    nodes = np.arange(len(trees.depths))
    for one in nodes:
        pairs = [category_distance(trees, one, other, 0) for other in nodes]
        assert category_distances(trees, one, nodes, 0).tolist() == pairs
    assert category_distances(trees, 2, nodes, 0).tolist() == [0.0, 0.0, 0.0, 0.5, 1.0, 1.0]


@given(files())
def test_distances_by_attribute_are_those_of_pairs(given_files):
    known, released, _ = given_files
    one = known.take(np.array([0]))
    found = distances_by_attribute(one, released, TREES)
    for row in range(len(released.nodes)):
        numbers = np.abs(one.numbers[0] - released.numbers[row]).tolist()
        for j, (mine, theirs) in enumerate(zip(one.nodes[0], released.nodes[row], strict=True)):
            apart = APART[mine, theirs] if j == 0 else float(mine != theirs)
            numbers.append(np.nan if mine < 0 or theirs < 0 else apart)
        assert np.array_equal(found[row], numbers, equal_nan=True)


@pytest.mark.parametrize(("pairs", "spared"), [(5, False), (6, False), (5, True)])
def test_few_pairs_are_compared_and_many_searched_unless_the_kernel_is_spared(pairs, spared, monkeypatch):
    asked = []
    monkeypatch.setattr(mixed_distances, "PAIRS", pairs)
    monkeypatch.setattr(mixed_distances, "spared", lambda _, work: asked.append(work) or spared)
    monkeypatch.setattr(mixed_distances, "links_by_tree", lambda *_: "searched")
    two, three = (MixedRecords(np.zeros((size, 1)), np.empty((size, 0), np.int32)) for size in (2, 3))
    found = mixed_links(two, three, TREES, np.array([-1, -1]))
    assert (found == "searched") == (pairs == 5 and not spared)
    assert asked == ([2 * 3 * 2] if pairs == 5 else [])


@pytest.mark.parametrize("pairs", [1, 4, 9])
def test_the_links_are_the_same_however_many_pairs_are_compared_at_a_time(pairs, monkeypatch):
    for seed in range(30):
        known, released, truth = small_files(seed)
        together = mixed_links(known, released, TREES, truth)
        with monkeypatch.context() as patch:
            patch.setattr(mixed_in_blocks, "PAIRS", pairs)
            patch.setattr(mixed_distances, "spared", lambda *_: True)
            apart = mixed_links(known, released, TREES, truth)
        assert all(map(np.array_equal, together, apart))


@pytest.mark.parametrize(("tolerance", "ties"), [(0.0, 1), (0.24, 1), (0.25, 2), (1.0, 3)])
@pytest.mark.parametrize("link", [mixed_links, links_by_tree])
def test_rows_within_the_tolerance_tie_by_hand(tolerance, ties, link):
    """Distances of 4, 5 and 8."""
    known, released = (
        MixedRecords(np.array(v)[:, None], np.empty((len(v), 0), np.int32)) for v in ([0.0], [8.0, 5, 4])
    )
    for truth, row in ((2, True), (1, ties > 1), (0, ties > 2), (-1, False)):
        found = link(known, released, TREES, np.array([truth]), tolerance=tolerance)
        assert (found.distance[0], found.ties[0], found.nearest[0]) == (4.0, ties, 3 - ties)
        assert found.truth_tied[0] == row
    ends = np.array([[4.0]]), np.array([[5.0]])
    share = shares_of_ties_inside(known, released, TREES, np.array([-1]), *ends, released.numbers, tolerance=tolerance)
    assert share[0, 0] == [1, 1, 2 / 3][ties - 1]
