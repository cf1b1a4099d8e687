"""Other computations as oracles: frequencies, individual risk, SUDA2 and suppression, by definition and by sdcMicro.

The twins follow the definitions record by record and set by set; sdcMicro is asked where R has it.
"""

from itertools import chain, combinations
from math import factorial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad

from sdckit.kernels.equivalence_classes import MISSING, wildcard_frequencies, wildcard_sums
from sdckit.kernels.individual_risk import individual_risks
from sdckit.kernels.suda import elliot_weight, special_uniques
from sdckit.kernels.suppression import suppress_to_k_anonymity
from torture import _sdcmicro
from torture._log import Log

COUNT = 2_000
ASKED_OF_SDCMICRO = 50
MOST_HOLES = 0.2
GROUP_SIZE = 3


def run(count: int, seed: int, log: Log) -> None:
    """Compare `count` random files."""
    peer = _sdcmicro.available()
    if not peer:
        log.line("SKIPPED sdcMicro: R with sdcMicro is not installed; the twins in Python are compared")
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        codes, weights = _random_file(rng, holes=bool(rng.integers(2)))
        for problem in _against_twins(codes, weights):
            log.failure(f"file {number}: {problem}")
        log.count("files compared with the twins")
        if peer and number < ASKED_OF_SDCMICRO:
            whole, _ = _random_file(rng, holes=False)
            for problem in _against_sdcmicro(whole, weights[: len(whole)]):
                log.failure(f"file {number}: {problem}")
            log.count("files compared with sdcMicro")


def _random_file(rng: np.random.Generator, *, holes: bool) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    records, keys = int(rng.integers(4, 60)), int(rng.integers(1, 6))
    codes = rng.integers(0, rng.integers(2, 6, keys), (records, keys))
    if holes:
        codes[rng.random(codes.shape) < MOST_HOLES * rng.random()] = MISSING
    return codes, np.round(rng.lognormal(3, 1, 60)[:records] + 1, 2)


def _against_twins(codes: NDArray[np.int64], weights: NDArray[np.float64]) -> list[str]:
    problems = []
    agree = _agreement(codes)
    frequency, population = agree.sum(axis=1), agree @ weights
    if not np.array_equal(wildcard_frequencies(codes), frequency):
        problems.append("the frequencies differ from those counted pair by pair")
    if not np.allclose(wildcard_sums(codes, weights), population, rtol=1e-12):
        problems.append("the population frequencies differ from those counted pair by pair")
    expected = [_risk(int(f), float(total)) for f, total in zip(frequency, population, strict=True)]
    if not np.allclose(individual_risks(frequency, population), expected, rtol=1e-7):
        problems.append("the individual risks differ from the integral of the definition")
    if not (codes == MISSING).any() and len(codes) <= 40:
        scores = special_uniques(codes, elliot_weight, codes.shape[1]).scores
        if not np.array_equal(scores, _suda_scores(codes)):
            problems.append("the SUDA2 scores differ from those of an enumeration of all sets of keys")
    suppressed = suppress_to_k_anonymity(codes, GROUP_SIZE, np.ones(codes.shape[1]))
    if (_agreement(suppressed).sum(axis=1) < GROUP_SIZE).any():
        problems.append(f"after suppression a record agrees with fewer than {GROUP_SIZE}")
    if ((suppressed != codes) & (suppressed != MISSING)).any():
        problems.append("suppression changed a value instead of removing it")
    return problems


def _agreement(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which records agree on all keys that both have."""
    one, other = codes[:, None, :], codes[None, :, :]
    agree: NDArray[np.bool_] = ((one == other) | (one == MISSING) | (other == MISSING)).all(axis=2)
    return agree


def _risk(frequency: int, population: float) -> float:
    """∫₀¹ v^(f−1) / (1 + a·v) dv with a = (1 − p) / p and p = f / F."""
    odds = max(population / frequency - 1, 0.0)
    points = [1 / odds] if odds > 1 else None
    integral: float = quad(
        lambda v: v ** (frequency - 1) / (1 + odds * v), 0, 1, epsabs=0, epsrel=1e-11, points=points
    )[0]
    return integral


def _suda_scores(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    keys = codes.shape[1]
    sets = list(chain.from_iterable(combinations(range(keys), size) for size in range(1, keys + 1)))
    unique = {part: _unique_rows(codes[:, part]) for part in sets}
    scores = np.zeros(len(codes))
    for part in sets:
        parts = chain.from_iterable(combinations(part, size) for size in range(1, len(part)))
        minimal = unique[part] & ~np.any([unique[each] for each in parts] or [np.zeros(len(codes), bool)], axis=0)
        scores += minimal * factorial(keys - len(part))
    return scores


def _unique_rows(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    unique: NDArray[np.bool_] = (codes[:, None, :] == codes[None, :, :]).all(axis=2).sum(axis=1) == 1
    return unique


def _against_sdcmicro(codes: NDArray[np.int64], weights: NDArray[np.float64]) -> list[str]:
    with TemporaryDirectory(prefix="torture-") as name:
        theirs = _sdcmicro.figures(codes, weights[: len(codes)], Path(name))
    frequency, population = wildcard_frequencies(codes), wildcard_sums(codes, weights[: len(codes)])
    ours = {
        "fk": frequency.astype(float),
        "Fk": population,
        "risk": individual_risks(frequency, population),
        "score": special_uniques(codes, elliot_weight, codes.shape[1]).scores,
    }
    problems = [
        f"{what} differs from sdcMicro" for what in ours if not np.allclose(ours[what], theirs[what], rtol=1e-4)
    ]
    holes = int((suppress_to_k_anonymity(codes, GROUP_SIZE, np.ones(codes.shape[1])) == MISSING).sum())
    if holes > theirs["holes"][0]:
        problems.append(f"{holes} values are suppressed, and sdcMicro suppresses {theirs['holes'][0]:.0f}")
    return problems
