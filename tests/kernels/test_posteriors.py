"""Posteriors in blocks against the definition, computed densely."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.posteriors import Evidence, Tables, add_tables, summarise


def dense_summary(likelihood, multiplicity):
    """The definition: every row repeated, weights normalised, and counted."""
    whole = np.repeat(likelihood, multiplicity, axis=1)
    top = whole.max(axis=1, keepdims=True)
    weight = np.where(np.isneginf(top), 1.0, np.exp(whole - np.where(np.isneginf(top), 0.0, top)))
    shares = weight / weight.sum(axis=1, keepdims=True)
    ties = (shares >= shares.max(axis=1, keepdims=True) * (1 - 1e-9)).sum(axis=1)
    entropy = -np.where(shares > 0, shares * np.log(np.where(shares > 0, shares, 1)), 0).sum(axis=1)
    return ties, entropy


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 9))
def test_the_summary_is_that_of_the_whole_posterior(seed, records, rows):
    rng = np.random.default_rng(seed)
    likelihood = rng.choice([-np.inf, -1.0, -0.5, 0.0], (records, rows))
    multiplicity = rng.integers(1, 4, rows)
    ties, entropy = dense_summary(likelihood, multiplicity)
    found = summarise(likelihood, multiplicity)
    assert found.ties.tolist() == ties.tolist()
    assert found.entropy == pytest.approx(entropy, abs=1e-12)
    possible = np.isfinite(found.largest)
    total = (np.exp(likelihood) * multiplicity).sum(axis=1)
    assert np.exp(found.log_sum[possible]) == pytest.approx(total[possible])


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 9))
def test_the_evidence_does_not_depend_on_how_the_records_come_in_blocks(seed, records, rows):
    rng = np.random.default_rng(seed)
    likelihood = rng.standard_normal((records, rows)) * 20
    likelihood[rng.random(likelihood.shape) < 0.2] = -np.inf
    multiplicity = rng.integers(1, 4, records)
    blocks = Evidence(rows)
    for cut in np.array_split(np.arange(records), min(3, records)):
        blocks.add(likelihood[cut], multiplicity[cut])
    with np.errstate(divide="ignore"):
        expected = np.logaddexp.reduce(likelihood + np.log(multiplicity)[:, None], axis=0)
    assert blocks.log_sum() == pytest.approx(expected)


def test_table_entries_are_added_record_by_record_and_row_by_row():
    sexes, regions = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[10.0, 20.0, 30.0]])
    parts = [(sexes, np.array([0, 1, 1]), np.array([1, 0])), (regions, np.array([0, 0, 0]), np.array([2, 1]))]
    block = np.full((2, 2), 0.5)
    add_tables(block, 1, Tables.of(parts, 3, 2))  # the records 1 and 2
    assert block.tolist() == [[4 + 30 + 0.5, 3 + 20 + 0.5]] * 2


def test_rows_tie_within_a_billionth_and_far_ones_add_nothing():
    likelihood = np.array([[0.0, -0.9e-9, -1.2e-9, -49.0, -51.0]])
    found = summarise(likelihood, np.array([1, 2, 4, 8, 16]))
    assert found.ties.tolist() == [3] and found.largest.tolist() == [0]
    assert found.log_sum[0] == np.log(7 - 1.8e-9 - 4.8e-9 + 8 * np.exp(-49.0))


def test_a_summary_of_some_records_and_no_tables_at_all():
    found = summarise(np.array([[0.0, -1.0], [-2.0, -np.inf], [-np.inf, -np.inf]]), np.array([1, 2]))
    assert found.largest.tolist() == [0, -2, -np.inf] and found.ties.tolist() == [1, 1, 3]
    assert found.log_sum.tolist() == pytest.approx([np.log(1 + 2 / np.e), -2, np.log(3)])
    assert found.entropy[1:].tolist() == pytest.approx([0, np.log(3)])
    some = found.take(np.array([2, 0]))
    assert some.ties.tolist() == [3, 1] and some.largest.tolist() == [-np.inf, 0]
    assert some.log_sum.tolist() == found.log_sum[[2, 0]].tolist()
    assert some.entropy.tolist() == found.entropy[[2, 0]].tolist()
    block = np.ones((2, 3))
    add_tables(block, 0, Tables.of([], 2, 3))
    assert (block == 1).all()


def test_tables_of_different_widths_are_added_for_all_records():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        records, rows = int(rng.integers(1, 5)), int(rng.integers(1, 5))
        parts = []
        for _ in range(int(rng.integers(1, 4))):
            table = rng.integers(0, 9, (int(rng.integers(1, 4)), int(rng.integers(1, 4)))).astype(float)
            parts.append((table, rng.integers(0, len(table), records), rng.integers(0, table.shape[1], rows)))
        first = int(rng.integers(0, records))
        block = np.zeros((records - first, rows))
        add_tables(block, first, Tables.of(parts, records, rows))
        expected = sum(table[of_record[first:]][:, of_row] for table, of_record, of_row in parts)
        assert block.tolist() == expected.tolist()
