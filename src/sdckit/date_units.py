"""Units of dates: month, quarter, year and the like, and the age at a day, with the days that belong to each."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from sdckit.errors import ParameterError, SchemaError, near_miss

UNITS: dict[str, Callable[[date], str]] = {
    "day": lambda day: day.isoformat(),
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "half-year": lambda day: f"{day.year:04d}-H{(day.month + 5) // 6}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
    "century": lambda day: f"{day.year // 100 * 100:04d}–{day.year // 100 * 100 + 99:04d}",
}
MONTHS = {"month": 1, "quarter": 3, "half-year": 6, "year": 12, "decade": 120, "century": 1200}
AGE = "age"


def day_from_text(text: str, where: str) -> date:
    """The day that a text such as 2026-01-01 names."""
    try:
        return date.fromisoformat(str(text).strip()[:10])
    except ValueError:
        raise ParameterError(f"{where} = {text!r} is not a day; write it as 2026-01-01") from None


def age_at(birth: date, day: date) -> int:
    """The completed years of a person on a day; who was born on 29 February is a year older on 1 March.

    >>> age_at(date(1980, 5, 17), date(2026, 5, 16)), age_at(date(1980, 5, 17), date(2026, 5, 17))
    (45, 46)
    """
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def unit_starts(unit: str, first: date, last: date) -> Iterator[date]:
    """The first day of each unit from the one that contains a day to the one that contains another."""
    if unit == "day":
        for number in range((last - first).days + 1):
            yield first + timedelta(days=number)
        return
    months = MONTHS[check_unit(unit)]
    position = (first.year * 12 + first.month - 1) // months * months
    while True:
        year, month = divmod(position, 12)
        start = date(max(year, 1), month + 1, 1)
        if start > last:
            return
        yield start
        position += months


def first_birthday_of_age(age: int, day: date) -> date:
    """The earliest day of birth of the people who have that age on a day."""
    year = day.year - age - 1
    try:
        return date(year, day.month, day.day) + timedelta(days=1)
    except ValueError:  # 29 February in a year that has none
        return date(year, 3, 1)


def check_unit(unit: str) -> str:
    """The unit, or an error with the nearest one."""
    if unit not in UNITS:
        raise SchemaError(f"there is no unit of dates {unit!r}{near_miss(str(unit), [*UNITS, AGE])}")
    return unit
