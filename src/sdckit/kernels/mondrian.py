"""Mondrian: cut the file at medians, again and again, as long as both parts may stand by themselves."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray


class Sensitive(NamedTuple):
    """Confidential values as codes (-1 missing), one column an attribute, and whether the codes are in order."""

    codes: NDArray[np.int64]
    ordered: NDArray[np.bool_]


def mondrian(
    points: NDArray[np.float64],
    k: int,
    sensitive: Sensitive,
    *,
    strict: bool,
    diversity: int = 1,
    closeness: float = 1.0,
) -> NDArray[np.int64]:
    """The group of each record, at least k in each; -1 everywhere where not even the whole file may be one.

    Attributes are cut where the part is widest, as a share of the whole's range; a missing value lies below all others.
    Strict cuts leave equal values together. Every group has `diversity` distinct values of each confidential attribute,
    and a distribution of them at most `closeness` from the whole's (earth mover's distance).
    """
    low, high = np.nanmin(points, axis=0, initial=np.inf), np.nanmax(points, axis=0, initial=-np.inf)
    span = np.where(high > low, high - low, 1.0)
    scaled = np.where(np.isnan(points), -1.0, (points - low) / span)
    categories = max(int(sensitive.codes.max(initial=-1)) + 1, 1)
    counts = np.zeros((sensitive.codes.shape[1], categories))
    for place, column in enumerate(sensitive.codes.T):
        counts[place] = np.bincount(column[column >= 0], minlength=categories)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    upto = np.cumsum(shares, axis=1)
    rule = _Rule(
        k,
        np.ascontiguousarray(sensitive.codes),
        sensitive.ordered,
        shares,
        upto,
        np.hstack([np.zeros((len(upto), 1)), np.cumsum(upto, axis=1)]),
        np.array([max(int((count > 0).nonzero()[0].max(initial=0)), 1) for count in counts], dtype=np.int64),
        diversity,
        closeness + 1e-12,
    )
    labels: NDArray[np.int64] = _mondrian(np.ascontiguousarray(scaled), rule, strict)
    return labels


class _Rule(NamedTuple):
    """When records may be a group: how many, of which confidential values, and how these are spread in the whole."""

    k: int
    codes: NDArray[np.int64]
    ordered: NDArray[np.bool_]
    shares: NDArray[np.float64]
    upto: NDArray[np.float64]  # the shares cumulated
    sums: NDArray[np.float64]  # and these once more, from 0
    steps: NDArray[np.int64]  # from the lowest code to the highest, at least 1
    diversity: int
    closeness: float


@njit(cache=True, nogil=True)
def _ordered_distance(
    codes: NDArray[np.int64], upto: NDArray[np.float64], sums: NDArray[np.float64], steps: int
) -> float:
    """The earth mover's distance of sorted codes from a distribution with these cumulated shares.

    Between two codes the part's share is constant and the whole's rises, so the sum of their differences is known from
    `sums`, the sums of the cumulated shares, once the place where they cross is found.
    """
    total, size, begin = 0.0, len(codes), 0
    for place in range(size + 1):
        end = steps if place == size else min(codes[place], steps)
        share = place / size
        if end > begin:
            cross = begin + np.searchsorted(upto[begin:end], share)
            total += share * (cross - begin) - (sums[cross] - sums[begin])
            total += (sums[end] - sums[cross]) - share * (end - cross)
            begin = end
    return total / steps


@njit(cache=True, nogil=True)
def _may_stand(rows: NDArray[np.int64], rule: _Rule) -> bool:
    """Whether these records may be a group."""
    if len(rows) < rule.k:
        return False
    if rule.diversity <= 1 and rule.closeness >= 1.0:
        return True
    for place in range(rule.codes.shape[1]):
        mine = rule.codes[rows, place]
        mine = np.sort(mine[mine >= 0])
        distinct, far = 0, 0.0
        start = 0
        for end in range(1, len(mine) + 1):
            if end == len(mine) or mine[end] != mine[start]:
                distinct += 1
                far += max((end - start) / len(mine) - rule.shares[place, mine[start]], 0.0)
                start = end
        if distinct < rule.diversity:
            return False
        if len(mine) and rule.ordered[place]:
            far = _ordered_distance(mine, rule.upto[place], rule.sums[place], rule.steps[place])
        if far > rule.closeness:
            return False
    return True


@njit(cache=True, nogil=True)
def _mondrian(points: NDArray[np.float64], rule: _Rule, strict: bool) -> NDArray[np.int64]:
    n, d = points.shape
    order = np.arange(n)
    labels = np.full(n, -1, np.int64)
    if not _may_stand(order, rule):
        return labels
    waiting = [(0, n)]
    groups = 0
    while len(waiting) > 0:
        start, end = waiting.pop()
        size = end - start
        rows = order[start:end].copy()
        cut = 0
        if size >= 2 * rule.k:
            width = np.empty(d)
            for dimension in range(d):
                least, most = np.inf, -np.inf
                for row in rows:
                    least, most = min(least, points[row, dimension]), max(most, points[row, dimension])
                width[dimension] = most - least
            for dimension in np.argsort(-width, kind="mergesort"):
                if width[dimension] <= 0:
                    break
                column = points[rows, dimension]
                by_value = np.argsort(column, kind="mergesort")
                column, rows = column[by_value], rows[by_value]
                middle = size // 2
                before = np.searchsorted(column, column[middle], side="left") if strict else middle
                after = np.searchsorted(column, column[middle], side="right") if strict else middle
                near, far = before, after
                if middle - before > after - middle:
                    near, far = after, before
                for tried in (near, far):
                    if (
                        cut == 0
                        and 0 < tried < size
                        and _may_stand(rows[:tried], rule)
                        and _may_stand(rows[tried:], rule)
                    ):
                        cut = tried
                if cut > 0:
                    break
        order[start:end] = rows
        if cut > 0:
            waiting.append((start + cut, end))
            waiting.append((start, start + cut))
        else:
            labels[rows] = groups
            groups += 1
    return labels
