"""A block says the same of a record whether or not it has the other records too."""

import numpy as np
import pytest

from sdckit.laws.blocks import Deviations, Equality, Intervals, Table

RNG = np.random.default_rng(1)
POINTS = RNG.standard_normal((9, 2))
BLOCKS = (
    Equality(("x",), np.array([0, 1, -1, 2, 0]), RNG.integers(3, size=9), np.log(RNG.random(9))),
    Table(("x",), RNG.standard_normal((3, 4)), np.array([0, 1, -1, 2, 0]), RNG.integers(4, size=9)),
    Deviations(("x", "y"), RNG.standard_normal((5, 2)), POINTS),
    Intervals(("x", "y"), POINTS[:5] - RNG.random((5, 2)), POINTS[:5] + RNG.random((5, 2)), POINTS),
)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_a_block_for_some_records_says_of_them_what_it_said_before(block):
    some = np.array([3, 0, 2])
    index, rows = np.divmod(np.arange(27), 9)
    before = block.of_pairs(some[index], rows)
    assert block.taken(some).of_pairs(index, rows).tolist() == before.tolist()
    assert len(set(before)) > 1
