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
