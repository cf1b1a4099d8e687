"""What a hole costs is a share of the mean distance to the values that there are."""

import numpy as np
import pytest

from sdckit.kernels.missing_costs import expected_differences, missing_costs, squared_missing_costs
from sdckit.kernels.mixed_tree import MixedRecords, Trees, category_distance

TREES = Trees.of([([[], [0], [1], [0, 2], [0, 3], [1, 4]], 2), ([[0], [1], [2]], 1)])


def records(rng, count):
    numbers = rng.integers(0, 4, (count, 2)).astype(float)
    nodes = np.column_stack([rng.integers(0, 6, count), rng.integers(6, 9, count)]).astype(np.int32)
    numbers[rng.random(numbers.shape) < 0.25], nodes[rng.random(nodes.shape) < 0.25] = np.nan, -1
    return MixedRecords(numbers, nodes)


def of_category(mine, theirs, j):
    """The mean distance to the categories that there are, if one is missing."""
    seen = theirs[theirs >= 0]
    if mine < 0 or len(seen) == len(theirs) or not len(seen):
        return 0.0
    return np.mean([category_distance(TREES, mine, node, j) for node in seen])


@pytest.mark.parametrize("seed", range(30))
def test_a_hole_costs_a_share_of_what_is_expected(seed):
    rng = np.random.default_rng(seed)
    known, released = records(rng, int(rng.integers(1, 5))), records(rng, int(rng.integers(1, 6)))
    found, squared = missing_costs(known, released, TREES), squared_missing_costs(known, released, TREES, 3.0)
    for record in range(len(known.nodes)):
        for j in range(2):
            mine, theirs = known.numbers[record, j], released.numbers[:, j]
            seen = theirs[~np.isnan(theirs)]
            expected = np.abs(mine - seen).mean() if len(seen) and mine == mine and len(seen) < len(theirs) else 0.0
            assert found[record, j] == pytest.approx(0.2 * expected)
            mean, variance = (seen.mean(), seen.var(ddof=len(seen) > 1)) if len(seen) else (0.0, 0.0)
            assert squared[record, j] == pytest.approx(0.1 * ((mine - mean) ** 2 + variance) if mine == mine else 0.0)
            apart = of_category(known.nodes[record, j], released.nodes[:, j], j)
            assert found[record, 2 + j] == pytest.approx(0.2 * apart)
            assert squared[record, 2 + j] == pytest.approx(0.2 * 3.0 * apart)


@pytest.mark.parametrize("seed", range(30))
def test_expected_differences_are_means_over_all_values(seed):
    rng = np.random.default_rng(seed)
    values, reference = (rng.integers(0, 4, int(rng.integers(0, 6))).astype(float) for _ in range(2))
    for column in (values, reference):
        column[rng.random(len(column)) < 0.2] = np.nan
    seen = reference[~np.isnan(reference)]
    expected = [np.abs(value - seen).mean() if value == value and len(seen) else 0.0 for value in values]
    assert expected_differences(values, reference) == pytest.approx(expected)


def test_without_attributes_there_are_no_costs():
    nothing = MixedRecords(np.empty((3, 0)), np.empty((3, 0), np.int32))
    assert missing_costs(nothing, nothing, Trees.of([])).shape == (3, 0)
