"""Suppression that is counted strictly: by rows with equal values and equal holes, or by the rows a record can be.

By the usual rule a missing value agrees with every value, and a row with holes counts for records that it contradicts
once a third row is looked at. The two rules here do not: `suppress_to_equal_rows` makes classes of k rows with the same
values and the same holes; `suppress_to_possible_rows` leaves, for every record of the file before, k rows that do not
contradict it. Equal rows are possible rows, so the first rule implies the second, and costs more as a rule.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import COMPILED_SOON, njit, spared
from sdckit.kernels.equivalence_classes import MISSING, class_of
from sdckit.kernels.suppression import losses_by_cost, suppress_to_k_anonymity

CELL = 5  # squared differences in the time in which numpy compares one key of a record and a row


def suppress_to_equal_rows(codes: NDArray[np.integer], k: int, costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """The codes with values made missing until every row has at least k rows with the same values and holes.

    Sets of keys are tried from the cheapest on: where the rare records that agree on all other keys, and the rows that
    were made like them before, are at least k, they lose the set. Needs k records.
    """
    out: NDArray[np.int64] = np.array(codes, dtype=np.int64, order="C")
    rare = np.flatnonzero(_sizes(out) < k)
    categories = np.array([len(np.unique(column)) for column in out.T])
    for lost in (mask for level in losses_by_cost(np.asarray(costs, dtype=np.float64), categories) for mask in level):
        if not len(rare):
            return out
        tried = out[rare]
        tried[:, (lost >> np.arange(out.shape[1])) & 1 == 1] = MISSING
        others = np.ones(len(out), dtype=bool)
        others[rare] = False
        sizes = _sizes(np.concatenate([tried, out[others]]))[: len(rare)]
        enough = sizes >= k
        out[rare[enough]] = tried[enough]
        rare = rare[~enough]
    return _emptied(out, rare, k)


def _emptied(out: NDArray[np.int64], rare: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The rows that are left lose all keys; where these are fewer than k, rows of the largest classes join them."""
    out[rare] = MISSING
    empty = (out == MISSING).all(axis=1)
    while len(rare) and empty.sum() < k:
        classes = class_of(out)
        sizes = np.where(empty[classes.first()], 0, classes.sizes)
        largest = int(np.argmax(sizes))
        spare = int(sizes[largest]) - k
        needed = k - int(empty.sum())
        members = np.flatnonzero(classes.of == largest)
        out[members if spare < needed else members[:needed]] = MISSING
        empty = (out == MISSING).all(axis=1)
    return out


