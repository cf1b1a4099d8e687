"""k-neighbourhood anonymity: every ego network occurs k times, and no edge is lost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.kernels.neighbourhood_anonymity import _made_alike
from sdckit.release import protect
from tests.graphs.test_graph_attacks import ego_form
from tests.graphs.test_graph_maskings import graphs


@settings(max_examples=25)
@given(graphs(most=7), st.integers(1, 3))
def test_every_neighbourhood_occurs_k_times(graph, group_size):
    if len(graph) < group_size:
        return
    masked = protect(graph, f"k-neighbourhood-anonymity:group_size={group_size}", seed=1).masked
    forms = [
        ego_form(masked, node) if masked.degrees[node] <= 5 else masked.degrees[node] for node in range(len(graph))
    ]
    assert min(forms.count(form) for form in forms) >= group_size
    assert np.isin(graph.edge_keys, masked.edge_keys).all()


def test_a_graph_that_is_anonymous_is_unchanged():
    ring = Graph.from_edges(8, range(8), [*range(1, 8), 0])
    assert protect(ring, "k-neighbourhood-anonymity", seed=1).masked.edge_keys.tolist() == ring.edge_keys.tolist()


def test_a_large_graph_is_refused_with_the_cure():
    with pytest.raises(SchemaError, match="graph-generalisation"):
        protect(Graph.from_edges(3000, [0], [1]), "k-neighbourhood-anonymity")


def test_neighbourhoods_of_one_form_are_matched_by_their_links_inside():
    """Of nodes 0 and 1 two of three neighbours are linked; 5 has links outside, which are no part of the form."""
    edges = [(0, 2), (0, 3), (0, 4), (2, 3), (1, 5), (1, 6), (1, 7), (6, 7), (5, 8), (5, 9), (5, 10)]
    near = [{a + b - node for a, b in edges if node in (a, b)} for node in range(11)]
    before = [set(each) for each in near]
    assert not _made_alike(near, [0, 1], np.random.default_rng(0))
    assert near == before
