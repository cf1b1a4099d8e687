import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sdckit.kernels.standardisation import mean_and_deviation, standardise, standardise_like

files = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.floats(-1e6, 1e6, width=32))


def test_three_values_by_hand():
    assert standardise(np.array([1.0, 2.0, 3.0])).tolist() == [-1.0, 0.0, 1.0]


@given(files)
def test_every_column_has_mean_zero_and_deviation_one_or_is_zero(values):
    scaled = standardise(values)
    for column, raw in zip(scaled.T, values.T, strict=True):
        if np.ptp(raw) == 0:
            assert not column.any()
        elif np.ptp(raw) > 1e-3 * np.abs(raw).max():
            assert abs(column.mean()) < 1e-9
            assert abs(column.std(ddof=1) - 1) < 1e-9


def test_a_constant_column_becomes_zeros_whatever_its_rounding():
    assert not standardise(np.full((7, 2), 0.1)).any()


def test_one_record_becomes_zeros():
    assert not standardise(np.array([[4.0, -2.0]])).any()


def test_missing_values_stay_and_count_for_nothing():
    values = np.array([1.0, np.nan, 2.0, 3.0])
    scaled = standardise(values)
    assert np.isnan(scaled[1])
    assert scaled[[0, 2, 3]].tolist() == [-1.0, 0.0, 1.0]


def test_a_column_with_nothing_observed_stays_missing():
    assert np.isnan(standardise(np.full((3, 1), np.nan))).all()


def test_a_constant_column_with_a_missing_value_is_zero_elsewhere():
    scaled = standardise(np.array([[5.0], [np.nan], [5.0]]))
    assert scaled[[0, 2], 0].tolist() == [0.0, 0.0]
    assert np.isnan(scaled[1, 0])


def test_the_scale_may_be_that_of_another_file():
    assert standardise_like(np.array([5.0]), np.array([1.0, 2.0, 3.0])).tolist() == [3.0]


def test_the_deviation_of_equal_values_beside_a_hole_is_exactly_zero():
    """Their mean may differ from them by rounding."""
    for count in range(1, 40):
        column = np.append(np.full(count, 0.1), np.nan)
        deviation = mean_and_deviation(np.column_stack([column, np.arange(count + 1.0)]))[1]
        assert deviation[0] == 0 and deviation[1] > 0


def test_a_column_without_values_has_mean_and_deviation_zero():
    mean, deviation = mean_and_deviation(np.array([[np.nan, 1.0], [np.nan, 3.0]]))
    assert mean.tolist() == [0, 2] and deviation.tolist() == pytest.approx([0, np.sqrt(2)])


def test_means_and_deviations_are_those_of_the_observed_values():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 3, (int(rng.integers(1, 6)), int(rng.integers(1, 4)))).astype(float)
        values[rng.random(values.shape) < (0.3 if seed % 2 else 0)] = np.nan
        mean, deviation = mean_and_deviation(values)
        for j, column in enumerate(values.T):
            seen = column[~np.isnan(column)]
            assert mean[j] == pytest.approx(seen.mean() if len(seen) else 0.0)
            assert deviation[j] == pytest.approx(seen.std(ddof=1) if len(seen) > 1 else 0.0)
        scaled = standardise_like(values, values[::-1])
        expected = (values - mean) / np.where(deviation > 0, deviation, 1.0)
        assert scaled == pytest.approx(
            np.where(deviation > 0, expected, np.where(np.isnan(values), np.nan, 0.0)), nan_ok=True
        )
    assert [each.tolist() for each in mean_and_deviation(np.empty((0, 2)))] == [[0, 0], [0, 0]]