def _sizes(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of rows with the same codes, missing ones included."""
    classes = class_of(codes)
    sizes: NDArray[np.int64] = classes.sizes[classes.of]
    return sizes


def suppress_to_possible_rows(codes: NDArray[np.integer], k: int, costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """The codes with values made missing until at least k rows can be each record's; needs k records.

    A row can be a record's if it has no other value than the record on any key that both have. Values go missing by the
    usual rule first, so that every rare record loses some of its own: a few empty rows would be possible for everybody,
    and each rare record would still have a row that fits it far better. Then, for each record with too few possible
    rows, the fewest first, the rows that contradict it at the least cost lose what contradicts it, those of rare
    records first, and so does its own row. What one record gains by that no other one loses.
    """
    original: NDArray[np.int64] = np.array(codes, dtype=np.int64, order="C")
    out = suppress_to_k_anonymity(original, k, costs)
    possible = possible_rows(original, out)
    order = np.argsort(possible, kind="stable")
    rare = order[possible[order] < k]
    widen = _widen_few if spared(_widen, CELL * len(rare) * out.size, COMPILED_SOON) else _widen
    widen(original, out, rare, possible < k, k, np.asarray(costs, dtype=np.float64))
    return out


def possible_rows(records: NDArray[np.integer], rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """How many rows do not contradict each record, on the keys that both have.

    >>> possible_rows(np.array([[1, 1], [1, 2]]), np.array([[1, -1], [1, 2], [-1, 2]])).tolist()
    [1, 3]
    """
    both = class_of(np.asarray(records, dtype=np.int64))
    distinct = np.ascontiguousarray(np.asarray(records, dtype=np.int64)[both.first()])
    released = class_of(np.asarray(rows, dtype=np.int64))
    patterns = np.ascontiguousarray(np.asarray(rows, dtype=np.int64)[released.first()])
    few = spared(_count, CELL * len(distinct) * patterns.size, COMPILED_SOON)
    counts: NDArray[np.int64] = (_count_few if few else _count)(distinct, patterns, released.sizes)[both.of]
    return counts


@njit(cache=True, nogil=True)
def _count(records: NDArray[np.int64], rows: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
    counts = np.zeros(len(records), np.int64)
    for record in range(len(records)):
        for row in range(len(rows)):
            if _fits(records[record], rows[row]):
                counts[record] += times[row]
    return counts


def _count_few(records: NDArray[np.int64], rows: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same in numpy."""
    return np.array([times[~_contradictions(record, rows).any(axis=1)].sum() for record in records], dtype=np.int64)


def _contradictions(record: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where each row has another value than a record, on the keys that both have."""
    contradicts: NDArray[np.bool_] = (rows != record) & (record >= 0) & (rows >= 0)
    return contradicts


@njit(cache=True, nogil=True)
def _fits(record: NDArray[np.int64], row: NDArray[np.int64]) -> bool:
    for key in range(len(record)):
        if record[key] != row[key] and record[key] >= 0 and row[key] >= 0:
            return False
    return True


@njit(cache=True, nogil=True)
def _widen(
    records: NDArray[np.int64],
    rows: NDArray[np.int64],
    rare: NDArray[np.int64],
    is_rare: NDArray[np.bool_],
    k: int,
    costs: NDArray[np.float64],
) -> None:
    """Make values of the rows missing until k fit each of the rare records."""
    n = len(rows)
    price = np.empty(n)
    for record in rare:
        fitting = 0
        for row in range(n):
            price[row] = 0.0
            for key in range(rows.shape[1]):
                mine, theirs = records[record, key], rows[row, key]
                if mine != theirs and mine >= 0 and theirs >= 0:
                    own = costs[key] if rows[record, key] >= 0 else 0.0
                    price[row] += costs[key] + own + (1e-9 if is_rare[row] else 2e-9)
            fitting += price[row] == 0.0
        while fitting < k:
            best = -1
            for row in range(n):
                if price[row] > 0.0 and (best < 0 or price[row] < price[best]):
                    best = row
            for key in range(rows.shape[1]):
                mine, theirs = records[record, key], rows[best, key]
                if mine != theirs and mine >= 0 and theirs >= 0:
                    rows[best, key], rows[record, key] = MISSING, MISSING
            price[best] = 0.0
            fitting += 1


def _widen_few(
    records: NDArray[np.int64],
    rows: NDArray[np.int64],
    rare: NDArray[np.int64],
    is_rare: NDArray[np.bool_],
    k: int,
    costs: NDArray[np.float64],
) -> None:
    """The same in numpy; prices are added up key by key, as the kernel does."""
    small = np.where(is_rare, 1e-9, 2e-9)
    for record in rare:
        contradictions = _contradictions(records[record], rows)
        price = np.zeros(len(rows))
        for key, cost in enumerate(costs):
            own = cost if rows[record, key] >= 0 else 0.0
            price += np.where(contradictions[:, key], cost + own + small, 0.0)
        for _ in range(k - int((price == 0.0).sum())):
            best = int(np.argmin(np.where(price > 0.0, price, np.inf)))
            lost = _contradictions(records[record], rows[best])
            rows[best, lost], rows[record, lost] = MISSING, MISSING
            price[best] = 0.0
