"""Bands: intervals as people write them, and a number that represents each."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.bands import band_label, bands_at
from sdckit.date_units import age_at, first_birthday_of_age, unit_starts
from sdckit.errors import ParameterError


@pytest.mark.parametrize(
    ("low", "high", "whole", "text"),
    [
        (0, 15, True, "0–14"),
        (65, np.inf, True, "65+"),
        (14, 15, True, "14"),
        (-np.inf, 16, True, "under 16"),
        (-10, 0, True, "−10 to −1"),
        (10, 20, False, "10 to under 20"),
        (0.5, 1, True, "0.5 to under 1"),
        (20, np.inf, False, "20 and over"),
        (10_000, 25_000, False, "10,000 to under 25,000"),
    ],
)
def test_bands_are_written_as_people_write_them(low, high, whole, text):
    assert band_label(low, high, whole=whole) == text


@given(
    st.lists(st.integers(-50, 120), min_size=1, max_size=6, unique=True).map(sorted),
    st.lists(st.integers(-60, 130), min_size=1, max_size=20),
    st.booleans(),
)
def test_every_value_is_in_the_band_that_is_published(breaks, values, whole):
    bands = bands_at(breaks, whole=whole)
    for value, number in zip(values, bands.recoded(np.array(values, dtype=float)), strict=True):
        low, high = bands.covers(number)
        assert low <= value < high
        assert low <= number < high or np.isinf(low)
        assert bands.number_of[bands.text(number)] == number


def test_labels_of_ones_own_and_the_values_below_the_first_break():
    bands = bands_at((0, 15), whole=True, labels=("child", "adult"))
    assert bands.labels == ("under 0", "child", "adult")
    assert bands_at((15,), whole=True, labels=("child", "adult")).labels == ("child", "adult")
    with pytest.raises(ParameterError, match="3 labels for 1 breaks"):
        bands_at((15,), whole=True, labels=("a", "b", "c"))
    with pytest.raises(ParameterError, match="do not increase"):
        bands_at((15, 3), whole=True)


@given(st.dates(date(1900, 1, 1), date(2030, 1, 1)), st.integers(0, 110))
def test_the_days_of_birth_of_an_age_are_exactly_those_between_two_birthdays(day, age):
    first, after = first_birthday_of_age(age, day), first_birthday_of_age(age - 1, day)
    one = timedelta(days=1)
    assert age_at(first, day) == age and age_at(after - one, day) == age
    assert age_at(first - one, day) == age + 1


def test_units_begin_on_their_first_day():
    quarters = list(unit_starts("quarter", date(1999, 12, 31), date(2000, 4, 1)))
    assert quarters == [date(1999, 10, 1), date(2000, 1, 1), date(2000, 4, 1)]
    assert list(unit_starts("decade", date(1999, 12, 31), date(2000, 4, 1))) == [date(1990, 1, 1), date(2000, 1, 1)]
