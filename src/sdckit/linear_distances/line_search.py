"""Exact search along lines: each record is linked on an interval of t in p + t·q, so the number of links is exact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MARGIN = 1e-9  # of a unit row by a unit parameter vector: below it a link depends on rounding
EQUAL = 1e-9  # numbers of links that differ by less are equal: weights are summed in any order
INSIDE = 0.999  # share of the way to the border of the cone that a step may take


@njit(cache=True, nogil=True)
def _semidefinite_range(point: Array, direction: Array, order: int) -> tuple[float, float]:
    """The range of t for which P + tQ stays positive definite, for a positive definite P."""
    matrix, change = np.zeros((order, order)), np.zeros((order, order))
    k = 0
    for i in range(order):
        for j in range(i, order):
            matrix[i, j] = matrix[j, i] = point[k]
            change[i, j] = change[j, i] = direction[k]
            k += 1
    sizes, vectors = np.linalg.eigh(matrix)
    root = vectors / np.sqrt(np.maximum(sizes, 1e-12))  # the floor is for matrices on the border of the cone
    values = np.linalg.eigvalsh(root.T @ change @ root)
    low = -1 / values[-1] if values[-1] > 0 else -np.inf
    high = -1 / values[0] if values[0] < 0 else np.inf
    return low, high


@njit(cache=True, nogil=True)
def towards_the_cone(point: Array, inequalities: Array, slack: float, sweeps: int) -> Array:
    """Project the point onto each violated inequality in turn: alternating projections, for at most `sweeps` sweeps."""
    moved = point.copy()
    for _ in range(sweeps):
        outside = False
        for g in range(len(inequalities)):
            short = slack - inequalities[g] @ moved
            if short > 0:
                moved += short * inequalities[g]
                outside = True
        if not outside:
            break
    return moved


@njit(cache=True, nogil=True)
def _towards_a_lost_record(
    rows: Array, starts: Indices, value: Array, inequalities: Array, slack: Array, uniforms: Array, direction: Array
) -> None:
    """The worst row of a lost record, made orthogonal to some of the tightest rows of linked records and inequalities.

    In this direction the record comes nearer to its link while the records that would be lost first stay linked: it
    leads into narrow regions where many records are linked by a small margin.
    """
    records, size = len(starts) - 1, len(direction)
    linked = np.ones(records, np.bool_)
    for i in range(records):
        for r in range(starts[i], starts[i + 1]):
            if value[r] <= MARGIN:
                linked[i] = False
                break
    pick, worst = int(uniforms[2] * records), -1
    for shift in range(records):
        i = (pick + shift) % records
        if not linked[i] and starts[i] < starts[i + 1]:
            worst = starts[i] + np.argmin(value[starts[i] : starts[i + 1]])
            break
    if worst < 0:
        return
    direction[:] = rows[worst]
    fixed = min(int(uniforms[3] * (size - 1)), len(rows) + len(inequalities) - 1)
    if fixed == 0:
        return
    slack_of = np.full(len(rows) + len(inequalities), np.inf)
    for i in range(records):
        if linked[i]:
            slack_of[starts[i] : starts[i + 1]] = value[starts[i] : starts[i + 1]]
    slack_of[len(rows) :] = slack
    near = np.flatnonzero(slack_of <= np.partition(slack_of, fixed)[fixed])
    basis, kept = np.empty((fixed, size)), 0
    for r in near[np.argsort(slack_of[near])]:
        if kept == fixed or not np.isfinite(slack_of[r]):
            break
        row = rows[r].copy() if r < len(rows) else inequalities[r - len(rows)].copy()
        for k in range(kept):
            row -= (row @ basis[k]) * basis[k]
        length = np.linalg.norm(row)
        if length > 1e-6:
            basis[kept] = row / length
            direction -= (direction @ basis[kept]) * basis[kept]
            kept += 1


@njit(cache=True, nogil=True)
def hit_and_run(
    rows: Array,
    starts: Indices,
    weights: Array,
    inequalities: Array,
    order: int,
    point: Array,
    directions: Array,
    uniforms: Array,
    temperatures: Array,
) -> tuple[Array, float, Array]:
    """Hit-and-run: move along random lines through the point with density exp(links / temperature) × angle.

    A record counts for its weight. On a line the number of links is piecewise constant, so the density is sampled
    exactly; as the temperature falls it concentrates on the stretch with the most links. A direction of zeros means one
    towards a lost record. `order` is that of the positive definite matrix the parameters must form, or 0. Returns the
    point with the most links met, its links, and the last point.
    """
    records = len(starts) - 1
    point = point / np.linalg.norm(point)
    value = rows @ point
    best_point, best = point.copy(), -1.0
    uniform = bool((weights == 1).all())
    opens, closes = np.empty(records), np.empty(records)
    opening_weights, closing_weights = np.ones(records), np.ones(records)
    edges, depths = np.empty(2 * records + 2), np.empty(2 * records + 1)
    for step in range(len(directions)):
        direction = directions[step].copy()
        slack = inequalities @ point
        if not direction.any():
            _towards_a_lost_record(rows, starts, value, inequalities, slack, uniforms[step], direction)
        direction -= (direction @ point) * point
        length = np.linalg.norm(direction)
        if length < 1e-12:
            continue
        direction /= length
        slope = rows @ direction
        low, high = -np.inf, np.inf
        if len(inequalities) > 0:
            pace = inequalities @ direction
            for g in range(len(inequalities)):
                if pace[g] > 1e-15:
                    low = max(low, -slack[g] / pace[g])
                elif pace[g] < -1e-15:
                    high = min(high, -slack[g] / pace[g])
        if order > 0:
            lowest, highest = _semidefinite_range(point, direction, order)
            low, high = max(low, lowest), min(high, highest)
        low, high = min(low * INSIDE, 0.0), max(high * INSIDE, 0.0)
        if low >= high:
            continue

        base, opening, closing = 0.0, 0, 0
        for i in range(records):
            start, end = low, high
            for r in range(starts[i], starts[i + 1]):
                above, pace_of_row = value[r] - MARGIN, slope[r]
                if pace_of_row > 0:
                    t = -above / pace_of_row
                    if t > start:
                        start = t
                elif pace_of_row < 0:
                    t = -above / pace_of_row
                    if t < end:
                        end = t
                elif above <= 0:
                    start = end
                if start >= end:
                    break
            if start < end:
                if start <= low:
                    base += weights[i]
                else:
                    opens[opening], opening_weights[opening] = start, weights[i]
                    opening += 1
                if end < high:
                    closes[closing], closing_weights[closing] = end, weights[i]
                    closing += 1
        if uniform:
            first, second = np.sort(opens[:opening]), np.sort(closes[:closing])
            gains, drops = opening_weights, closing_weights
        else:
            by_opening, by_closing = np.argsort(opens[:opening]), np.argsort(closes[:closing])
            first, second = opens[by_opening], closes[by_closing]
            gains, drops = opening_weights[by_opening], closing_weights[by_closing]
        edges[0] = np.arctan(low)
        depths[0] = base
        a, b, pieces = 0, 0, 0
        while a < opening or b < closing:
            if b >= closing or (a < opening and first[a] < second[b]):
                t, change = first[a], gains[a]
                a += 1
            else:
                t, change = second[b], -drops[b]
                b += 1
            pieces += 1
            edges[pieces] = np.arctan(t)
            depths[pieces] = depths[pieces - 1] + change
        edges[pieces + 1] = np.arctan(high)

        top, widest = -1.0, 0
        for k in range(pieces + 1):
            width = edges[k + 1] - edges[k]
            wider = depths[k] > top - EQUAL and width > edges[widest + 1] - edges[widest]
            if width > 1e-12 and (depths[k] > top + EQUAL or wider):
                top, widest = depths[k], k
        if top < 0:
            continue
        if top > best + EQUAL:
            angle = (edges[widest] + edges[widest + 1]) / 2
            best, best_point = top, np.cos(angle) * point + np.sin(angle) * direction
        total = 0.0
        for k in range(pieces + 1):
            total += (edges[k + 1] - edges[k]) * np.exp((depths[k] - top) / temperatures[step])
        left, chosen = uniforms[step, 0] * total, widest
        for k in range(pieces + 1):
            left -= (edges[k + 1] - edges[k]) * np.exp((depths[k] - top) / temperatures[step])
            if left <= 0:
                chosen = k
                break
        share = 0.05 + 0.9 * uniforms[step, 1]
        angle = edges[chosen] + share * (edges[chosen + 1] - edges[chosen])
        point = np.cos(angle) * point + np.sin(angle) * direction
        value = np.cos(angle) * value + np.sin(angle) * slope
    return best_point, best, point
