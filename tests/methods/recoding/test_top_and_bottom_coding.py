import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import admitted, masked_matrix

from sdckit.methods.recoding.bottom_coding import BottomCoding
from sdckit.methods.recoding.top_coding import TopCoding

columns = st.lists(st.integers(-9, 9), min_size=1, max_size=25).map(lambda xs: np.array(xs, dtype=float)[:, None] / 2)
shares = st.sampled_from([0.0, 0.1, 0.5, 1.0])


def test_the_largest_fifth_is_coded_by_hand():
    values = np.array([[1.0], [9], [3], [5], [7]])
    assert masked_matrix(TopCoding(share=0.2), values)[:, 0].tolist() == [1, 7, 3, 5, 7]
    assert masked_matrix(TopCoding(share=0.6, tail_mean=True), values)[:, 0].tolist() == [1, 7, 3, 7, 7]
    two_of_them = masked_matrix(TopCoding(share=0.4, tail_mean=True), values)[:, 0]
    assert two_of_them.tolist() == [1, 5, 3, 5, 5], "a mean of two values would show each to the other"
    assert masked_matrix(TopCoding(share=0, limit=4), values)[:, 0].tolist() == [1, 4, 3, 4, 4]


def test_a_limit_and_a_share_together_take_the_lower_threshold():
    values = np.arange(10.0)[:, None]
    assert masked_matrix(TopCoding(share=0.5, limit=8), values).max() == 4
    assert masked_matrix(TopCoding(share=0.1, limit=3), values).max() == 3


@given(columns, shares, st.booleans())
def test_bottom_coding_is_top_coding_upside_down(values, share, tail_mean):
    upside_down = -masked_matrix(TopCoding(share=share, tail_mean=tail_mean), -values)
    assert np.array_equal(masked_matrix(BottomCoding(share=share, tail_mean=tail_mean), values), upside_down)


@pytest.mark.parametrize("method", [TopCoding, BottomCoding])
@given(columns, shares, st.booleans())
def test_the_true_record_is_never_excluded(method, values, share, tail_mean):
    rows = admitted(method(share=share, tail_mean=tail_mean), values, complete=False)
    assert np.diag(rows).all()


@given(columns, shares)
def test_the_total_is_kept_with_the_mean_of_the_tail(values, share):
    limit = masked_matrix(TopCoding(share=share), values)
    coded = np.count_nonzero(limit != values)
    expected = values.sum() if coded >= 3 else limit.sum()
    assert masked_matrix(TopCoding(share=share, tail_mean=True), values).sum() == pytest.approx(expected)


def test_values_above_the_limit_are_indistinguishable_and_those_below_are_not():
    values = np.arange(10.0)[:, None]
    rows = admitted(TopCoding(share=0.3), values, complete=False)
    assert rows.sum(axis=1).tolist() == [1, 1, 1, 1, 1, 1, 4, 4, 4, 4]
