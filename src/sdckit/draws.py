"""Draws: the random numbers of a masking, keyed by a secret and by what is masked, addressed by record and draw number.

The key of a step is derived from the secret, the number of the step, the method, its parameters, the attributes and a
digest of the values that enter the step. Two releases that differ in any of these share no draw, and the same recipe on
the same file with the same secret repeats exactly. Under one key, what is drawn for a record depends on its number
alone: a file masked whole, in chunks or on several machines comes out the same.

Keys are derived by BLAKE2b; the numbers under a key come from Philox, a counter-based generator.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sdckit.digest import content_digest
from sdckit.errors import ParameterError
from sdckit.kernels.normal_quantile import replace_by_quantiles
from sdckit.kernels.philox import write_uniform
from sdckit.microdata import Microdata

SECRET_BYTES = 16
GUESSABLE_BELOW = 2**127  # a seed of fewer than 128 bits can be found by trying, the smaller the sooner
WORDS_AT_ONCE = 1 << 15  # turned into numbers at a time: stays in the processor's cache
MANY = 200_000  # numbers from which on compiled code is faster, with the time to load it
GAP_WORDS = 1 << 12  # words of absent records that are cheaper to draw and drop than to jump over


@dataclass(frozen=True)
class Secret:
    """What the draws of a release are derived from; with it a masking can be undone, so it is never published.

    `guessable` says that it came from a seed of fewer than 128 bits, which can be found by trying seeds.
    """

    value: bytes = field(repr=False)
    guessable: bool = False

    @classmethod
    def of(cls, seed: "int | Secret | None" = None) -> "Secret":
        """The secret of a seed, or 128 bits of the operating system's entropy where there is none.

        >>> Secret.of(1), Secret.of()
        (Secret(guessable=True), Secret(guessable=False))
        """
        if isinstance(seed, Secret):
            return seed
        if seed is None:
            return cls(os.urandom(SECRET_BYTES))
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise ParameterError(f"the seed {seed!r} is not a whole number of 0 or more")
        number = int(seed)
        size = max(SECRET_BYTES, (number.bit_length() + 7) // 8)
        return cls(number.to_bytes(size, "big"), number < GUESSABLE_BELOW)

    @classmethod
    def unknown(cls, *, guessable: bool) -> "Secret":
        """A secret that is not known here, as for a file read from disk, and whether it was guessable."""
        return cls(b"", guessable)


@dataclass(frozen=True, eq=False)
class Draws:
    """Random numbers under a key, for the records with these numbers.

    Draws have no state: the same call gives the same numbers. A method that needs several sets of draws takes
    one `child` for each. `compiled` says that these are a part of many, which compiled code draws faster; the numbers
    are the same.
    """

    key: bytes = field(repr=False)
    records: NDArray[np.int64] | range | None = field(default=None, repr=False)
    compiled: bool = field(default=False, repr=False)

    @classmethod
    def of(cls, seed: int | Secret | None = None, records: int | None = None) -> "Draws":
        """The draws of a seed or a secret, for a file with this number of records.

        >>> draws = Draws.of(1, records=3)
        >>> draws.uniform(2).shape
        (3, 2)
        >>> (draws.uniform(2)[1:] == draws.for_records([1, 2]).uniform(2)).all()
        np.True_
        """
        key = derived_key(Secret.of(seed).value, "secret")
        return cls(key, None if records is None else range(records))

    @classmethod
    def from_generator(cls, rng: np.random.Generator, records: int | None = None) -> Self:
        """Draws under a key that a generator draws, for repetitions that are measured and never released."""
        return cls(rng.bytes(32), None if records is None else range(records))

    def child(self, *labels: object) -> "Draws":
        """The draws of the same records under a key of their own, which the labels name."""
        return replace(self, key=derived_key(self.key, "child", *labels))

    def of_step(self, number: int, method: str, parameters: Mapping[str, Any], data: Microdata) -> "Draws":
        """The draws of one step of a recipe; `data` has the attributes that it masks, with the values that enter it."""
        names = [each.name for each in data.attributes]
        own = self.of_digest(number, method, parameters, names, content_digest(data, ordered=True))
        return own.over(len(data))

    def of_digest(
        self, number: int, method: str, parameters: Mapping[str, Any], names: Sequence[str], digest: str
    ) -> "Draws":
        """The draws of one step of a recipe, by the digest of the values that enter it; for no records yet."""
        settings = tuple(sorted(parameters.items()))
        key = derived_key(self.key, "step", number, method, settings, tuple(names), digest)
        return replace(self, key=key, records=None, compiled=False)

    def over(self, records: int) -> "Draws":
        """The draws for all records of a file, where no record numbers are set yet."""
        if self.records is None:
            return replace(self, records=range(records))
        if len(self.records) != records:
            raise ValueError(f"the draws are for {len(self.records)} records and the values of {records}")
        return self

    def for_records(self, numbers: Sequence[int] | NDArray[np.int64]) -> "Draws":
        """The draws of the records with these numbers."""
        return replace(self, records=np.asarray(numbers, dtype=np.int64))

    def among(self, chosen: NDArray[np.bool_]) -> "Draws":
        """The draws of the chosen records."""
        numbers = self._numbers()
        if isinstance(numbers, range):
            return replace(self, records=numbers.start + np.flatnonzero(chosen))
        return replace(self, records=numbers[chosen])

    def part(self, positions: slice, columns: int = 1) -> "Draws":
        """The draws of the records at consecutive positions, for a file that is masked part by part.

        `columns` are those that will be drawn: for many numbers in all, compiled code draws every part of them.
        """
        numbers = self._numbers()
        return replace(self, records=numbers[positions], compiled=self.compiled or len(numbers) * columns >= MANY)

    def uniform(self, columns: int) -> NDArray[np.float64]:
        """Uniform numbers between 0 and 1, both excluded: one row per record, with this number of columns."""
        return self._drawn("uniform", columns)

    def normal(self, columns: int) -> NDArray[np.float64]:
        """Standard normal numbers: one row per record, with this number of columns.

        They are quantiles of uniform numbers: nothing is rejected, so every record takes the same number of draws.
        """
        return self._drawn("normal", columns)

    def generator(self, *labels: object) -> np.random.Generator:
        """A generator for a method that draws for the whole file at once, such as a permutation."""
        key = derived_key(self.key, "generator", *labels)
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(int.from_bytes(key, "big"))))

    def _numbers(self) -> NDArray[np.int64] | range:
        if self.records is None:
            raise ValueError("the draws are for no records; name them by for_records or over")
        return self.records

    def _drawn(self, label: str, columns: int) -> NDArray[np.float64]:
        """Uniform or normal numbers, by the label, which gives each of the two a key of its own."""
        numbers = self._numbers()
        key = int.from_bytes(derived_key(self.key, label, columns)[:16], "big")
        drawn = np.empty((len(numbers), columns))
        if not drawn.size:
            return drawn
        compiled = self.compiled or drawn.size >= MANY
        if not isinstance(numbers, range) and (np.diff(numbers) == 1).all():
            numbers = range(int(numbers[0]), int(numbers[0]) + len(numbers))
        if not isinstance(numbers, range):
            _write_rows(key, numbers, drawn, compiled=compiled)
            if label == "normal":
                replace_by_quantiles(drawn.reshape(-1), compiled=compiled)
            return drawn
        flat, first = drawn.reshape(-1), numbers.start * columns
        for at in range(0, len(flat), WORDS_AT_ONCE):
            part = flat[at : at + WORDS_AT_ONCE]
            write_uniform(key, first + at, part, compiled=compiled)
            if label == "normal":
                replace_by_quantiles(part, compiled=compiled)
        return drawn


@dataclass(frozen=True, eq=False)
class ObservedDraws(Draws):
    """Draws that show whether any number was taken from them or from those derived of them."""

    taken: list[bool] = field(default_factory=list, repr=False)
    generators: list[tuple[np.random.Generator, str]] = field(default_factory=list, repr=False)

    @property
    def used(self) -> bool:
        """Whether any number was taken, also from a generator that was passed on."""
        return bool(self.taken) or any(_state(generator) != before for generator, before in self.generators)

    def generator(self, *labels: object) -> np.random.Generator:
        generator = super().generator(*labels)
        self.generators.append((generator, _state(generator)))
        return generator

    def _drawn(self, label: str, columns: int) -> NDArray[np.float64]:
        drawn = super()._drawn(label, columns)
        if drawn.size:
            self.taken.append(True)
        return drawn


def _state(generator: np.random.Generator) -> str:
    """What changes when numbers are taken from a generator, or from one that it spawned."""
    seeds = generator.bit_generator.seed_seq
    spawned = seeds.n_children_spawned if isinstance(seeds, np.random.SeedSequence) else 0
    return f"{generator.bit_generator.state} {spawned}"


def derived_key(key: bytes, *labels: object) -> bytes:
    """A key of 32 bytes that depends on a key and on labels, each of them and their order."""
    root = hashlib.blake2b(key, digest_size=32).digest()
    return hashlib.blake2b(_encoded(labels), digest_size=32, key=root).digest()


def _encoded(label: object) -> bytes:
    """A label as bytes, different for different labels: its type, its length and its content."""
    if isinstance(label, tuple | list):
        content = b"".join(map(_encoded, label))
        return b"t%d:" % len(content) + content
    text = label.hex() if isinstance(label, bytes) else str(label)
    content = f"{type(label).__name__}:{text}".encode()
    return b"v%d:" % len(content) + content


def _write_rows(key: int, numbers: NDArray[np.int64], out: NDArray[np.float64], *, compiled: bool) -> None:
    """Write the uniform numbers of records in any order, a row for each."""
    columns, order = out.shape[1], None
    if (np.diff(numbers) < 0).any():
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
    for first, end in _stretches(numbers, GAP_WORDS // columns):
        low, high = int(numbers[first]), int(numbers[end - 1]) + 1
        values = np.empty((high - low, columns))
        write_uniform(key, low * columns, values.reshape(-1), compiled=compiled or values.size >= MANY)
        own = slice(first, end) if order is None else order[first:end]
        out[own] = values[numbers[first:end] - low]


def _stretches(numbers: NDArray[np.int64], gap: int) -> Iterator[tuple[int, int]]:
    """The positions at which sorted numbers begin and end to follow each other without a wide gap."""
    breaks = np.flatnonzero(np.diff(numbers) > gap) + 1
    starts = [0, *breaks.tolist()]
    return zip(starts, [*starts[1:], len(numbers)], strict=True)
