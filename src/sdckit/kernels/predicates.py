"""Predicates: conditions on a few columns, and how many records of a file meet all of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

BATCH = 256  # predicates at a time, so that a signal is answered in between


@dataclass(frozen=True, eq=False)
class Predicates:
    """One predicate a row: the columns that it looks at, and the interval in which each value must lie.

    An interval from NaN to NaN is met by a missing value, and by no other.
    """

    columns: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.columns)

    def take(self, chosen: NDArray[np.int64]) -> "Predicates":
        """Some of the predicates."""
        return Predicates(self.columns[chosen], self.low[chosen], self.high[chosen])

    def with_more(self, others: "Predicates") -> "Predicates":
        """These and the others, each once, in the order in which they come."""
        columns = np.concatenate([self.columns, others.columns])
        low, high = np.concatenate([self.low, others.low]), np.concatenate([self.high, others.high])
        keys = np.column_stack([columns.astype(np.float64), low, high])
        keys = np.where(np.isnan(keys), np.pi * 1e300, keys) + 0.0  # NaN equals NaN here, and −0 equals 0
        whole = keys.view(np.dtype((np.void, keys.dtype.itemsize * keys.shape[1]))).ravel()
        first = np.sort(np.unique(whole, return_index=True)[1])
        return Predicates(columns[first], low[first], high[first])


def matches(
    predicates: Predicates, values: NDArray[np.float64], *, at_most: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many records meet each predicate, and the first that does (−1: none); counted up to `at_most`."""
    limit = len(values) if at_most is None else at_most
    counts = np.zeros(len(predicates), dtype=np.int64)
    first = np.full(len(predicates), -1, dtype=np.int64)
    by_column = np.ascontiguousarray(values.T)
    for start in range(0, len(predicates), BATCH):
        stop = min(start + BATCH, len(predicates))
        _count(predicates.columns, predicates.low, predicates.high, by_column, limit, start, stop, counts, first)
    return counts, first


@njit(cache=True)
def _count(
    columns: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    values: NDArray[np.float64],
    limit: int,
    start: int,
    stop: int,
    counts: NDArray[np.int64],
    first: NDArray[np.int64],
) -> None:
    for predicate in range(start, stop):
        for record in range(values.shape[1]):
            met = True
            for j in range(columns.shape[1]):
                value = values[columns[predicate, j], record]
                if np.isnan(low[predicate, j]):
                    met = np.isnan(value)
                else:
                    met = low[predicate, j] <= value <= high[predicate, j]
                if not met:
                    break
            if met:
                if counts[predicate] == 0:
                    first[predicate] = record
                counts[predicate] += 1
                if counts[predicate] >= limit:
                    break


def probability_of_one(counts: NDArray[np.int64], records: int, drawn: int) -> NDArray[np.float64]:
    """The probability that exactly one of `drawn` records, drawn from all without replacement, meets a predicate.

    >>> probability_of_one(np.array([0, 1, 2]), 4, 2).round(3).tolist()
    [0.0, 0.5, 0.667]
    """
    from scipy.stats import hypergeom

    return np.asarray(hypergeom.pmf(1, records, counts, drawn), dtype=np.float64)
