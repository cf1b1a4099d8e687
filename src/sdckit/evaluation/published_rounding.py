"""Published rounding: figures to three significant digits, without crossing a limit."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context

DIGITS = 3  # enough to judge by, too few to compute an original value from


def rounded(value: float) -> float:
    """The figure to three significant digits.

    >>> rounded(0.123456), rounded(123456.0)
    (0.123, 123000.0)
    """
    return float(f"{value:.{DIGITS}g}")


def rounded_beyond(value: float, limit: float) -> float:
    """The figure to three significant digits, on the same side of the limit, so that no rule seems met that is not.

    >>> rounded_beyond(0.05001, 0.05), rounded_beyond(0.0513, 0.05), rounded_beyond(0.1999, 0.2)
    (0.0501, 0.0513, 0.199)
    """
    near = rounded(value)
    if (value > limit) == (near > limit) and (value < limit) == (near < limit):
        return near
    direction = ROUND_CEILING if value > limit else ROUND_FLOOR
    return float(Context(prec=DIGITS, rounding=direction).create_decimal_from_float(value))
