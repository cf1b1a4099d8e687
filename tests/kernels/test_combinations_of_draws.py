"""Combinations of draws are added term by term, to the same bits in compiled code and for any number of rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.combinations_of_draws import ROWS_AT_ONCE, add_combinations

finite = st.floats(-1e6, 1e6)


def term_by_term(weights: np.ndarray, draws: np.ndarray, values: np.ndarray) -> np.ndarray:
    out = values.copy()
    for record in range(len(values)):
        for column in range(values.shape[1]):
            total = 0.0
            for weight, drawn in zip(weights[column].tolist(), draws[record].tolist(), strict=True):
                total += weight * drawn
            out[record, column] += total
    return out


def bits(values: np.ndarray) -> list:
    return np.ascontiguousarray(values).view(np.uint64).tolist()


@given(
    arrays(float, (3, 3), elements=finite),
    arrays(float, (17, 3), elements=finite),
    arrays(float, (17, 3), elements=finite),
)
def test_compiled_sums_have_the_same_bits(weights, draws, values):
    expected = bits(term_by_term(weights, draws, values))
    for compiled in (False, True):
        assert bits(add_combinations(weights, draws, values, compiled=compiled)) == expected


@pytest.mark.parametrize("columns", [1, 2, 4, 5, 9])
@pytest.mark.parametrize("records", [0, 1, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, 2 * ROWS_AT_ONCE + 3])
def test_any_number_of_records_and_columns_has_the_same_bits(columns, records):
    rng = np.random.default_rng([columns, records])
    weights, draws = rng.normal(size=(columns, columns)), rng.normal(size=(records, columns))
    values = np.asfortranarray(rng.normal(size=(records, columns)))
    values[:1], draws[:1] = -0.0, -0.0
    values[1:2] = np.nan
    expected = bits(term_by_term(weights, draws, values))
    for compiled in (False, True):
        assert bits(add_combinations(weights, draws, values, compiled=compiled)) == expected
