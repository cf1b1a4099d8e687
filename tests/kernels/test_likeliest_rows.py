"""The likeliest rows of each record are those that sorting the whole table of log-likelihoods gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.likeliest_rows import likeliest_rows
from sdckit.laws.blocks import Block, Deviations, Equality, Intervals, Table, evidence_of


def blocks(rng: np.random.Generator, records: int, rows: int) -> list[Block]:
    """A table, an equality, a deviation and an interval, each with values that are not known."""
    of_record, of_row = rng.normal(size=(records, 1)), rng.normal(size=(rows, 1))
    of_record[rng.random(records) < 0.2] = np.nan
    of_row[rng.random(rows) < 0.2] = np.nan
    entries = np.log(rng.random((3, 4)))
    entries[0, 0] = -np.inf
    unequal = np.where(rng.random(rows) < 0.3, -np.inf, -rng.random(rows))
    return [
        Table(("a",), entries, rng.integers(-1, 3, records), rng.integers(0, 4, rows)),
        Equality(("b",), rng.integers(-1, 3, records), rng.integers(-1, 3, rows), unequal),
        Deviations(("c",), of_record, of_row, hole=float(rng.choice([-np.inf, -3.0]))),
        Intervals(("d",), np.full((records, 1), -1.0), np.full((records, 1), 1.0), rng.normal(size=(rows, 1))),
    ]


def dense(given_blocks: list[Block], records: int, rows: int) -> np.ndarray:
    """The log-likelihood of every pair, block by block."""
    pairs = np.repeat(np.arange(records), rows), np.tile(np.arange(rows), records)
    return sum(block.of_pairs(*pairs) for block in given_blocks).reshape(records, rows)


@given(st.integers(1, 9), st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6))
def test_they_are_those_of_the_whole_table(records, rows, most, seed):
    law = blocks(np.random.default_rng(seed), records, rows)
    evidence = evidence_of(law, records, rows)
    found = likeliest_rows(evidence, np.zeros(records, int), np.array([0, rows]), np.arange(rows), most)
    for record, whole in enumerate(dense(law, records, rows)):
        order = np.lexsort((np.arange(rows), -whole))
        possible = order[~np.isneginf(whole[order])]
        listed = found.rows[record][found.rows[record] >= 0]
        assert sorted(listed) == sorted(possible[:most])
        assert found.log_likelihood[record][: len(listed)] == pytest.approx(whole[possible[:most]])
        rest = np.exp(whole[possible[most:]]).sum()
        assert np.exp(found.left_out[record]) == pytest.approx(rest)


def test_a_record_sees_the_rows_of_its_bucket_alone():
    law = blocks(np.random.default_rng(5), 3, 6)[:1]
    found = likeliest_rows(evidence_of(law, 3, 6), np.array([1, -1, 0]), np.array([0, 2, 6]), np.arange(6), 6)
    assert set(found.rows[0]) <= {2, 3, 4, 5, -1}
    assert (found.rows[1] == -1).all()
    assert set(found.rows[2]) <= {0, 1, -1}
