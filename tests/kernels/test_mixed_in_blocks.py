"""All pairs take the place of a tree that excludes little, with the same links."""

import numpy as np
import pytest
from hypothesis import given
from tests.kernels.test_mixed_distances import TREES, files

from sdckit.kernels import mixed_in_blocks
from sdckit.kernels.missing_costs import missing_costs
from sdckit.kernels.mixed_distances import links_by_tree
from sdckit.kernels.mixed_in_blocks import _least_distances_to_leaves, tree_excludes_little
from sdckit.kernels.mixed_tree import MixedRecords, distance_to_box, mixed_tree, observed


@given(files())
def test_the_bounds_of_leaves_are_those_of_the_search(given_files):
    known, released, _ = given_files
    tree, costs = mixed_tree(released), missing_costs(known, released, TREES)
    found = _least_distances_to_leaves(tree, known, costs, TREES)
    leaves = np.flatnonzero(tree.right < 0)
    for record in range(len(known.nodes)):
        of_box = [distance_to_box(known, record, observed(known, record), costs, tree, leaf, TREES) for leaf in leaves]
        assert found[record] == pytest.approx(np.array(of_box))


def with_noise(rng: np.random.Generator, share: float) -> tuple[MixedRecords, MixedRecords]:
    """A file of 12 numbers and 2 attributes of categories, and the same with this share of noise; both have holes."""
    values, nodes = rng.random((1500, 12)), np.column_stack([rng.integers(0, 6, 1500), rng.integers(6, 9, 1500)])
    noisy = np.abs(values + share * rng.normal(size=values.shape))
    released = nodes.copy()
    for holes in (values, noisy):
        holes[rng.random(holes.shape) < 0.01] = np.nan
    for holes in (nodes, released):
        holes[rng.random(holes.shape) < 0.01] = -1
    return MixedRecords(values, nodes.astype(np.int32)), MixedRecords(noisy, released.astype(np.int32))


@pytest.mark.parametrize(("share", "little"), [(0.001, False), (2.0, True)])
def test_much_noise_makes_a_tree_exclude_little(share, little, monkeypatch):
    known, released = with_noise(np.random.default_rng(1), share)
    costs, truth = missing_costs(known, released, TREES), np.arange(1500)
    assert tree_excludes_little(mixed_tree(released), 1500, known, costs, TREES) is little
    assert not tree_excludes_little(mixed_tree(released), 15_000, known, costs, TREES), "ten equal ones of each row"
    found = []
    for visited in (0.0, 1.0):
        monkeypatch.setattr(mixed_in_blocks, "VISITED", visited)
        found.append(links_by_tree(known, released, TREES, truth))
    assert all(map(np.array_equal, *found))


def test_few_records_are_not_worth_a_sample():
    known, released = with_noise(np.random.default_rng(1), 2.0)
    few = known.take(np.arange(mixed_in_blocks.MANY * mixed_in_blocks.SAMPLE - 1))
    assert not tree_excludes_little(mixed_tree(released), 1500, few, missing_costs(few, released, TREES), TREES)
