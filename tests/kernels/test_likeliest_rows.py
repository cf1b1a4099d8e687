"""The likeliest rows of each record are those that sorting the whole table of log-likelihoods gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.kernels.likeliest_rows import Evidence, likeliest_rows

EVERYWHERE = np.array([0])


def evidence(rng: np.random.Generator, records: int, rows: int) -> Evidence:
    """A table, an equality, a deviation and an interval, each with values that are not known."""
    point_of_record, point_of_row = rng.normal(size=(1, records)), rng.normal(size=(1, rows))
    point_of_record[:, rng.random(records) < 0.2] = np.nan
    point_of_row[:, rng.random(rows) < 0.2] = np.nan
    entries = np.log(rng.random((3, 4)))
    entries[0, 0] = -np.inf
    return Evidence(
        entries.ravel(),
        np.array([0]),
        np.array([4]),
        rng.integers(-1, 3, (1, records)).astype(np.int32),
        rng.integers(0, 4, (1, rows)).astype(np.int32),
        rng.integers(-1, 3, (1, records)).astype(np.int32),
        rng.integers(-1, 3, (1, rows)).astype(np.int32),
        np.where(rng.random((1, rows)) < 0.3, -np.inf, -rng.random((1, rows))),
        point_of_record,
        point_of_row,
        np.array([rng.choice([-np.inf, -3.0])]),
        np.full((1, records), -1.0),
        np.full((1, records), 1.0),
        rng.normal(size=(1, rows)),
    )


def dense(given: Evidence) -> np.ndarray:
    """The log-likelihood of every pair, by NumPy."""
    records, rows = given.point_of_record.shape[1], given.point_of_row.shape[1]
    table = given.entries.reshape(3, 4)
    lines = given.table_of_record[0]
    total = np.where(lines[:, None] < 0, 0.0, table[lines][:, given.table_of_row[0]])
    code = given.code_of_record[0]
    differs = (code[:, None] >= 0) & (code[:, None] != given.code_of_row[0])
    total = total + np.where(differs, given.unequal[0], 0.0)
    gap = given.point_of_record[0][:, None] - given.point_of_row[0]
    hole = np.isnan(given.point_of_row[0]) & ~np.isnan(given.point_of_record[0])[:, None]
    total = total + np.where(hole, given.hole[0], -0.5 * np.nan_to_num(gap) ** 2)
    inside = (given.value_of_row >= given.lower.T) & (given.value_of_row <= given.upper.T)
    assert total.shape == (records, rows)
    return np.where(inside, total, -np.inf)


@settings(max_examples=40)
@given(st.integers(1, 9), st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6))
def test_they_are_those_of_the_whole_table(records, rows, most, seed):
    given_evidence = evidence(np.random.default_rng(seed), records, rows)
    found = likeliest_rows(given_evidence, np.zeros(records, int), np.array([0, rows]), np.arange(rows), most)
    for record, whole in enumerate(dense(given_evidence)):
        order = np.lexsort((np.arange(rows), -whole))
        possible = order[~np.isneginf(whole[order])]
        listed = found.rows[record][found.rows[record] >= 0]
        assert sorted(listed) == sorted(possible[:most])
        assert found.log_likelihood[record][: len(listed)] == pytest.approx(whole[possible[:most]])
        rest = np.exp(whole[possible[most:]]).sum()
        assert np.exp(found.left_out[record]) == pytest.approx(rest)


def test_a_record_sees_the_rows_of_its_bucket_alone():
    given_evidence = evidence(np.random.default_rng(5), 3, 6)
    free = given_evidence._replace(lower=np.full((1, 3), -9.0), upper=np.full((1, 3), 9.0))
    found = likeliest_rows(free, np.array([1, -1, 0]), np.array([0, 2, 6]), np.arange(6), 6)
    assert set(found.rows[0]) <= {2, 3, 4, 5, -1}
    assert (found.rows[1] == -1).all()
    assert set(found.rows[2]) <= {0, 1, -1}
