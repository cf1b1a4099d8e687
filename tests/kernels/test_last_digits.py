"""Last digits are those of the written number."""

import numpy as np
import pytest

from sdckit.kernels.last_digits import last_digits, observed_decimals


def written(value: float) -> str:
    """The shortest text of a number, without trailing zeros."""
    return f"{value:.10f}".rstrip("0").rstrip(".")


@pytest.mark.parametrize("seed", range(30))
def test_digits_are_those_of_the_text(seed):
    rng = np.random.default_rng(seed)
    finest = int(rng.integers(0, 6))
    values = np.round(rng.normal(size=6) * 10.0 ** rng.integers(-2, 4, 6), finest)
    texts = [written(value) for value in values]
    decimals = max(len(text.partition(".")[2]) for text in texts)
    assert observed_decimals(np.append(values, np.nan)) == decimals
    for asked in range(6):
        expected = []
        for text in texts:
            whole, _, fraction = text.removeprefix("-").partition(".")
            digits = (whole + fraction.ljust(asked, "0"))[-max(asked, 2) :]
            expected.append(-1 if len(fraction) > asked else int(digits))
        assert last_digits(np.append(values, np.nan), asked).tolist() == [*expected, -1]


@pytest.mark.parametrize(
    ("values", "decimals"),
    [([], 0), ([np.nan], 0), ([0.0], 0), ([0.1], 1), ([0.12345], 5), ([0.123456], 6), ([0.1234567], 6), ([1 / 3], 6)],
)
def test_decimals_are_counted_up_to_six(values, decimals):
    assert observed_decimals(np.array(values)) == decimals


def test_at_the_finest_precision_longer_numbers_are_rounded():
    assert last_digits(np.array([0.1234567, -1.0, np.nan]), 6).tolist() == [123457, 0, -1]


def test_a_sum_of_decimals_is_on_the_grid_up_to_rounding():
    assert observed_decimals(np.array([0.1 + 0.2, 1e9 + 0.1])) == 1
    assert last_digits(np.array([1.000002, 1.0000005]), 0).tolist() == [-1, 1]


def test_a_number_too_large_for_digits_has_zeros():
    assert last_digits(np.array([1e30, -np.inf, np.inf]), 0).tolist() == [0, 0, 0]
