"""A small candidate graph before its chain runs, in numpy: nothing is compiled, and the values are the same."""

import numpy as np

from sdckit.matching.graph import Floats, Indices

RECORD = 1_000  # squared differences in the time in which numpy looks at the edges of one record
EDGE = 6  # and at one edge among many


def greedy_of_few(
    starts: Indices,
    classes: Indices,
    weights: Floats,
    free: Indices,
    stop: Indices,
    slot_of: Indices,
    edge_of: Indices,
    order: Indices,
) -> None:
    """Give each record in turn the next slot of the likeliest of its classes that has one left."""
    for record in order:
        own = classes[starts[record] : starts[record + 1]]
        possible = starts[record] + np.flatnonzero(free[own] < stop[own])
        if len(possible):
            best = possible[np.argmax(weights[possible])]
            slot_of[record], edge_of[record] = free[classes[best]], best
            free[classes[best]] += 1


def cumulative_weights_of_few(starts: Indices, weights: Floats) -> tuple[Floats, Floats]:
    """The running sums of the weights of each record, and their totals."""
    cumulative, total = np.empty(len(weights)), np.zeros(len(starts) - 1)
    for record in np.flatnonzero(np.diff(starts)):
        own = slice(starts[record], starts[record + 1])
        np.cumsum(weights[own], out=cumulative[own])
        total[record] = cumulative[own.stop - 1]
    return cumulative, total


def factors_of_few(
    starts: Indices,
    classes: Indices,
    weights: Floats,
    expected: Floats,
    background: Floats,
    spread: Floats,
    density: Floats,
    absence: float,
    strangers: int,
    absences: float,
    rounds: int,
) -> tuple[Floats, float]:
    """The factors of the classes and of an absence by which `sinkhorn` balances."""
    of_class, of_absence = expected.copy(), 1.0
    record = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    for _ in range(rounds):
        nowhere = absence * of_absence if absences > 0 else 0.0
        total = background * _in_turn(0.0, spread * of_class) + nowhere
        np.add.at(total, record, weights * of_class[classes])
        of_person = np.divide(1.0, total, out=np.ones_like(total), where=total > 0)
        by_strangers = _in_turn(0.0, density * of_class) + nowhere
        of_stranger = 1.0 / by_strangers if by_strangers > 0 else 1.0
        taken = spread * _in_turn(0.0, background * of_person) + density * strangers * of_stranger
        np.add.at(taken, classes, weights * of_person[record])
        of_class = np.divide(expected, taken, out=np.ones_like(taken), where=taken > 0)
        if absences > 0:
            of_absence = absences / (absence * _in_turn(strangers * of_stranger, of_person))
    return of_class, of_absence


def _in_turn(first: float, values: Floats) -> float:
    """The sum of numbers added one after the other, as a kernel adds them."""
    return float(np.cumsum(np.append(first, values))[-1])
