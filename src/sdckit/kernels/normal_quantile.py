"""The quantile function of the standard normal distribution: algorithm AS 241 (Wichura 1988), to full precision."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Floats = NDArray[np.float64]
Eight = tuple[float, float, float, float, float, float, float, float]

CENTRE = 0.425  # up to this distance from one half, the function is a ratio of polynomials in the squared distance
NEAR_TAIL = 5.0  # up to this value of √(−ln p), the first of two ratios serves the tails
SURELY_NEAR = 24.9  # a little less than the square of that: up to this, no root need be compared
BLOCK = 1 << 15  # numbers at a time: they stay in the processor's cache
IN_NEAREST_CACHE = 1 << 10  # numbers of a block that are read twice in a row

# Numerator and denominator of each ratio, the highest power first.
CENTRAL = (
    (
        2.5090809287301226727e3,
        3.3430575583588128105e4,
        6.7265770927008700853e4,
        4.5921953931549871457e4,
        1.3731693765509461125e4,
        1.9715909503065514427e3,
        1.3314166789178437745e2,
        3.3871328727963666080e0,
    ),
    (
        5.2264952788528545610e3,
        2.8729085735721942674e4,
        3.9307895800092710610e4,
        2.1213794301586595867e4,
        5.3941960214247511077e3,
        6.8718700749205790830e2,
        4.2313330701600911252e1,
        1.0,
    ),
)
NEAR = (
    (
        7.74545014278341407640e-4,
        2.27238449892691845833e-2,
        2.41780725177450611770e-1,
        1.27045825245236838258e0,
        3.64784832476320460504e0,
        5.76949722146069140550e0,
        4.63033784615654529590e0,
        1.42343711074968357734e0,
    ),
    (
        1.05075007164441684324e-9,
        5.47593808499534494600e-4,
        1.51986665636164571966e-2,
        1.48103976427480074590e-1,
        6.89767334985100004550e-1,
        1.67638483018380384940e0,
        2.05319162663775882187e0,
        1.0,
    ),
)
FAR = (
    (
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        1.24266094738807843860e-3,
        2.65321895265761230930e-2,
        2.96560571828504891230e-1,
        1.78482653991729133580e0,
        5.46378491116411436990e0,
        6.65790464350110377720e0,
    ),
    (
        2.04426310338993978564e-15,
        1.42151175831644588870e-7,
        1.84631831751005468180e-5,
        7.86869131145613259100e-4,
        1.48753612908506148525e-2,
        1.36929880922735805310e-1,
        5.99832206555887937690e-1,
        1.0,
    ),
)


def normal_quantile(probability: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Write the quantile of each probability, in the open interval from 0 to 1, into `out`, which may be the input.

    >>> values = np.array([0.5, 0.975])
    >>> normal_quantile(values, values)
    >>> values.round(6).tolist()
    [0.0, 1.959964]
    """
    distance = probability - 0.5
    tail = np.flatnonzero(np.abs(distance) > CENTRE)
    extreme = np.minimum(probability[tail], 1.0 - probability[tail])
    sign = np.sign(distance[tail])
    np.multiply(distance, _ratio(CENTRAL, CENTRE * CENTRE - distance * distance), out=out)
    root = np.sqrt(-np.log(extreme))
    near = root <= NEAR_TAIL
    values = np.empty_like(root)
    values[near] = _ratio(NEAR, root[near] - 1.6)
    values[~near] = _ratio(FAR, root[~near] - NEAR_TAIL)
    out[tail] = sign * values


def _ratio(
    polynomials: tuple[tuple[float, ...], tuple[float, ...]], argument: NDArray[np.float64]
) -> NDArray[np.float64]:
    numerator, denominator = (np.full_like(argument, each[0]) for each in polynomials)
    for above, below in zip(polynomials[0][1:], polynomials[1][1:], strict=True):
        numerator *= argument
        numerator += above
        denominator *= argument
        denominator += below
    numerator /= denominator
    return numerator


def replace_by_quantiles(values: NDArray[np.float64], *, compiled: bool) -> None:
    """Replace probabilities by their quantiles, block by block; compiled code gives the same bits.

    >>> both = np.array([[1e-12, 0.01, 0.4], [1e-12, 0.01, 0.4]])
    >>> for row, compiled in zip(both, (False, True), strict=True):
    ...     replace_by_quantiles(row, compiled=compiled)
    >>> (both[0] == both[1]).all()
    np.True_
    """
    size = min(len(values), BLOCK)
    tail, probability, extreme, quantile = np.empty(size, np.int64), np.empty(size), np.empty(size), np.empty(size)
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK]
        if not compiled:
            normal_quantile(block, block)
            continue
        count = _replace_centre(block, tail, probability, extreme)
        logarithm = np.log(extreme[:count], out=extreme[:count])  # that of another library may differ in the last bit
        _replace_tails(block, tail, probability, logarithm, quantile)


@njit(cache=True, error_model="numpy")
def _replace_centre(values: Floats, tail: NDArray[np.int64], probability: Floats, extreme: Floats) -> int:
    """Replace what is in the centre; return the number of the others, and write where and how extreme they are."""
    count = 0
    for start in range(0, len(values), IN_NEAREST_CACHE):
        part = values[start : start + IN_NEAREST_CACHE]
        for index in range(len(part)):
            tail[count] = start + index  # overwritten by the next where this one is in the centre
            probability[count] = part[index]
            count += abs(part[index] - 0.5) > CENTRE
        for index in range(len(part)):
            distance = part[index] - 0.5
            argument = CENTRE * CENTRE - distance * distance
            part[index] = distance * (_polynomial(CENTRAL[0], argument) / _polynomial(CENTRAL[1], argument))
    for number in range(count):
        extreme[number] = min(probability[number], 1.0 - probability[number])
    return count


@njit(cache=True, error_model="numpy")
def _replace_tails(
    values: Floats, tail: NDArray[np.int64], probability: Floats, log_extreme: Floats, quantile: Floats
) -> None:
    """Replace the tails, by their probabilities and by the logarithms of how extreme these are."""
    for number in range(len(log_extreme)):
        argument = np.sqrt(-log_extreme[number]) - 1.6
        quantile[number] = _polynomial(NEAR[0], argument) / _polynomial(NEAR[1], argument)
    for number in range(len(log_extreme)):
        value = quantile[number]
        if -log_extreme[number] > SURELY_NEAR:
            root = np.sqrt(-log_extreme[number])
            if root > NEAR_TAIL:
                value = _polynomial(FAR[0], root - NEAR_TAIL) / _polynomial(FAR[1], root - NEAR_TAIL)
        values[tail[number]] = value if probability[number] > 0.5 else -value


@njit(error_model="numpy")
def _polynomial(coefficients: Eight, argument: float) -> float:
    """By Horner's rule, the highest power first; written out, so that several arguments are computed side by side."""
    a, b, c, d, e, f, g, h = coefficients
    return ((((((a * argument + b) * argument + c) * argument + d) * argument + e) * argument + f) * argument + g) * (
        argument
    ) + h
