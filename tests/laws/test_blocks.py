"""A block says the same of a record whether or not it has the other records too."""

import numpy as np
import pytest

from sdckit.laws.blocks import Deviations, Equality, Intervals, Table, evidence_of
from tests.laws.views import of_all_pairs

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


def test_an_equality_by_hand():
    unequal = np.array([-1.0, -2.0, -np.inf])
    block = Equality(("x",), np.array([0, 1, -1]), np.array([0, 1, -1]), unequal)
    assert of_all_pairs(block, 3, 3).tolist() == [[0, -2, -np.inf], [-1, 0, -np.inf], [0, 0, 0]]
    assert not block.promised and not block.lift
    assert Equality(("x",), np.array([0]), np.array([0, 1]), np.full(2, -np.inf)).promised


def test_a_table_by_hand():
    block = Table(("x",), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([1, -1, 0]), np.array([2, 0, 0]))
    assert of_all_pairs(block, 3, 3).tolist() == [[6, 4, 4], [0, 0, 0], [3, 1, 1]]
    assert of_all_pairs(Table(("x",), np.empty((0, 2)), np.array([-1, -1]), np.array([0, 1])), 2, 2).tolist() == [
        [0, 0],
        [0, 0],
    ]


def test_deviations_by_hand():
    nan = np.nan
    block = Deviations(
        ("x", "y"), np.array([[1.0, 2.0], [nan, 0.0], [nan, nan]]), np.array([[3.0, 2.0], [1.0, nan]]), -7
    )
    assert of_all_pairs(block, 3, 2).tolist() == [[-2, -7], [-2, -7], [0, 0]]
    assert block.constant == 0 and Deviations(("x",), np.zeros((1, 1)), np.full((1, 1), nan)).hole == -np.inf


def test_intervals_by_hand():
    block = Intervals(
        ("x", "y"), np.array([[0.0, 0.0]]), np.array([[1.0, 2.0]]), np.array([[0, 2], [1, 0], [1.1, 1], [0, -1]])
    )
    assert of_all_pairs(block, 1, 4).tolist() == [[0, 0, -np.inf, -np.inf]]


def test_blocks_of_all_sorts_are_handed_over_side_by_side():
    tables = [
        Table(("x",), RNG.random(shape), RNG.integers(shape[0], size=2), RNG.integers(shape[1], size=4))
        for shape in ((2, 3), (1, 5))
    ]
    equality = Equality(("x",), np.array([0, 1]), np.array([1, 1, 0, 2]), np.arange(4.0))
    deviations = Deviations(("x", "y"), np.arange(4.0).reshape(2, 2), np.arange(8.0).reshape(4, 2), hole=-3.0)
    intervals = Intervals(("z",), np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]]), np.arange(4.0)[:, None])
    found = evidence_of([deviations, tables[0], intervals, equality, tables[1]], 2, 4)
    assert found.entries.tolist() == [*tables[0].entries.ravel(), *tables[1].entries.ravel()]
    assert (found.starts.tolist(), found.widths.tolist()) == ([0, 6], [3, 5])
    records, rows = found.queries, found.items
    assert [each.tolist() for each in (records[0], rows[0])] == [
        [each.of_record.tolist() for each in tables],
        [each.of_row.tolist() for each in tables],
    ]
    assert [records[1].tolist(), rows[1].tolist()] == [[[0, 1]], [[1, 1, 0, 2]]]
    assert [records[2].tolist(), rows[2].tolist()] == [[[0, 0]], [[0, 1, 2, 3]]]
    assert [records[3].tolist(), rows[3].tolist()] == [[[0, 2], [1, 3]], [[0, 2, 4, 6], [1, 3, 5, 7]]]
    assert [records[4].tolist(), rows[4].tolist()] == [[0, 0], [-3, -3]]
    assert [records[5].tolist(), records[6].tolist()] == [[[1, 2]], [[3, 4]]]
    assert rows[5].tolist() == rows[6].tolist() == [[0, 1, 2, 3]]
    nothing = evidence_of([], 2, 4)
    assert nothing.queries[0].shape == (0, 2) and nothing.items[3].shape == (0, 4) and not len(nothing.starts)
