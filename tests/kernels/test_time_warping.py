import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.time_warping import time_warping

sequences = st.lists(st.integers(0, 20), min_size=1, max_size=6).map(lambda xs: np.sort(np.array(xs, dtype=float)))


def cheapest(one: np.ndarray, other: np.ndarray) -> float:
    """The least cost of a walk, by trying all of them."""

    def walk(i: int, j: int) -> float:
        here = abs(one[i] - other[j])
        if i == j == 0:
            return here
        before = []
        if i:
            before.append(walk(i - 1, j))
        if j:
            before.append(walk(i, j - 1))
        if i and j:
            before.append(walk(i - 1, j - 1))
        return here + min(before)

    return walk(len(one) - 1, len(other) - 1)


@given(sequences, sequences)
def test_the_walk_is_the_cheapest_and_leaves_nothing_out(one, other):
    first, last = time_warping(one, other)
    cost = sum(abs(one[i] - other[j]) for i in range(len(one)) for j in range(first[i], last[i] + 1))
    assert cost == cheapest(one, other)
    assert first[0] == 0
    assert last[-1] == len(other) - 1
    assert all(first[i + 1] - last[i] in (0, 1) for i in range(len(one) - 1))


def test_equal_sequences_are_aligned_one_to_one():
    values = np.array([1.0, 2.0, 5.0, 9.0])
    first, last = time_warping(values, values)
    assert first.tolist() == last.tolist() == [0, 1, 2, 3]


def test_one_value_is_aligned_with_all():
    first, last = time_warping(np.array([3.0]), np.array([1.0, 2.0, 3.0]))
    assert (first[0], last[0]) == (0, 2)


def test_where_every_walk_costs_nothing_the_shortest_is_taken():
    first, last = time_warping(np.ones(5), np.ones(5))
    assert first.tolist() == last.tolist() == [0, 1, 2, 3, 4]


def aligned_by_table(one, other):
    """All costs in a table; on the way back a step in both is preferred, then one in the first sequence."""
    n, m = len(one), len(other)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            cost[i + 1, j + 1] = abs(one[i] - other[j]) + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    pairs, i, j = [], n, m
    while i > 0:
        pairs.append((i - 1, j - 1))
        _, i, j = min(
            [(cost[i - 1, j - 1], 0, i - 1, j - 1), (cost[i - 1, j], 1, i - 1, j), (cost[i, j - 1], 2, i, j - 1)]
        )[1:]
    columns = [[b for a, b in pairs if a == row] for row in range(n)]
    return [min(each) for each in columns], [max(each) for each in columns]


def test_the_alignment_is_that_of_a_table_of_all_costs_also_among_ties():
    for seed in range(80):
        rng = np.random.default_rng(seed)
        one, other = (rng.integers(0, 3, int(rng.integers(1, 6))).astype(float) for _ in range(2))
        first, last = time_warping(one, other)
        assert (first.tolist(), last.tolist()) == aligned_by_table(one, other)
