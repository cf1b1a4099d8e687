"""SUDA2: scores of special uniques from their minimal sample uniques, and probabilities of a correct match."""

from collections.abc import Callable
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.rare_combinations import minimal_rare_combinations

Weight = Callable[[int, int], float]


class SpecialUniques(NamedTuple):
    """Each record's score, the contribution of each key to it, and the number of minimal uniques of each size.

    `unique` says which records have a minimal unique, also one of weight 0.
    """

    scores: NDArray[np.float64]
    contributions: NDArray[np.float64]
    by_size: NDArray[np.int64]
    unique: NDArray[np.bool_]


def elliot_weight(size: int, keys: int) -> float:
    """The weight (m − s)! of a minimal unique of size s: the fewer keys single out a record, the more it counts."""
    return float(factorial(keys - size))


def ihsn_weight(size: int, keys: int) -> float:
    """The number of unique supersets over the number of sets of that size: (2^(m−s) − 1) / C(m, s)."""
    return float(2 ** (keys - size) - 1) / comb(keys, size)


def special_uniques(
    codes: NDArray[np.integer], weight: Weight, largest: int, missing: NDArray[np.bool_] | None = None
) -> SpecialUniques:
    """Score every record by its minimal sample uniques of up to `largest` keys; a `missing` key is in none of them."""
    distinct = class_of(codes)
    first = distinct.first()
    rows = codes[first]
    keys = codes.shape[1]
    scores = np.zeros(len(rows))
    unique = np.zeros(len(rows), dtype=bool)
    contributions = np.zeros((len(rows), keys))
    by_size = np.zeros(keys + 1, dtype=np.int64)
    for rare in minimal_rare_combinations(
        rows, distinct.sizes, 2, largest, None if missing is None else missing[first]
    ):
        weighted = weight(len(rare.keys), keys)
        scores[rare.rows] += weighted
        unique[rare.rows] = True
        contributions[rare.rows[:, None], list(rare.keys)] += weighted
        by_size[len(rare.keys)] += len(rare.rows)
    return SpecialUniques(scores[distinct.of], contributions[distinct.of], by_size, unique[distinct.of])


def data_intrusion_simulation(uniques: int, in_pairs: int, share: float) -> float:
    """The probability that a unique match is correct if the file is a sample of `share` (Skinner and Elliot 2002)."""
    correct = uniques * share
    return correct / (correct + in_pairs * (1 - share)) if correct else 0.0


def suda_probabilities(
    scores: NDArray[np.float64], file_probability: float, keys: int, uniques: int | None = None
) -> NDArray[np.float64]:
    """Each special unique's probability of a correct match: the file's probability, distributed by the scores.

    `uniques` is the U of the formula, by default the number of records with a score.
    """
    probabilities = np.zeros(len(scores))
    special = scores > 0
    if not special.any() or not file_probability:
        return probabilities
    exponent = 1 + (8 - keys) / 20
    counted = int(special.sum()) if uniques is None else uniques
    power = scores[special] ** exponent
    # With U = the number of scores, the mean of the inverse probabilities is the inverse of the file's probability.
    probabilities[special] = 1 / (1 + (counted / file_probability - counted) / (power * (1 / power).sum()))
    return probabilities
