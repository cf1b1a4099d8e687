"""Sums in parts are numpy's own to the last bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.engines.pairwise_sum import halves, in_pieces, pairwise_sum


@settings(max_examples=30)
@given(st.integers(0, 5000), st.integers(1, 700), st.integers(0, 2**32 - 1))
def test_the_sum_is_that_of_the_whole_array(count: int, batch: int, seed: int) -> None:
    values = np.random.default_rng(seed).lognormal(0, 4, count)
    batches = [values[start : start + batch] for start in range(0, count, batch)]
    assert pairwise_sum(batches, count, piece=256) == values.sum()


def test_pieces_have_the_lengths_asked_for() -> None:
    values = np.arange(1000.0)
    lengths = [*halves(1000, 300)]
    pieces = [*in_pieces(np.array_split(values, 13), lengths)]
    assert [len(each) for each in pieces] == lengths
    assert np.array_equal(np.concatenate(pieces), values)
