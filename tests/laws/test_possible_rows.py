"""Where what is promised leaves a record no row, it has those that break the fewest promises."""

import numpy as np

from sdckit.laws.blocks import Equality, Table
from sdckit.laws.possible_rows import candidates_of
from sdckit.laws.release_law import ReleaseLaw, RowClasses

PROMISED = np.full(4, -np.inf)
ROWS = RowClasses(np.arange(4), np.ones(4, np.int64), np.arange(4))


def test_rows_that_break_fewer_promises_are_likelier():
    blocks = (
        Equality(("a",), np.array([0, 0]), np.array([0, 0, 1, 1]), PROMISED),
        Equality(("b",), np.array([0, 2]), np.array([0, 1, 0, 1]), PROMISED),
    )
    found = candidates_of(ReleaseLaw(2, ROWS, blocks, {}), 4)
    first, second = np.split(np.arange(len(found.classes)), found.starts[1:-1])
    assert found.classes[first].tolist() == [0]
    listed = dict(zip(found.classes[second].tolist(), found.log_likelihood[second].tolist(), strict=True))
    broken = {0: 1, 1: 1, 2: 2, 3: 2}
    assert set(listed) == set(broken)
    for one in broken:
        for other in broken:
            assert (listed[one] > listed[other]) == (broken[one] < broken[other])
    assert max(listed.values()) < 0


def test_a_table_that_leaves_no_row_leaves_what_the_others_say():
    """A promise that every row breaks is wrong: the record has the rows that it would have without it."""
    never = Table(("a",), np.array([[-np.inf]]), np.array([0, 0]), np.zeros(4, np.int64))
    likely = Table(("b",), np.log([[0.6, 0.4], [0.1, 0.9]]), np.array([0, 1]), np.array([0, 0, 1, 1]))
    with_it, without = (candidates_of(ReleaseLaw(2, ROWS, blocks, {}), 4) for blocks in ((never, likely), (likely,)))
    assert np.array_equal(with_it.classes, without.classes)
    gap = with_it.log_likelihood - without.log_likelihood
    assert np.allclose(gap, gap[0])
    assert np.isfinite(gap).all()
