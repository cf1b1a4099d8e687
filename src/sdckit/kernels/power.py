"""Powers of many ratios at once: r^p = 2^(p · log2 r), in plain arithmetic that the compiler vectorises.

A ratio is 2^e · f with f from √½ to √2, so log2 r is e plus a short series in (f − 1) / (f + 1). The integer
nearest to p · log2 r is the exponent of the result, and 2 to the remainder, at most ½, is another short series.
"""

from math import factorial, log

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

L = tuple(2 / log(2) / (2 * k + 1) for k in range(10))  # log2 f = Σ L_k s^(2k+1), s = (f − 1) / (f + 1), |s| < 0.172
E = tuple(log(2) ** k / factorial(k) for k in range(13))  # 2^x = Σ E_k x^k, |x| ≤ ½
FRACTION_BITS, BIAS = 52, 1023  # of a double
ROOT_HALF = int(np.float64(0.5**0.5).view(np.int64))
SMALLEST_NORMAL = 2.0**-1022
SHIFT = 1.5 * 2.0**52  # added to a number, it rounds the number to an integer and leaves that in the last bits
SHIFT_BITS = int(np.float64(SHIFT).view(np.int64))


@njit(cache=True, nogil=True, error_model="numpy")
def raise_ratios(ratios: NDArray[np.float64], power: float, raised: NDArray[np.float64]) -> None:
    """Fill `raised` with the ratios, each from 0 to 1, to a finite positive power.

    The relative error is below 2·10^−14 for powers up to 100 and grows with the power; a result below 10^−308 is
    subnormal and has fewer digits. Use two arrays: raising in place is correct but slow, one ratio at a time.
    """
    high = _number(_bits(power) & -4096)  # short enough that its product with an exponent is exact
    low = power - high
    for i in range(len(ratios)):
        ratio = ratios[i]
        tiny = ratio < SMALLEST_NORMAL
        bits = _bits(ratio * 2.0**54 if tiny else ratio)
        exponent = (bits - ROOT_HALF) >> FRACTION_BITS
        f = _number(bits - (exponent << FRACTION_BITS))
        e = float(exponent - 54 if tiny else exponent)

        s = (f - 1.0) / (f + 1.0)
        z = s * s
        z2 = z * z
        z4 = z2 * z2
        upper = ((L[4] + L[5] * z) + (L[6] + L[7] * z) * z2) + (L[8] + L[9] * z) * z4
        log2 = s * (((L[0] + L[1] * z) + (L[2] + L[3] * z) * z2) + upper * z4)

        exact = high * e
        rest = low * e + power * log2
        shifted = (exact + rest) + SHIFT
        x = (exact - (shifted - SHIFT)) + rest
        x2 = x * x
        x4 = x2 * x2
        upper = ((E[8] + E[9] * x) + (E[10] + E[11] * x) * x2) + E[12] * x4
        upper = ((E[4] + E[5] * x) + (E[6] + E[7] * x) * x2) + upper * x4
        exp2 = ((E[0] + E[1] * x) + (E[2] + E[3] * x) * x2) + upper * x4

        whole = _bits(shifted) - SHIFT_BITS
        half = whole >> 1  # two steps: 2^whole itself may be too small to have all its digits
        value = exp2 * _number((half + BIAS) << FRACTION_BITS) * _number((whole - half + BIAS) << FRACTION_BITS)
        value = value if exact + rest > -1080 else 0.0
        raised[i] = value if ratio > 0 else ratio


@njit(cache=True)
def _bits(number: float) -> np.int64:
    return np.float64(number).view(np.int64)


@njit(cache=True)
def _number(bits: np.int64) -> float:
    return np.int64(bits).view(np.float64)
