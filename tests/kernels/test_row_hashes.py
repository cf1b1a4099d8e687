"""Hashes of rows: compiled code and numpy agree, in any blocks of rows."""

import numpy as np

from sdckit.kernels.row_hashes import BLOCK, COMPILED, add_hashes


def test_many_rows_have_the_hashes_that_they_have_in_parts():
    """The key of the draws is derived from these, so a file in parts must have the hashes of the whole."""
    values = np.random.default_rng(1).integers(0, 2**64, COMPILED + 7, dtype=np.uint64)
    salts = np.array([3, 2**63 + 5], dtype=np.uint64)
    whole, parts = (np.ones((len(values), 2), dtype=np.uint64) for _ in range(2))
    add_hashes(values, salts, whole)
    for start in range(0, len(values), 3 * BLOCK + 1):
        rows = slice(start, start + 3 * BLOCK + 1)
        add_hashes(values[rows], salts, parts[rows])
    assert (whole == parts).all()
