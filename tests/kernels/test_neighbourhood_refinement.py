"""Refinement of nodes by their neighbours: the published generator, attributes that stay, and directions."""

import numpy as np
import pytest

from sdckit.kernels.neighbourhood_refinement import mixed, mixed_all, refined, refined_by_direction

# The first numbers of splitmix64 from the seed 1234567, as published with the generator.
SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
STEP = 0x9E3779B97F4A7C15

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def adjacency(nodes, edges):
    """The neighbours of each node at the end of an edge from it."""
    edges = sorted(edges)
    starts = np.searchsorted([one for one, _ in edges], np.arange(nodes + 1))
    return starts.astype(np.int64), np.array([other for _, other in edges], dtype=np.int64)


def both_ways(edges):
    return edges + [(other, one) for one, other in edges]


def test_the_hash_is_that_of_the_published_generator():
    states = np.array([(1234567 + number * STEP) % 2**64 for number in range(5)], dtype=np.uint64)
    assert [int(mixed(state)) for state in states] == SPLITMIX
    assert mixed_all(states).tolist() == SPLITMIX


def test_a_path_is_refined_from_its_ends_by_hand():
    """Of five nodes in a row: the ends by their degree, then those beside the ends."""
    first, second = refined(*adjacency(5, both_ways([(0, 1), (1, 2), (2, 3), (3, 4)])), 2)
    assert first[0] == first[4] != first[1] == first[2] == first[3]
    assert second[0] == second[4] and second[1] == second[3] and len(set(second.tolist())) == 3


def test_an_attribute_that_is_known_is_never_forgotten():
    """Nodes 0, 1 and 3 have no neighbour; 2 and 4 only each other."""
    start = mixed_all(np.array([1, 2, 1, 1, 2], dtype=np.uint64))
    for found in refined(*adjacency(5, both_ways([(2, 4)])), 3, start):
        assert found[0] == found[3] and len(set(found.tolist())) == 4


def test_what_a_node_has_and_what_its_neighbours_have_are_not_exchanged():
    """A node of kind 1 beside one of kind 2 is not one of kind 2 beside one of kind 1, nor 1 beside 1."""
    start = mixed_all(np.array([1, 2, 1, 1, 2, 2], dtype=np.uint64))
    found = refined(*adjacency(6, both_ways([(0, 1), (2, 3), (4, 5)])), 1, start)[0]
    assert found[2] == found[3] and found[4] == found[5] and len(set(found.tolist())) == 4


def test_the_two_ends_of_a_directed_edge_differ():
    to, back = adjacency(3, [(0, 1)]), adjacency(3, [(1, 0)])
    first = refined_by_direction((to, back), 1)[0]
    assert len(set(first.tolist())) == 3
    assert first[0] == refined_by_direction((back, to), 1)[0][1]
    assert refined_by_direction((to,), 2)[1].tolist() == refined(*to, 2)[1].tolist()
