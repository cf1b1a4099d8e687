"""Pairs of nodes without an edge: as many as are asked for, different, absent, and all equally likely."""

import numpy as np
import pytest

from sdckit.kernels.random_pairs import absent_pairs


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("edges", "count"), [(0, 0), (0, 30), (1, 30), (40, 30), (60, 130), (190, 0), (100, 90)])
def test_pairs_are_different_and_have_no_edge(edges, count, directed):
    rng = np.random.default_rng(edges)
    low, high = np.triu_indices(20, 1)
    keys = np.sort(rng.permutation(low * 20 + high)[:edges])
    count = 2 * count if directed else count
    found = absent_pairs(20, keys, count, rng, directed=directed)
    one, other = found // 20, found % 20
    assert len(set(found.tolist())) == len(found) == count
    assert not np.isin(found, keys).any()
    assert (one != other).all() if directed else (one < other).all()
    if directed and count >= 30:
        assert (one > other).any() and (one < other).any()


@pytest.mark.parametrize("edges", [[], [1], [3, 11], [1, 2, 3, 6]])
def test_every_absent_pair_is_drawn_equally_often(edges):
    """Of four nodes; the last ones are listed, the others drawn until one is absent."""
    rng = np.random.default_rng(7)
    absent = sorted({1, 2, 3, 6, 7, 11} - set(edges))
    drawn = [absent_pairs(4, np.array(edges, dtype=np.int64), 1, rng)[0] for _ in range(600)]
    seen = np.array([drawn.count(pair) for pair in absent])
    assert seen.sum() == 600
    expected = 600 / len(absent)
    assert (np.abs(seen - expected) < 5 * np.sqrt(expected)).all()


def test_all_absent_pairs_can_be_asked_for():
    keys = np.array([1, 7, 11])
    assert sorted(absent_pairs(4, keys, 3, np.random.default_rng(0)).tolist()) == [2, 3, 6]


@pytest.mark.parametrize("directed", [False, True])
def test_pairs_are_drawn_until_enough_are_absent_or_chosen_from_all(directed):
    """The first absent ones of the draws, each once, where at most half of the pairs are taken; else from a list."""
    ways = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        nodes = int(rng.integers(2, 8))
        pairs = [a * nodes + b for a in range(nodes) for b in range(nodes) if (a != b if directed else a < b)]
        keys = np.sort(rng.permutation(pairs)[: rng.integers(0, len(pairs) + 1)])
        absent = [pair for pair in pairs if pair not in keys]
        count = int(rng.integers(0, len(absent) + 1))
        found = absent_pairs(nodes, keys, count, np.random.default_rng(seed), directed=directed)
        draws = np.random.default_rng(seed)
        drawn = 2 * (len(keys) + count) <= len(pairs)
        ways.add(drawn)
        if drawn:
            expected = []
            while len(expected) < count:
                for a, b in draws.integers(0, nodes, size=(2, 2 * (count - len(expected)) + 16)).T.tolist():
                    pair = a * nodes + b if directed else min(a, b) * nodes + max(a, b)
                    if a != b and pair in absent and pair not in expected:
                        expected.append(pair)
            expected = expected[:count]
        else:
            expected = draws.choice(np.array(absent, dtype=np.int64), count, replace=False).tolist()
        assert found.tolist() == expected
    assert ways == {True, False}
