"""Individual risk: the probability of a correct match, the population frequency of a class estimated by weights."""

from math import log1p

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import compiled_or_not, njit

LONG = 30  # from this sample frequency on, the series ends within a few dozen terms whatever the sampling share
NEGLIGIBLE = 1e-17
TERMS = 40  # of a class, in steps of a loop: an upper bound for most


def individual_risks(frequency: NDArray[np.int64], population: NDArray[np.float64]) -> NDArray[np.float64]:
    """E(1/F | f) for each class of records."""
    return compiled_or_not(_individual_risks, TERMS * len(frequency))(frequency, population)


@njit(cache=True, nogil=True)
def _individual_risks(frequency: NDArray[np.int64], population: NDArray[np.float64]) -> NDArray[np.float64]:
    """E(1/F | f) for each class, F given f negative binomial with success probability p = f / F̂.

    That is (pᶠ / f) · ₂F₁(f, f; f+1; 1−p) = ∫₀¹ v^(f−1) / (1 + a·v) dv with a = (1−p) / p. Where a ≥ 1 the integral by
    parts, r_f = (1/(f−1) − r_{f−1}) / a, does not amplify errors; elsewhere (p / f) · Σ_k (1−p)^k / C(f+k, k) is short.
    """
    risks = np.empty(len(frequency))
    for index in range(len(frequency)):
        f = frequency[index]
        p = min(1.0, f / population[index])
        a = (1 - p) / p
        if a >= 1 and f < LONG:
            risk = log1p(a) / a
            for size in range(1, f):
                risk = (1 / size - risk) / a
        else:
            term, total, k = 1.0, 1.0, 0
            while term > NEGLIGIBLE * total:
                k += 1
                term *= (1 - p) * k / (f + k)
                total += term
            risk = p / f * total
        risks[index] = risk
    return risks
