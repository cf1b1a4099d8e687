"""Pairwise sums of values that arrive in batches: to the last bit those that numpy computes from the whole array.

numpy halves an array until a short piece is left and adds up the halves. The same halves are added up here, piece by
piece in the order of the values, so that no more than one piece is in memory.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 17  # values summed by numpy at once
UNROLLED = 8  # numpy halves at a multiple of this


def pairwise_sum(batches: Iterable[NDArray[np.float64]], count: int, piece: int = PIECE) -> float:
    """The sum of so many values.

    >>> values = np.random.default_rng(1).lognormal(size=1000)
    >>> bool(pairwise_sum(np.array_split(values, 7), 1000, piece=256) == values.sum())
    True
    """
    longest = max(piece, 128)
    return _total(in_pieces(batches, halves(count, longest)), count, longest) if count else 0.0


def _total(pieces: Iterator[NDArray[np.float64]], records: int, longest: int) -> float:
    if records <= longest:
        return float(np.add.reduce(next(pieces)))
    left = _left_half(records)
    return _total(pieces, left, longest) + _total(pieces, records - left, longest)


def halves(count: int, piece: int) -> Iterator[int]:
    """The lengths of the pieces that so many values are halved into."""
    if count <= piece:
        yield count
        return
    left = _left_half(count)
    yield from halves(left, piece)
    yield from halves(count - left, piece)


def in_pieces(batches: Iterable[NDArray[np.float64]], lengths: Iterable[int]) -> Iterator[NDArray[np.float64]]:
    """Values that arrive in batches of any length, in pieces of these lengths."""
    waiting: list[NDArray[np.float64]] = []
    available = 0
    source = iter(batches)
    for length in lengths:
        while available < length:
            batch = next(source)
            waiting.append(batch)
            available += len(batch)
        joined = np.concatenate(waiting) if len(waiting) != 1 else waiting[0]
        yield np.ascontiguousarray(joined[:length])
        waiting, available = [joined[length:]], available - length


def _left_half(count: int) -> int:
    half = count // 2
    return half - half % UNROLLED
