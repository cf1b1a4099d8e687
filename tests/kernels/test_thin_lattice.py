"""A thinner lattice: which levels are left out, by hand and by the rule."""

from math import prod

import numpy as np

from sdckit.kernels.lattice_rows import Levels
from sdckit.kernels.thin_lattice import thinned


def key(levels, nodes):
    """A key whose nodes of level ℓ begin with ℓ; its largest node is `nodes`."""
    return Levels(np.column_stack([np.arange(levels), np.full(levels, nodes)]), np.arange(levels)[:, None] / levels)


def kept(keys, most):
    return [each.nodes[:, 0].tolist() for each in thinned(keys, most)]


def test_inner_levels_of_the_longest_key_go_first():
    keys = [key(3, 9), key(5, 5)]
    assert kept(keys, 15) == [[0, 1, 2], [0, 1, 2, 3, 4]]
    assert kept(keys, 14) == [[0, 1, 2], [0, 1, 3, 4]]
    assert kept(keys, 9) == [[0, 1, 2], [0, 1, 4]]
    assert kept(keys, 8) == [[0, 2], [0, 1, 4]]  # of two as long, the first
    assert kept(keys, 4) == [[0, 2], [0, 4]]


def test_then_the_key_with_most_nodes_loses_its_finest_level():
    keys = [key(3, 9), key(5, 5), key(1, 20)]
    assert kept(keys, 3) == [[2], [0, 4], [0]]
    assert kept(keys, 1) == [[2], [4], [0]]


def test_losses_go_with_their_levels_and_a_whole_key_stays_itself():
    keys = [key(2, 9), key(4, 5)]
    first, second = thinned(keys, 6)
    assert first is keys[0]
    assert second.losses.ravel().tolist() == [0, 0.25, 0.75]


def test_never_more_combinations_than_asked_and_the_coarsest_levels_stay():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        keys = [key(int(rng.integers(1, 6)), int(rng.integers(1, 9))) for _ in range(rng.integers(1, 4))]
        most = int(rng.integers(1, 60))
        left = kept(keys, most)
        assert prod(map(len, left)) <= most
        assert all(levels[-1] == len(each.nodes) - 1 for levels, each in zip(left, keys, strict=True))
