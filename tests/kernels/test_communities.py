"""Communities are those of moves by modularity, computed anew for every move."""

import numpy as np
import pytest

from sdckit.kernels import communities as kernel
from sdckit.kernels.adjacency import from_edges
from sdckit.kernels.communities import communities, modularity


def quality(weights, label):
    """The weight inside communities less what their degrees would give."""
    total, label = weights.sum(), np.asarray(label)
    inside = sum(weights[np.ix_(label == each, label == each)].sum() for each in set(label.tolist()))
    mass = [weights[label == each].sum() for each in set(label.tolist())]
    return inside / total - sum((each / total) ** 2 for each in mass)


def moved(weights):
    """Each node in turn joins the neighbouring community of highest modularity, until none moves."""
    label = list(range(len(weights)))
    for _ in range(20):
        before = list(label)
        for node in range(len(weights)):
            choices = [label[node], *(label[other] for other in np.flatnonzero(weights[node]))]
            best = None
            for choice in choices:
                value = quality(weights, [*label[:node], choice, *label[node + 1 :]])
                if best is None or value > best[0] + 1e-9:
                    best = value, choice
            label[node] = best[1]
        if label == before:
            break
    return label


def plain(weights):
    of = np.arange(len(weights))
    for _ in range(20):
        label = moved(weights) if weights.any() else list(range(len(weights)))
        numbers = sorted(set(label))
        if len(numbers) == len(weights):
            break
        member = np.array([[label[node] == each for each in numbers] for node in range(len(weights))], dtype=float)
        of, weights = np.array([numbers.index(each) for each in label])[of], member.T @ weights @ member
    return of


@pytest.mark.parametrize("seed", range(40))
def test_communities_grow_by_the_moves_that_gain_most(seed):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(1, 11))
    one, other = rng.integers(0, nodes, (2, int(rng.integers(0, 2 * nodes))))
    indptr, indices, _, _ = from_edges(nodes, one, other)
    weights = np.zeros((nodes, nodes))
    weights[np.repeat(np.arange(nodes), np.diff(indptr)), indices] = 1.0
    found = communities(indptr, indices)
    assert found.tolist() == plain(weights).tolist()
    expected = quality(weights, found) if weights.any() else 0.0
    assert modularity(indptr, indices, found) == pytest.approx(expected)


def test_a_community_is_joined_to_others_as_one_node(monkeypatch):
    """Rings of four: pairs first, then the ring."""
    ends = [(4 * ring + node, 4 * ring + (node + 1) % 4) for ring in range(3) for node in range(4)]
    indptr, indices, _, _ = from_edges(12, *np.array(ends).T)
    assert communities(indptr, indices).tolist() == [0] * 4 + [1] * 4 + [2] * 4
    monkeypatch.setattr(kernel, "_local_moves", lambda *arrays: np.arange(arrays[-1]) // 2)
    assert communities(indptr, indices).tolist() == [0] * 12
