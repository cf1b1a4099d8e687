"""The exponential function of many numbers at once, in plain arithmetic that the compiler vectorises.

A number is k · log 2 + r with |r| at most half of log 2, so that e^x is 2^k times a short series in r.
"""

from math import factorial

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.power import BIAS, FRACTION_BITS, SHIFT, SHIFT_BITS

F = tuple(1 / factorial(k) for k in range(14))  # e^r = Σ r^k / k!, |r| ≤ 0.347
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # a product with the first is exact
LEAST = -745.2  # below, e^x is 0


@njit(cache=True, nogil=True, error_model="numpy")
def raise_e(numbers: NDArray[np.float64], raised: NDArray[np.float64]) -> None:
    """Fill `raised` with e to the power of numbers that are not positive; use two arrays.

    The relative error is below 10^−15; a result below 10^−308 is subnormal and has fewer digits.
    """
    for i in range(len(numbers)):
        x = numbers[i]
        inside = x if x > LEAST else LEAST
        shifted = inside * LOG2_E + SHIFT
        k = shifted - SHIFT
        r = (inside - k * LN2_HIGH) - k * LN2_LOW
        r2 = r * r
        r4 = r2 * r2
        r8 = r4 * r4
        lower = ((F[0] + F[1] * r) + (F[2] + F[3] * r) * r2) + ((F[4] + F[5] * r) + (F[6] + F[7] * r) * r2) * r4
        upper = ((F[8] + F[9] * r) + (F[10] + F[11] * r) * r2) + (F[12] + F[13] * r) * r4
        series = lower + upper * r8

        whole = np.float64(shifted).view(np.int64) - SHIFT_BITS
        half = whole >> 1  # two steps: 2^whole itself may be too small to have all its digits
        first = np.int64((half + BIAS) << FRACTION_BITS).view(np.float64)
        second = np.int64((whole - half + BIAS) << FRACTION_BITS).view(np.float64)
        value = series * first * second
        raised[i] = value if x > LEAST else (0.0 if x <= LEAST else x)
