import numpy as np
import pytest

from sdckit.kernels.columns import BLOCK, deviation_of, sum_of_distances


@pytest.mark.parametrize("count", [2, 7, BLOCK, 2 * BLOCK + 1])
def test_the_deviation_is_that_of_numpy_over_the_observed_values(count):
    column = np.random.default_rng(count).normal(1e6, 3, count)
    assert deviation_of(column) == pytest.approx(column.std(ddof=1), rel=1e-12)
    with_holes = np.insert(column, [0, count // 2], np.nan)
    assert deviation_of(with_holes) == pytest.approx(column.std(ddof=1), rel=1e-12)


@pytest.mark.parametrize("column", [[0.1] * 1001, [5.0], [np.nan, 0.7, 0.7, 0.7], [np.nan, np.nan], [], [0.0, 0.0]])
def test_what_does_not_vary_has_a_deviation_of_exactly_zero(column):
    assert deviation_of(np.array(column, dtype=float)) == 0


def test_a_column_that_varies_in_its_last_digits_has_a_deviation():
    column = np.full(1000, 1e6)
    column[3] = np.nextafter(1e6, 2e6)
    assert deviation_of(column) > 0


@pytest.mark.parametrize("count", [0, 1, BLOCK + 1])
def test_distances_are_added_up_over_all_blocks(count):
    rng = np.random.default_rng(count)
    one, other = rng.normal(size=count), rng.normal(size=count)
    assert sum_of_distances(one, other) == pytest.approx(np.abs(one - other).sum(), rel=1e-12)


def test_the_distance_to_a_missing_value_is_missing():
    assert np.isnan(sum_of_distances(np.array([1.0, np.nan]), np.array([2.0, 3.0])))
