"""Covariances from columns have the bits of those from a matrix: a file must be masked with the same noise by both."""

import numpy as np
import pytest

from sdckit.kernels import column_covariances
from sdckit.kernels.column_covariances import ROWS_AT_ONCE, covariances_of_columns
from sdckit.kernels.moments import means_and_covariances


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 10])
@pytest.mark.parametrize("records", [1, 2, 50, ROWS_AT_ONCE, ROWS_AT_ONCE + 7])
@pytest.mark.parametrize("case", ["plain", "hole", "constant", "huge", "infinite"])
def test_they_have_the_bits_of_those_of_the_matrix(monkeypatch, columns, records, case):
    monkeypatch.setattr(column_covariances, "COMPILED", 0)
    values = np.random.default_rng([columns, records]).lognormal(size=(records, columns))
    if case == "hole":
        values[records // 2, 0] = np.nan
    elif case == "constant":
        values[:, -1] = 0.1
    elif case == "huge":
        values *= 1e150
    elif case == "infinite":
        values[-1, -1] = np.inf
    with np.errstate(invalid="ignore"):
        expected = means_and_covariances(values)[1]
        found = covariances_of_columns([np.ascontiguousarray(column) for column in values.T])
    assert np.array_equal(found, expected, equal_nan=True)
