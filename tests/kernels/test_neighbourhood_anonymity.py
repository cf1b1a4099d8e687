"""Neighbourhood anonymity step by step: who is grouped, which links are given, and the complete graph in the end."""

from itertools import permutations

import numpy as np
import pytest

from sdckit.kernels import neighbourhood_anonymity
from sdckit.kernels.adjacency import from_edges
from sdckit.kernels.neighbourhood_anonymity import _completed, _join, _made_alike, anonymous_neighbourhoods


def links(near):
    return sorted((a, b) for a, others in enumerate(near) for b in others if a < b)


def random_graph(rng, nodes):
    near = [set() for _ in range(nodes)]
    for a in range(nodes):
        for b in range(a):
            if rng.random() < 0.35:
                near[a].add(b)
                near[b].add(a)
    return near


def arrays(near):
    ends = np.array(links(near), dtype=np.int64).reshape(-1, 2)
    indptr, indices, _, _ = from_edges(len(near), ends[:, 0], ends[:, 1])
    return indptr, indices


def form(near, node):
    """The ego network's links, in the least of all orders of its nodes."""
    inside = sorted(near[node])
    return len(inside), min(tuple(b in near[a] for a in order for b in order) for order in permutations(inside))


def by_the_book(near, group_size, rng):
    near = [set(each) for each in near]
    nodes = range(len(near))
    while True:
        forms = [form(near, node) for node in nodes]
        rare = [node for node in nodes if forms.count(forms[node]) < group_size]
        if not rare:
            return links(near)
        inside = [sum(len(near[a] & near[node]) for a in near[node]) / 2 for node in nodes]
        draws = dict(zip(rare, rng.random(len(rare)), strict=True))
        first = min(rare, key=lambda node: (-len(near[node]), -inside[node], draws[node]))
        others = [node for node in nodes if node != first]
        draws = dict(zip(others, rng.random(len(others)), strict=True))

        def gap(node, first=first, inside=inside, rare=rare):
            size = abs(len(near[node]) - len(near[first])) + abs(inside[node] - inside[first]) / 2
            return size + (node not in rare)

        group = [first, *sorted(others, key=lambda node: (gap(node), draws[node]))[: group_size - 1]]
        if not _made_alike(near, group, rng):
            _completed(near, group)


@pytest.mark.parametrize("group_size", [1, 2, 3])
def test_the_most_linked_is_grouped_with_the_most_similar(group_size):
    for seed in range(14):
        near = random_graph(np.random.default_rng(seed), 3 + seed % 4)
        found = anonymous_neighbourhoods(*arrays(near), group_size, np.random.default_rng(seed))
        expected = by_the_book(near, group_size, np.random.default_rng(seed))
        assert found.tolist() == [a * len(near) + b for a, b in expected]


def made_alike_by_the_book(near, group):
    """All get as many neighbours as the best linked, then the links that any of them has, position by position."""
    near = [set(each) for each in near]

    def join(a, b):
        near[a].add(b)
        near[b].add(a)

    size = max(len(near[node]) for node in group)
    for node in group:
        strangers = [other for other in range(len(near)) if other != node and other not in near[node]]
        strangers.sort(key=lambda other: (other in group, len(near[other]), other))
        for other in strangers[: max(size - len(near[node]), 0)]:
            join(node, other)
    rows = [sorted(near[node], key=lambda each, node=node: (-len(near[each] & near[node]), each)) for node in group]
    for one in range(size):
        for other in range(one):
            pairs = [(row[one], row[other]) for row in rows if len(row) > one]
            if any(b in near[a] for a, b in pairs):
                for a, b in pairs:
                    if a != b:
                        join(a, b)
    return near


def test_members_of_a_group_get_each_others_links():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        near = random_graph(rng, 4 + seed % 4)
        group = rng.permutation(len(near))[: rng.integers(1, 4)].tolist()
        expected = made_alike_by_the_book(near, group)
        before = links(near)
        assert _made_alike(near, group, rng) == (links(expected) != before)
        assert near == expected


def test_a_group_is_completed_or_gets_one_more_link_each():
    path = [{1}, {0, 2}, {1}, set()]
    _completed(path, [1])
    assert links(path) == [(0, 1), (0, 2), (1, 2)]
    _completed(path, [0, 3])  # all neighbours are linked: each gets the first stranger
    assert links(path) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]
    everybody = [{1, 2}, {0, 2}, {0, 1}]
    _completed(everybody, [0, 1, 2])
    assert links(everybody) == [(0, 1), (0, 2), (1, 2)]


def test_a_link_is_new_once_and_never_to_itself():
    near = [set(), set()]
    assert not _join(near, 0, 0) and near == [set(), set()]
    assert _join(near, 0, 1) and near == [{1}, {0}]
    assert not _join(near, 1, 0)


def test_when_the_steps_are_used_up_the_graph_is_complete(monkeypatch):
    monkeypatch.setattr(neighbourhood_anonymity, "STEPS_PER_NODE", 0)
    found = anonymous_neighbourhoods(*arrays([{1}, {0}, set(), set()]), 2, np.random.default_rng(0))
    assert found.tolist() == [1, 2, 3, 6, 7, 11]
