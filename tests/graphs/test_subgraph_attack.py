"""The subgraph attack against all ways to place a pattern."""

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdckit.risk.graph.subgraph_attack import embeds, known_links
from tests.graphs.test_graph_maskings import graphs


@given(graphs(most=6), graphs(most=6), st.integers(1, 5), st.integers(0, 99))
def test_candidates_equal_brute_force(known, released, links, seed):
    pattern = known_links(known, 0, links, np.random.default_rng(seed))
    near = [set(released.neighbours(node).tolist()) for node in range(len(released))]

    def fits(order):
        return all(order[one] in near[order[two]] for two, earlier in enumerate(pattern) for one in earlier)

    orders = permutations(range(len(released)), len(pattern))
    expected = {order[0] for order in orders if fits(order)}
    assert {row for row in range(len(released)) if embeds(near, pattern, [row])} == expected


@given(graphs(), st.integers(1, 8), st.integers(0, 99))
def test_the_truth_is_a_candidate_in_an_unmasked_graph(graph, links, seed):
    near = [set(graph.neighbours(node).tolist()) for node in range(len(graph))]
    for node in range(len(graph)):
        pattern = known_links(graph, node, links, np.random.default_rng(seed))
        assert embeds(near, pattern, [node])
        assert sum(map(len, pattern)) <= links
