"""Aggregated rank swapping: whole records of values move, no further than the window in one order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import admitted, correlated, masked_matrix, numeric

from sdckit import protect
from sdckit.edit_checks import broken_edits
from sdckit.edits import Edits
from sdckit.errors import SchemaError
from sdckit.fuzzy.operators import OrderedWeightedAverage, SugenoIntegral, WeightedMean
from sdckit.fuzzy.quantifiers import Linear
from sdckit.fuzzy.scaling import Scaling
from sdckit.methods.swapping.aggregated_rank_swapping import AggregatedRankSwapping

OPERATORS = [WeightedMean(), WeightedMean(1, 3), OrderedWeightedAverage(Linear(0.3, 0.8)), SugenoIntegral(1)]


def test_the_records_of_values_are_the_same_ones_in_other_rows():
    values = correlated(50, 3, seed=1)
    masked = masked_matrix(AggregatedRankSwapping(window=0.2), values)
    assert sorted(map(tuple, masked.tolist())) == sorted(map(tuple, values.tolist()))
    assert (masked != values).any(axis=1).mean() > 0.8


@pytest.mark.parametrize("operator", OPERATORS, ids=str)
@pytest.mark.parametrize("scaling", list(Scaling))
def test_no_record_moves_beyond_the_window(operator, scaling):
    values = correlated(60, 2, seed=2)
    masking = AggregatedRankSwapping(window=0.1, operator=operator, scaling=scaling)
    axis = masking.project(values, values)
    order = np.lexsort((*values.T[::-1], axis))
    rank = {tuple(values[record]): position for position, record in enumerate(order)}
    masked = masked_matrix(masking, values)
    moved = [abs(rank[tuple(after)] - rank[tuple(before)]) for before, after in zip(values, masked, strict=True)]
    assert 0 < max(moved) <= 6


def test_one_attribute_is_rank_swapped():
    values = correlated(40, 1, seed=3)
    masked = masked_matrix(AggregatedRankSwapping(window=0.1), values)
    ranks = np.argsort(np.argsort(values[:, 0])), np.argsort(np.argsort(masked[:, 0]))
    assert np.abs(ranks[0] - ranks[1]).max() <= 4


@given(st.integers(2, 25), st.integers(1, 3), st.integers(0, 1000), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_the_true_row_is_never_excluded(records, attributes, seed, window):
    values = np.random.default_rng(seed).integers(0, 4, (records, attributes)).astype(float)
    for complete in (True, False):
        assert np.diag(admitted(AggregatedRankSwapping(window=window), values, complete=complete)).all()


def test_a_narrow_window_leaves_few_rows():
    values = correlated(200, 2, seed=4)
    rows = admitted(AggregatedRankSwapping(window=0.02), values, complete=False)
    assert np.diag(rows).all() and rows.sum(axis=1).mean() < 0.1 * 200


def test_edits_among_the_attributes_hold_in_the_masked_file():
    values = correlated(40, 2, seed=5)
    data = numeric(np.column_stack([values, values.sum(axis=1)]), edits=Edits.from_text("c == a + b"))
    assert broken_edits(protect(data, AggregatedRankSwapping(window=0.3), seed=1).masked) == ()


def test_a_window_below_one_record_is_noted():
    release = protect(numeric(correlated(10, 2, seed=6)), AggregatedRankSwapping(window=0.01), seed=1)
    assert release.notes() == ["a window of 0.01 is less than one of the 10 records: nothing was swapped"]


def test_records_are_swapped_among_those_with_the_same_holes():
    values = correlated(40, 2, seed=8)
    values[:8, 0] = np.nan
    values[39, 1] = np.nan
    release = protect(numeric(values), AggregatedRankSwapping(window=0.5), seed=1)
    masked = release.masked.matrix(("a", "b"))
    np.testing.assert_array_equal(np.isnan(masked), np.isnan(values))
    np.testing.assert_array_equal(np.sort(masked[:8, 1]), np.sort(values[:8, 1]))
    assert (masked[:8, 1] != values[:8, 1]).any() and masked[39, 0] == values[39, 0]
    assert release.notes() == ["1 records were not swapped: no other has missing values in the same attributes"]


def test_weights_that_do_not_fit_are_refused():
    with pytest.raises(SchemaError, match="2 weights do not fit a block of 3"):
        masked_matrix(AggregatedRankSwapping(operator=WeightedMean(1, 2)), correlated(10, 3, seed=7))


def test_the_law_prefers_rows_within_the_window_to_all_others():
    values = correlated(200, 2, seed=9)
    masking = AggregatedRankSwapping(window=0.1)
    data = numeric(values)
    released = protect(data, masking, seed=1).masked
    rows = released.matrix(("a", "b"))
    law = masking.law(released)
    likelihood = np.exp(law.log_likelihood(values, rows))
    rank = np.argsort(np.argsort(masking.project(values, values), kind="stable"))
    of_row = np.argsort(np.argsort(masking.project(rows, rows), kind="stable"))
    gap = np.abs(rank[:, None] - of_row[None, :])
    assert likelihood[gap <= 18].mean() > 20 * likelihood[gap > 24].mean()
    own = likelihood[np.arange(200), np.arange(200)] / likelihood.sum(axis=1)
    assert own.mean() > 3 / 200
    holes = values[:3].copy()
    holes[0, 0] = np.nan
    assert (law.log_likelihood(holes, rows)[0] == 0).all()
