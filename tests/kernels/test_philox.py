"""Compiled words are those of numpy's generator of the same name, from any position and under any key."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.philox import COUNTS_AT_ONCE, LARGEST, WORDS_OF_A_COUNT, write_uniform

SEVERAL = 2 * COUNTS_AT_ONCE * WORDS_OF_A_COUNT + 5


def of_numpy(key: int, start: int, count: int) -> list[float]:
    """The middles of 2⁵² equal parts of the unit interval that the words name by their first bits."""
    source = np.random.Philox(key=key, counter=start // 4)
    words = source.random_raw(start % 4 + count)[start % 4 :].tolist() if start % 4 + count else []
    return [(2 * (word >> 12) + 1) / 2**53 for word in words]


def written(key: int, start: int, count: int, *, compiled: bool) -> list[float]:
    out = np.full(count, np.nan)
    write_uniform(key, start, out, compiled=compiled)
    return out.tolist()


@given(key=st.integers(0, 2**128 - 1), start=st.integers(0, 2**62), count=st.integers(0, 11))
def test_words_are_those_of_numpy(key, start, count):
    for compiled in (False, True):
        assert written(key, start, count, compiled=compiled) == of_numpy(key, start, count)


@pytest.mark.parametrize("start", [0, 1, 2, 3, 4, COUNTS_AT_ONCE * WORDS_OF_A_COUNT - 1, 10**15 + 3])
def test_many_words_are_those_of_numpy(start):
    key = 2**128 - 5
    assert written(key, start, SEVERAL, compiled=True) == of_numpy(key, start, SEVERAL)


@pytest.mark.parametrize("key", [0, 1, 2**64 - 1, 2**64, 2**127, 2**128 - 1])
def test_both_halves_of_the_key_count(key):
    assert written(key, 2, 9, compiled=True) == of_numpy(key, 2, 9)


@pytest.mark.parametrize("start", [LARGEST - 2, LARGEST, 2**66 - 3, 2**70])
def test_positions_beyond_one_word_of_the_counter_are_drawn_by_numpy(start):
    assert written(7, start, 6, compiled=True) == of_numpy(7, start, 6)
