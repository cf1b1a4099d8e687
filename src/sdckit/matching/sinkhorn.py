"""Sinkhorn balancing: scale likelihoods so that every person takes one row and every row one person, in expectation.

Scaling all likelihoods of a row by a factor changes no posterior over matchings, as each row is taken exactly once. On
balanced likelihoods no row is starved, so the chain's walks close quickly; and the balanced shares are themselves a
fast approximation of the posterior.
"""

from dataclasses import replace

import numpy as np

from sdckit.kernels.compiled import COMPILED_SOON, njit, spared
from sdckit.matching.graph import CandidateGraph, Floats, Indices
from sdckit.matching.graphs_of_few import EDGE, factors_of_few

ROUNDS = 50


def balanced(graph: CandidateGraph, rounds: int = ROUNDS) -> CandidateGraph:
    """The graph with the weights of every class scaled so that, in expectation, it is taken as often as it has rows."""
    of_class, of_absence = factors(graph, graph.capacity, graph.strangers, graph.absences, rounds)
    return replace(
        graph,
        weights=graph.weights * of_class[graph.classes],
        spread=graph.spread * of_class,
        density=graph.density * of_class,
        absence=graph.absence * of_absence,
    )


def factors(
    graph: CandidateGraph, expected: Floats | Indices, strangers: int, absences: float, rounds: int = ROUNDS
) -> tuple[Floats, float]:
    """The factors of the classes and of an absence, so that each class is taken as often as expected."""
    few = spared(_factors, EDGE * rounds * len(graph.classes), COMPILED_SOON)
    of_class, of_absence = (factors_of_few if few else _factors)(
        graph.starts,
        graph.classes,
        graph.weights,
        np.asarray(expected, dtype=np.float64),
        graph.background,
        graph.spread,
        graph.density,
        graph.absence,
        strangers,
        float(absences),
        rounds,
    )
    return of_class, of_absence


def balanced_shares(graph: CandidateGraph, rounds: int = ROUNDS) -> Floats:
    """The share of each edge in what its record can take, after balancing: the approximate posterior of the class."""
    scaled = balanced(graph, rounds)
    shares, filled = scaled.weights, np.diff(graph.starts) > 0
    total = np.full(graph.records, scaled.background * scaled.spread.sum() + (graph.absences > 0) * scaled.absence)
    total[filled] += np.add.reduceat(shares, graph.starts[:-1][filled])
    shares /= np.repeat(np.where(total > 0, total, 1.0), np.diff(graph.starts))  # of our own: there may be many
    return shares


@njit(cache=True)
def _factors(
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
    """The factors of the classes and of an absence."""
    of_person, of_class = np.empty(len(starts) - 1), expected.copy()
    of_stranger, of_absence = 1.0, 1.0
    taken = np.zeros(len(density))
    for _ in range(rounds):
        mass, of_strangers = 0.0, 0.0
        for index in range(len(of_class)):
            mass += spread[index] * of_class[index]
            of_strangers += density[index] * of_class[index]
        nowhere = absence * of_absence if absences > 0 else 0.0
        for record in range(len(of_person)):
            total = background[record] * mass + nowhere
            for edge in range(starts[record], starts[record + 1]):
                total += weights[edge] * of_class[classes[edge]]
            of_person[record] = 1.0 / total if total > 0 else 1.0
        of_stranger = 1.0 / (of_strangers + nowhere) if of_strangers + nowhere > 0 else 1.0
        loose = 0.0
        for record in range(len(of_person)):
            loose += background[record] * of_person[record]
        for index in range(len(of_class)):
            taken[index] = spread[index] * loose + density[index] * strangers * of_stranger
        everybody = strangers * of_stranger
        for record in range(len(of_person)):
            everybody += of_person[record]
            for edge in range(starts[record], starts[record + 1]):
                taken[classes[edge]] += weights[edge] * of_person[record]
        for index in range(len(of_class)):
            of_class[index] = expected[index] / taken[index] if taken[index] > 0 else 1.0
        if absences > 0:
            of_absence = absences / (absence * everybody)
    return of_class, of_absence
