"""Whether two figures differ by more than the Monte Carlo error of the intruder that gives them.

What an intruder draws is fixed by the bits of the release. Another processor computes other last bits of a matrix
product, so that a release made there has other draws: its figure is as good, and differs by the Monte Carlo error.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from sdckit.microdata import Microdata
from sdckit.release import Release
from sdckit.row_order import shuffled

RELEASES = 12
CONFIDENCE = 0.999


def alike(release: Release, count: int = RELEASES) -> Iterator[Release]:
    """The same release in other orders of its rows and with other last bits of the values that a method computed."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        yield shuffled(replace(release, masked=with_other_last_bits(release.masked, release.original, rng)), rng)


def with_other_last_bits(masked: Microdata, original: Microdata, rng: np.random.Generator) -> Microdata:
    """Each value that is neither whole nor one of the original, moved by at most one unit in the last place; equal
    values stay equal."""
    columns = dict(masked.columns)
    for name in masked.columns.keys() & original.columns.keys():
        if not masked.attribute(name).coded:
            columns[name] = _moved(masked.columns[name], original.columns[name], rng)
    return replace(masked, columns=columns)


def _moved(values: NDArray[np.float64], original: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    distinct, of = np.unique(values, return_inverse=True)
    computed = np.isfinite(distinct) & (distinct != np.round(distinct)) & ~np.isin(distinct, original)
    towards = rng.choice([-np.inf, np.inf], len(distinct))
    moved = computed & rng.choice([False, True], len(distinct))
    return np.asarray(np.where(moved, np.nextafter(distinct, towards), distinct)[of])


def is_one_more_of(figure: float, others: Sequence[float], rounding: float = 0.0) -> bool:
    """Whether a figure can be one more of these: is it within their prediction interval?"""
    count = len(others)
    reach = t.ppf((1 + CONFIDENCE) / 2, count - 1) * np.std(others, ddof=1) * np.sqrt(1 + 1 / count)
    return bool(abs(figure - np.mean(others)) <= reach + rounding)
