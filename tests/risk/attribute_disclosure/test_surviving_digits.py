"""Surviving digits: what the last digits of masked values show."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Microdata, Release, protect
from sdckit.catalogue import build, entries
from sdckit.errors import SdcError
from sdckit.evaluation.release_warnings import digit_warnings
from sdckit.kernels.last_digits import last_digits, observed_decimals

RNG = np.random.default_rng(9)
RECORDS = 300
PRICES = {"price": RNG.lognormal(5, 1, RECORDS).round(2), "rent": RNG.lognormal(6, 1, RECORDS).round(2)}
DIGITS = build("risk", "surviving-digits")


def moved(change: dict[str, np.ndarray], **options: object) -> float:
    """The figure for prices that were changed elsewhere."""
    release = Release.in_order(
        pl.DataFrame(PRICES), pl.DataFrame({name: PRICES[name] + change[name] for name in PRICES})
    )
    return build("risk", "surviving-digits", **options).measure(release).value


def test_noise_in_whole_units_leaves_the_cents() -> None:
    whole = {name: RNG.integers(-50, 50, RECORDS).astype(float) for name in PRICES}
    assert moved(whole) > 0.9  # 300 rows share 10,000 pairs of cents
    finer = {name: RNG.normal(0, 30, RECORDS).round(2) for name in PRICES}
    assert moved(finer) < 0.05


def test_a_small_file_by_hand() -> None:
    quarters = np.arange(40) % 4 / 4
    original = pl.DataFrame({"x": [10.10, *(np.arange(40) + quarters)]})
    masked = pl.DataFrame({"x": [17.10, *(2 * np.arange(40) + 3 + quarters)]})
    score = DIGITS.measure(Release.in_order(original, masked))
    assert score.by_record is not None
    assert score.by_record.tolist() == [1.0] + [1 / 10] * 40
    assert score.value == pytest.approx((1 + 4) / 41)
    assert score.by_attribute == {"x": 1.0} and score.baseline == 1 / 41


def test_an_untouched_file_shows_every_record_and_a_scrambled_one_none() -> None:
    frame = pl.DataFrame(PRICES)
    assert DIGITS.measure(Release.in_order(frame, frame)).value > 0.9
    scrambled = pl.DataFrame({name: RNG.permutation(column) for name, column in PRICES.items()})
    assert DIGITS.measure(Release.in_order(frame, scrambled)).value < 0.05


def test_values_that_were_not_changed_can_be_left_out() -> None:
    some = {name: np.where(RNG.random(RECORDS) < 0.5, 0.0, RNG.normal(0, 30, RECORDS).round(2)) for name in PRICES}
    assert moved(some) > 0.2
    assert moved(some, changed_only=True) < 0.05


@pytest.mark.slow  # every masking
def test_no_method_leaves_the_digits_of_the_values_that_it_changes() -> None:
    data = Microdata.from_frame(pl.DataFrame(PRICES))
    tried = []
    for entry in entries("masking", Microdata):
        try:
            release = protect(data, entry.name, ["price", "rent"], seed=2**127 + 5)
        except SdcError:
            continue
        tried.append(entry.name)
        assert digit_warnings(release) == [], entry.name
    assert len(tried) > 15
    whole = pl.DataFrame({name: column + RNG.integers(1, 9, RECORDS) for name, column in PRICES.items()})
    assert "surviving-digits" in digit_warnings(Release.in_order(pl.DataFrame(PRICES), whole))[0]


@given(st.integers(-(10**6), 10**6), st.integers(0, 4))
def test_digits_are_those_of_the_decimal_text(units: int, decimals: int) -> None:
    text = f"{abs(units):012d}"[-max(decimals, 2) :]
    value = np.array([units / 10**decimals])
    assert last_digits(value, decimals).tolist() == [int(text)]
    assert observed_decimals(value) <= decimals
    assert last_digits(value + 10.0**-decimals / 3, decimals).tolist() == [-1]
    assert last_digits(np.array([np.nan]), decimals).tolist() == [-1]
