"""An estimate of the time and the memory that work on a release takes, before it is begun.

The work is timed on two samples. Up to the number of known records that the attacks link at most, the time grows by the
power of the number of records that the two show; beyond it, in proportion.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SdcError
from sdckit.evaluation.worker_pool import memory_of_a_worker
from sdckit.memory import free_memory, gigabytes
from sdckit.release import Release
from sdckit.rows import NOBODY, in_order

LARGE = 50_000  # records from which on an estimate of time and memory comes first
WARM_UP = 100  # records of a first run, which loads compiled kernels and is not timed
SAMPLES = 1_000, 3_000  # records of the runs that are timed: seconds
LINKED = 10_000  # known records that the attacks link at most by default
EXPONENTS = 0.0, 2.0  # of the time, at least and at most


@dataclass(frozen=True)
class Estimate:
    """How long work takes, and the memory that it needs at its peak.

    >>> str(Estimate(130, 1_300_000_000)), str(Estimate(7, 500_000_000)), str(Estimate(9_000, 40_000_000_000))
    ('about 2 min and 1.2 GB', 'about 10 s and 0.5 GB', 'about 2.5 h and 37 GB')
    """

    seconds: float
    bytes: int

    def __str__(self) -> str:
        return f"about {duration(self.seconds)} and {gigabytes(self.bytes)}"


def estimate(
    release: Release, work: Callable[[Release], object], *, clock: Callable[[], float] = perf_counter
) -> Estimate | None:
    """What some work on a release takes, by timing it on a sample; None where it cannot be done on a sample.

    Parameters
    ----------
    work
        What is to be done with the release, such as `assess`.
    clock
        The clock in seconds: that on the wall, or that of the processor.
    """
    with suppress(SdcError):
        work(sampled_release(release, WARM_UP))
        timed: list[tuple[int, float]] = []
        for records in SAMPLES:
            sample = sampled_release(release, records)
            start = clock()
            work(sample)
            timed.append((size(sample), clock() - start))
        return Estimate(seconds_of(timed[0], timed[1], size(release)), memory(release))
    return None


def seconds_of(one: tuple[int, float], other: tuple[int, float], records: int) -> float:
    """The seconds that work takes for so many records, by the records and the seconds of two samples.

    >>> round(seconds_of((1_000, 2.0), (4_000, 4.0), 9_000)), round(seconds_of((1_000, 2.0), (4_000, 4.0), 100_000))
    (6, 63)
    """
    (few, short), (more, longer) = one, other
    exponent = 1.0
    if more > few and min(short, longer) > 0:
        exponent = float(np.clip(np.log(longer / short) / np.log(more / few), *EXPONENTS))
    within = min(records, LINKED) / min(more, LINKED)
    beyond = max(records, LINKED) / max(more, LINKED)
    return longer * float(within**exponent * beyond)


def size(release: Release) -> int:
    """The number of records of the larger file."""
    return max(len(release.original), len(release.masked))


def memory(release: Release) -> int:
    """The bytes that measuring a release takes at its peak."""
    return max(memory_of_a_worker(file) for file in (release.original, release.masked))


def refuse_without_memory(release: Release) -> None:
    """An error where the memory that is free does not suffice to measure a release."""
    needed, free = memory(release), free_memory()
    if free is not None and needed > free:
        raise SdcError(
            f"measuring {size(release):,} records takes about {gigabytes(needed)} and {gigabytes(free)} are free; take "
            "a sample of the records, or fewer columns"
        )


def sampled_release(release: Release, records: int) -> Release:
    """So many rows of a release, at equal distances, with their records."""
    rows = np.arange(len(release.masked))
    if release.corresponds:
        rows = np.flatnonzero(release.origin != NOBODY)
    chosen = _spaced(rows, records)
    if not release.corresponds:
        some = _spaced(np.arange(len(release.original)), records)
        return Release(release.original.take(some), release.masked.take(chosen), release.recipe, release.rows)
    original, masked = release.original.take(release.origin[chosen]), release.masked.take(chosen)
    return Release(original, masked, release.recipe, in_order(len(chosen)))


def _spaced(numbers: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    return numbers[np.linspace(0, len(numbers) - 1, min(count, len(numbers))).astype(np.int64)]


def duration(seconds: float) -> str:
    """Seconds in a unit that suits, with the precision of an estimate.

    >>> duration(0.3), duration(34), duration(100), duration(5400)
    ('1 s', '30 s', '2 min', '1.5 h')
    """
    if seconds < 5:
        return f"{max(round(seconds), 1)} s"
    if seconds < 55:
        return f"{round(seconds, -1):.0f} s"
    return f"{round(seconds / 60)} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
