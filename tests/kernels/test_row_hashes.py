"""Hashes of rows: compiled code and numpy agree with the definition, in any blocks of rows."""

import numpy as np

from sdckit.kernels.row_hashes import MULTIPLIERS, add_hashes, add_number_hashes

SALTS = np.array([3, 2**63 + 5], dtype=np.uint64)
MISSING = np.uint64(77)


def by_definition(word: int, lane: int) -> int:
    """Two multiplications of 64 bits, with the upper half of the bits folded onto the lower one after each."""
    mixed = ((word ^ int(SALTS[lane])) * int(MULTIPLIERS[lane])) % 2**64
    mixed = ((mixed ^ (mixed >> 31)) * int(MULTIPLIERS[1])) % 2**64
    return mixed ^ (mixed >> 29)


def test_compiled_code_and_numpy_follow_the_definition():
    values = np.random.default_rng(1).integers(0, 2**64, 37, dtype=np.uint64)
    expected = [[(1 + by_definition(word, lane)) % 2**64 for word in values.tolist()] for lane in range(2)]
    for compiled in (False, True):
        found = np.ones((2, len(values)), dtype=np.uint64)
        add_hashes(values, SALTS, found, compiled=compiled)
        assert found.tolist() == expected


def test_numbers_are_hashed_by_their_bits_and_every_missing_one_alike():
    other_nan = np.array([0xFFF8000000000001], dtype=np.uint64).view(np.float64)[0]
    values = np.array([1.5, -1.5, 0.0, -0.0, np.inf, -np.inf, np.nan, other_nan, 5e-324, -5e-324, 1.7e308])
    words = values.view(np.uint64).copy()
    words[3], words[6:8] = 0, MISSING
    expected = np.zeros((2, len(values)), dtype=np.uint64)
    add_hashes(words, SALTS, expected, compiled=False)
    for compiled in (False, True):
        found = np.zeros_like(expected)
        add_number_hashes(values, MISSING, SALTS, found, compiled=compiled)
        assert (found == expected).all()
