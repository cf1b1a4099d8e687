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
ASKED_OF_SDCMICRO = 200
LEAST_KEYS_OF_SDCMICRO = 3  # of its SUDA2
MOST_HOLES = 0.2
GROUP_SIZE = 3


def run(count: int, seed: int, log: Log) -> None:
    """Compare `count` random files."""
    files = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        files.append(_random_file(rng, holes=bool(rng.integers(2))))
        for problem in _against_twins(*files[-1]):
            log.failure(f"file {number}: {problem}")
        log.count("files compared with the twins")
    if not _sdcmicro.available():
        log.line("SKIPPED sdcMicro: R with sdcMicro is not installed; the twins in Python are compared")
        return
    with TemporaryDirectory(prefix="torture-") as name:
        asked = _sdcmicro.figures(files[:ASKED_OF_SDCMICRO], Path(name))
    ours_lost, theirs_lost = 0, 0
    for number, (file, theirs) in enumerate(zip(files, asked, strict=False)):
        for problem in _against_sdcmicro(*file, theirs):
            log.failure(f"file {number}: {problem}")
        log.count("files compared with sdcMicro")
        if np.isnan(theirs["holes"]).any():
            log.count("files of them that sdcMicro does not suppress")
            continue
        lost = int((suppress_to_k_anonymity(file[0], GROUP_SIZE, np.ones(file[0].shape[1])) == MISSING).sum())
        log.count(f"files of them in which suppression leaves {_compared(lost, theirs['holes'][0])} sdcMicro")
        ours_lost, theirs_lost = ours_lost + lost, theirs_lost + int(theirs["holes"][0])
    if ours_lost > theirs_lost:  # both are heuristics: a single file may fall either way
        log.failure(f"{ours_lost} values are missing after suppression, and {theirs_lost} after that of sdcMicro")


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


def _against_sdcmicro(
    codes: NDArray[np.int64], weights: NDArray[np.float64], theirs: dict[str, NDArray[np.float64]]
) -> list[str]:
    """What differs, by the conventions of sdcMicro.

    With two or more keys it does not count a record without any known key for a record with all of them, though it does
    so the other way round. In SUDA2 a missing key agrees with none; to one or two keys it adds constant ones.
    """
    hole = codes == MISSING
    keys = codes.shape[1]
    uncounted, whole = hole.all(axis=1) & (keys > 1), ~hole.any(axis=1)
    ours = {
        "fk": wildcard_frequencies(codes) - uncounted.sum() * whole,
        "Fk": wildcard_sums(codes, weights) - (weights @ uncounted) * whole,
        "risk": individual_risks(theirs["fk"].astype(np.int64), theirs["Fk"]),
        "score": special_uniques(np.where(hole, codes.max() + 1, codes), elliot_weight, keys, hole).scores,
    }
    if keys < LEAST_KEYS_OF_SDCMICRO:
        del ours["score"]
    return [f"{what} differs from sdcMicro" for what in ours if not np.allclose(ours[what], theirs[what], rtol=1e-4)]


def _compared(ours: int, theirs: float) -> str:
    return "as many holes as" if ours == theirs else f"{'fewer' if ours < theirs else 'more'} holes than"
