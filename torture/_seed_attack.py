"""The attack of an intruder who has the original, the recipe, the masked file and our source, but not the secret.

A guess of the secret is tested on the noise of the first records. How a secret becomes noise is not written here a
second time: it is observed while a file is masked with a known secret, and repeated with the guess.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

import sdckit.draws
from sdckit.draws import Secret, derived_key
from sdckit.kernels.philox import write_uniform
from sdckit.microdata import Microdata
from sdckit.release import protect

METHOD = "additive-noise:variance_share=0.1"
COLUMN = "income"
RECORDS_COMPARED = 3
TOLERANCE = 1e-4  # of a probability: values are published to two decimals
KNOWN = Secret(b"sixteen letters!")

Labels = tuple[Any, ...]


@dataclass(frozen=True)
class SeedAttack:
    """The keys that are derived one from the other, from a secret to the noise of a column, and the noise observed."""

    chain: tuple[Labels, ...]
    observed: NDArray[np.float64]

    @classmethod
    def on(cls, original: Microdata, masked: Microdata) -> "SeedAttack":
        """The attack on a masked file."""
        change = masked.columns[COLUMN] - original.columns[COLUMN]
        deviation = np.sqrt(0.1) * np.std(original.columns[COLUMN], ddof=1)
        return cls(_chain(original), norm.cdf(change[:RECORDS_COMPARED] / deviation))

    def correct(self, secret: bytes) -> bool:
        """Whether a secret gives the noise that is observed."""
        key = secret
        for labels in self.chain:
            key = derived_key(key, *labels)
        number = int.from_bytes(key[:16], "big")
        drawn = np.empty(RECORDS_COMPARED)
        write_uniform(number, 0, drawn, compiled=False)
        return bool((np.abs(drawn - self.observed) < TOLERANCE).all())

    def first_correct(self, guesses: Iterable[bytes]) -> tuple[int, bytes | None]:
        """How many guesses were made, and the secret where one was correct."""
        made = 0
        for guess in guesses:
            made += 1
            if self.correct(guess):
                return made, guess
        return made, None


def _chain(original: Microdata) -> tuple[Labels, ...]:
    """The labels by which each key is derived from the one before it, from a known secret to the noise of a column."""
    derived: dict[bytes, tuple[bytes, Labels]] = {}
    used: list[int] = []

    def watched(key: bytes, *labels: object) -> bytes:
        found = derived_key(key, *labels)
        derived[found] = (key, labels)
        return found

    def drawing(key: int, first: int, out: NDArray[np.float64], *, compiled: bool) -> None:
        used.append(key)
        write_uniform(key, first, out, compiled=compiled)

    with patch.object(sdckit.draws, "derived_key", watched), patch.object(sdckit.draws, "write_uniform", drawing):
        protect(original, METHOD, seed=KNOWN)
    chains = [_back(key, derived) for key in derived if int.from_bytes(key[:16], "big") in used]
    return next(chain for chain in chains if any(COLUMN in labels for labels in chain))


def _back(key: bytes, derived: dict[bytes, tuple[bytes, Labels]]) -> tuple[Labels, ...]:
    labels: list[Labels] = []
    while key != KNOWN.value:
        key, last = derived[key]
        labels.insert(0, last)
    return tuple(labels)
