"""Where what is promised leaves a record no row, it has those that break the fewest promises."""

import numpy as np

from sdckit.laws.blocks import Equality
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
