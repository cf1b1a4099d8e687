"""Linear combinations of draws: compiled code and numpy give the same bits."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.combinations_of_draws import combined

finite = st.floats(-1e6, 1e6)


@given(arrays(float, (3, 3), elements=finite), arrays(float, (3, 17), elements=finite))
def test_compiled_sums_have_the_same_bits(weights, draws):
    plain, compiled = (combined(weights, draws, compiled=each) for each in (False, True))
    assert (plain.view(np.uint64) == compiled.view(np.uint64)).all()
