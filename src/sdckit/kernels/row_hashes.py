"""Hashes of rows: each value is mixed with a salt of its column, and the hashes of a row are added up."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Words = NDArray[np.uint64]

MULTIPLIERS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))  # odd, so that no bit is lost
FIRST_SHIFT, LAST_SHIFT = np.uint64(31), np.uint64(29)
SIGN, INFINITY = np.uint64(1 << 63), np.uint64(0x7FF << 52)  # bits of a number: those of −0 and of infinity


def add_hashes(values: Words, salts: Words, hashes: Words, *, compiled: bool) -> None:
    """Add the hashes of a column to those of the rows: a line of `hashes` for each salt."""
    if compiled:
        _add(values, salts, hashes[0], hashes[1])
        return
    for line, salt, multiplier in zip(hashes, salts, MULTIPLIERS, strict=True):
        mixed = (values ^ salt) * multiplier
        mixed = (mixed ^ (mixed >> FIRST_SHIFT)) * MULTIPLIERS[1]
        line += mixed ^ (mixed >> LAST_SHIFT)


def add_number_hashes(
    values: NDArray[np.float64], missing: np.uint64, salts: Words, hashes: Words, *, compiled: bool
) -> None:
    """Add the hashes of a column of numbers, by their bits; −0 counts as 0, and `missing` stands for NaN."""
    if compiled:
        _add_numbers(values.view(np.uint64), missing, salts, hashes[0], hashes[1])
        return
    words = np.where(np.isnan(values), missing, (values + 0.0).view(np.uint64))  # + 0.0: −0 is 0
    add_hashes(words, salts, hashes, compiled=False)


@njit(cache=True)
def _add(values: Words, salts: Words, first: Words, second: Words) -> None:
    first_salt, second_salt = salts[0], salts[1]
    for row in range(len(values)):
        first[row] += _mixed(values[row] ^ first_salt, MULTIPLIERS[0])
        second[row] += _mixed(values[row] ^ second_salt, MULTIPLIERS[1])


@njit(cache=True)
def _add_numbers(bits: Words, missing: np.uint64, salts: Words, first: Words, second: Words) -> None:
    first_salt, second_salt = salts[0], salts[1]
    for row in range(len(bits)):
        word = bits[row]
        word = np.uint64(0) if word == SIGN else word
        word = missing if word & ~SIGN > INFINITY else word
        first[row] += _mixed(word ^ first_salt, MULTIPLIERS[0])
        second[row] += _mixed(word ^ second_salt, MULTIPLIERS[1])


@njit()
def _mixed(word: np.uint64, multiplier: np.uint64) -> np.uint64:
    mixed = word * multiplier
    mixed = (mixed ^ (mixed >> FIRST_SHIFT)) * MULTIPLIERS[1]
    return mixed ^ (mixed >> LAST_SHIFT)
