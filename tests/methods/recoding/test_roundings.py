import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import admitted, masked_matrix

from sdckit.methods.recoding.random_rounding import RandomRounding
from sdckit.methods.recoding.rounding import Rounding

columns = st.lists(st.floats(-50, 50), min_size=1, max_size=25).map(lambda xs: np.array(xs)[:, None])


def test_values_go_to_the_nearest_multiple_by_hand():
    values = np.array([[0.0], [2.4], [2.5], [-2.5], [7.4], [-8]])
    assert masked_matrix(Rounding(base=5), values)[:, 0].tolist() == [0, 0, 5, 0, 5, -10]


@given(columns, st.sampled_from([0.5, 3.0, 10.0]))
def test_rounding_twice_is_rounding_once(values, base):
    once = masked_matrix(Rounding(base=base), values)
    assert masked_matrix(Rounding(base=base), once) == pytest.approx(once)
    assert np.abs(once - values).max() <= base / 2 + 1e-9


@pytest.mark.parametrize("method", [Rounding, RandomRounding])
@given(columns, st.sampled_from([0.5, 3.0, 10.0]), st.integers(0, 9))
def test_the_true_record_is_never_excluded(method, values, base, seed):
    assert np.diag(admitted(method(base=base), values, complete=False, seed=seed)).all()


def test_random_rounding_has_no_bias():
    """3 goes to 0 or 10 with chances 0.7 and 0.3; the share of 10 among 20,000 has a deviation of 0.0032."""
    masked = masked_matrix(RandomRounding(base=10), np.full((20_000, 1), 3.0))
    assert set(np.unique(masked)) == {0.0, 10.0}
    assert (masked == 10).mean() == pytest.approx(0.3, abs=0.015)


def test_a_multiple_stays():
    values = np.array([[-20.0], [0], [30]])
    assert np.array_equal(masked_matrix(RandomRounding(base=10), values), values)
