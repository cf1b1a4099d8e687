"""Generators for measures and data sets, and child generators by label; maskings draw from `draws`."""

import zlib

import numpy as np

from sdckit.errors import ParameterError


def generator(seed: int | np.random.Generator | None = None) -> np.random.Generator:
    """A generator from a seed; with none, from the operating system's entropy.

    >>> generator(1).integers(100) == generator(1).integers(100)
    np.True_
    """
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise ParameterError(f"the seed {seed!r} is not a whole number of 0 or more")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))


def child(rng: np.random.Generator, *labels: object) -> np.random.Generator:
    """The generator that belongs to these labels; it depends on the seed and the labels, not on draws made before.

    >>> rng = generator(1)
    >>> first = child(rng, "noise", "age").integers(10**6)
    >>> _ = child(rng, "swap", "age")
    >>> child(rng, "noise", "age").integers(10**6) == first
    np.True_
    """
    sequence = rng.bit_generator.seed_seq
    if not isinstance(sequence, np.random.SeedSequence):
        raise ParameterError("the generator was not made from a seed sequence; make it with numpy.random.default_rng")
    key = tuple(zlib.crc32(repr(label).encode()) for label in labels)
    return np.random.Generator(
        np.random.PCG64(np.random.SeedSequence(sequence.entropy, spawn_key=(*sequence.spawn_key, *key)))
    )
