"""SUDA2: scores of special uniques from their minimal sample uniques, and the chance that a match on one is right."""

from collections.abc import Callable
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.rare_combinations import minimal_rare_combinations

Weight = Callable[[int, int], float]


class SpecialUniques(NamedTuple):
    """Each record's score, and what each key contributes to it; how many minimal uniques there are of each size."""

    scores: NDArray[np.float64]
    contributions: NDArray[np.float64]
    by_size: NDArray[np.int64]


def elliot_weight(size: int, keys: int) -> float:
    """What a minimal unique of that size counts: (m − s)!, so that few keys that tell a person apart count most."""
    return float(factorial(keys - size))


def ihsn_weight(size: int, keys: int) -> float:
    """The number of unique supersets, as a share of the sets of that size: (2^(m−s) − 1) / C(m, s)."""
    return float(2 ** (keys - size) - 1) / comb(keys, size)


def special_uniques(codes: NDArray[np.integer], weight: Weight, largest: int) -> SpecialUniques:
    """Score every record by its minimal sample uniques of up to `largest` keys."""
    distinct = class_of(codes)
    rows = codes[distinct.first()]
    keys = codes.shape[1]
    scores = np.zeros(len(rows))
    contributions = np.zeros((len(rows), keys))
    by_size = np.zeros(keys + 1, dtype=np.int64)
    for rare in minimal_rare_combinations(rows, distinct.sizes, 2, largest):
        counts = weight(len(rare.keys), keys)
        scores[rare.rows] += counts
        contributions[rare.rows[:, None], list(rare.keys)] += counts
        by_size[len(rare.keys)] += len(rare.rows)
    return SpecialUniques(scores[distinct.of], contributions[distinct.of], by_size)


def data_intrusion_simulation(uniques: int, in_pairs: int, share: float) -> float:
    """The chance that a unique match is right, had the file been thinned to `share` (Skinner and Elliot 2002)."""
    right = uniques * share
    return right / (right + in_pairs * (1 - share)) if right else 0.0


def suda_chances(scores: NDArray[np.float64], chance: float, keys: int) -> NDArray[np.float64]:
    """Each special unique's chance of a right match: the file's chance, spread by the scores."""
    chances = np.zeros(len(scores))
    special = scores > 0
    if not special.any() or not chance:
        return chances
    exponent = 1 + (8 - keys) / 20
    uniques = int(special.sum())
    power = scores[special] ** exponent
    # The inverses of the chances average to the inverse of the file's chance, but for those that are certain.
    chances[special] = 1 / (1 + (uniques / chance - uniques) / (power * (1 / power).sum()))
    return chances
