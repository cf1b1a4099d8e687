"""Values of edges: what a dictionary of pairs says."""

import numpy as np

from sdckit.kernels.adjacency import arcs_of, edge_keys, from_edges
from sdckit.kernels.edge_values import at_both_ends, at_one_end, summed_by_edge

NODES = 6


def random_edges(seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    one, other = np.sort(rng.integers(0, NODES, (2, 30)), axis=0)
    return one, other, rng.integers(1, 100, 30).astype(float)


def test_values_of_an_edge_are_summed_and_those_of_loops_left_out():
    one, other, values = random_edges()
    total: dict[tuple[int, int], float] = {}
    for a, b, value in zip(one.tolist(), other.tolist(), values.tolist(), strict=True):
        if a != b:
            total[a, b] = total.get((a, b), 0.0) + value
    assert (one == other).any() and len(total) < (one != other).sum()
    keys = edge_keys(*from_edges(NODES, one, other)[:2])
    assert summed_by_edge(keys, NODES, one, other, values).tolist() == [total[edge] for edge in sorted(total)]


def test_both_ends_of_an_edge_have_its_value_and_one_end_gives_it_back():
    one, other, _ = random_edges()
    indptr, indices, _, _ = from_edges(NODES, one, other)
    keys = edge_keys(indptr, indices)
    values = np.arange(len(keys)) + 0.5
    of_edge = dict(zip(keys.tolist(), values.tolist(), strict=True))
    at_entries = at_both_ends(indptr, indices, keys, values)
    assert at_entries.tolist() == [
        of_edge[min(a, b) * NODES + max(a, b)]
        for a, b in zip(*map(np.ndarray.tolist, arcs_of(indptr, indices)), strict=True)
    ]
    assert at_one_end(indptr, indices, at_entries).tolist() == values.tolist()
