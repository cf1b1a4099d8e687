"""Copied values: agreement with the definition, one row and one record at a time."""

import numpy as np
import pytest

from sdckit.kernels.copied_values import rows_with_copies


def by_definition(original, synthetic, copies):
    flags = []
    for row in synthetic:
        shared = np.zeros(len(original), dtype=int)
        for column, value in enumerate(row):
            holders = np.flatnonzero(original[:, column] == value)
            if len(holders) == 1:
                shared[holders[0]] += 1
        flags.append(bool((shared >= copies).any()))
    return flags


@pytest.mark.parametrize("copies", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_rows_carry_values_that_only_one_record_has(seed, copies):
    rng = np.random.default_rng(seed)
    original, synthetic = rng.integers(0, 20, (10, 4)).astype(float), rng.integers(-1, 22, (60, 4)).astype(float)
    synthetic[:10] = original
    synthetic[:10, 0] = rng.permutation(original[:, 0])
    expected = by_definition(original, synthetic, copies)
    assert rows_with_copies(original, synthetic, copies).tolist() == expected
    assert 0 < sum(expected) < 60


def test_fewer_columns_than_copies_cannot_be_copied():
    column = np.arange(4.0)[:, None]
    assert rows_with_copies(column, column).tolist() == [False] * 4
    assert rows_with_copies(column, column, 1).tolist() == [True] * 4


@pytest.mark.parametrize("seed", range(20))
def test_few_values_and_few_records_agree_with_the_definition(seed):
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(1, 5))
    original, synthetic = (rng.integers(0, 5, (size, columns)).astype(float) for size in rng.integers(1, 6, 2))
    for copies in (1, 2, 3, 4):
        assert rows_with_copies(original, synthetic, copies).tolist() == by_definition(original, synthetic, copies)
