"""Mondrian: cut the file at medians, again and again, as long as both parts satisfy the conditions on a group."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.mondrian_models import Judge, groups_by_cuts
from sdckit.kernels.sorting import sort_with_items

PART = 60_000  # differences squared and added up by numpy in the time in which it cuts one part


class Sensitive(NamedTuple):
    """Confidential values as codes (-1 missing), one column per attribute, and whether the codes are ordered."""

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
    also: Judge | None = None,
) -> NDArray[np.int64]:
    """The group of each record, of at least k records; -1 for every record if not even the whole file is a valid group.

    A part is cut on its widest attribute, relative to the range in the whole file; a missing value lies below all
    others. Strict cuts keep equal values together. Every group has at least `diversity` distinct values of each
    confidential attribute, and a distribution of them at most `closeness` from that of the whole file (earth mover's
    distance). `also` is a further condition on the records of a group.
    """
    low, high = np.nanmin(points, axis=0, initial=np.inf), np.nanmax(points, axis=0, initial=-np.inf)
    span = np.where(high > low, high - low, 1.0)
    scaled = np.where(np.isnan(points), -1.0, (points - low) / span)
    categories = int(sensitive.codes.max(initial=0)) + 1
    counts = np.zeros((sensitive.codes.shape[1], categories))
    for index, column in enumerate(sensitive.codes.T):
        counts[index] = np.bincount(column[column >= 0], minlength=categories)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    cumulative = np.cumsum(shares, axis=1)
    rule = _Rule(
        k,
        np.ascontiguousarray(sensitive.codes),
        sensitive.ordered,
        shares,
        cumulative,
        np.hstack([np.zeros((len(cumulative), 1)), np.cumsum(cumulative, axis=1)]),
        np.array([max(int((count > 0).nonzero()[0].max(initial=0)), 1) for count in counts], dtype=np.int64),
        diversity,
        closeness + 1e-12,
    )
    if also is not None:
        return groups_by_cuts(scaled, k, lambda rows: bool(_is_valid_group(rows, rule)) and also(rows), strict=strict)
    if diversity <= 1 and closeness >= 1 and spared(_mondrian, len(points) // k * PART):
        return groups_by_cuts(scaled, k, lambda rows: len(rows) >= k, strict=strict)
    labels: NDArray[np.int64] = _mondrian(np.ascontiguousarray(scaled), rule, strict)
    return labels


class _Rule(NamedTuple):
    """The conditions on a group: its size, and its confidential values against their distribution in the whole file."""

    k: int
    codes: NDArray[np.int64]
    ordered: NDArray[np.bool_]
    shares: NDArray[np.float64]
    cumulative: NDArray[np.float64]  # cumulative shares
    sums: NDArray[np.float64]  # cumulative sums of the cumulative shares, from 0
    steps: NDArray[np.int64]  # from the lowest code to the highest, at least 1
    diversity: int
    closeness: float


@njit(cache=True, nogil=True)
def _ordered_distance(
    codes: NDArray[np.int64], cumulative: NDArray[np.float64], sums: NDArray[np.float64], steps: int
) -> float:
    """The earth mover's distance of sorted codes from a distribution with these cumulative shares.

    Between two codes the cumulative share of the part is constant and that of the whole rises, so the sum of their
    absolute differences follows from `sums` once the crossing point is found.
    """
    total, size, begin = 0.0, len(codes), 0
    for index in range(size + 1):
        end = steps if index == size else min(codes[index], steps)
        share = index / size
        if end > begin:
            cross = begin + np.searchsorted(cumulative[begin:end], share)
            total += share * (cross - begin) - (sums[cross] - sums[begin])
            total += (sums[end] - sums[cross]) - share * (end - cross)
            begin = end
    return total / steps


@njit(cache=True, nogil=True)
def _is_valid_group(rows: NDArray[np.int64], rule: _Rule) -> bool:
    """Whether these records satisfy the conditions on a group."""
    if len(rows) < rule.k:
        return False
    if rule.diversity <= 1 and rule.closeness >= 1.0:
        return True
    for index in range(rule.codes.shape[1]):
        present = rule.codes[rows, index]
        present = present[present >= 0]
        sort_with_items(present, present.copy())
        distinct, far = 0, 0.0
        start = 0
        for end in range(1, len(present) + 1):
            if end == len(present) or present[end] != present[start]:
                distinct += 1
                far += max((end - start) / len(present) - rule.shares[index, present[start]], 0.0)
                start = end
        if distinct < rule.diversity:
            return False
        if len(present) and rule.ordered[index]:
            far = _ordered_distance(present, rule.cumulative[index], rule.sums[index], rule.steps[index])
        if far > rule.closeness:
            return False
    return True


@njit(cache=True, nogil=True)
def _mondrian(points: NDArray[np.float64], rule: _Rule, strict: bool) -> NDArray[np.int64]:
    n, d = points.shape
    order = np.arange(n)
    labels = np.full(n, -1, np.int64)
    if not _is_valid_group(order, rule):
        return labels
    waiting = [(0, n)]
    groups = 0
    while len(waiting) > 0:
        start, end = waiting.pop()
        size = end - start
        rows = order[start:end].copy()
        cut = 0
        if size >= 2 * rule.k:
            width, by_width = np.empty(d), np.arange(d)  # negative widths, so that the widest is first
            for dimension in range(d):
                lowest, highest = np.inf, -np.inf
                for row in rows:
                    lowest, highest = min(lowest, points[row, dimension]), max(highest, points[row, dimension])
                width[dimension] = lowest - highest
            sort_with_items(width, by_width)
            for position in range(d):
                if width[position] >= 0:
                    break
                column = points[rows, by_width[position]]
                sort_with_items(column, rows)
                middle = before = after = size // 2
                while strict and before > 0 and column[before - 1] == column[middle]:
                    before -= 1
                while strict and after < size and column[after] == column[middle]:
                    after += 1
                near, far = before, after
                if middle - before > after - middle:
                    near, far = after, before
                for tried in (near, far):
                    if (
                        cut == 0
                        and 0 < tried < size
                        and _is_valid_group(rows[:tried], rule)
                        and _is_valid_group(rows[tried:], rule)
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
