"""A Markov chain over matchings: the posterior probability that a row is a record's own, given all the others.

The chain is a worm algorithm: open a matching at a random record, let the record without a row take one of its
candidate classes with a probability proportional to the likelihood; where the class has a free row, the walk ends, else
a random owner of a row of the class loses it, takes another, and so on. A state with an open record i has the weight of
its matched pairs times Z_i, the sum of i's likelihoods; then every move is in detailed balance, and closed states are
distributed as the product of the likelihoods. A walk can close along any alternating cycle, so matchings that no
exchange of two rows connects are reached as well.

Strangers are interchangeable, so none of them is moved: the rows that no record has are free, and the likelihood of a
pair counts relative to that of a stranger. A free row of a class is taken at random, so a record of a class with f
free rows is opened with probability 1 / (f + 1); of absences, each free one is an option of its own.
"""

from dataclasses import dataclass

import numpy as np

from sdckit.kernels.compiled import COMPILED_SOON, compiled_or_not, njit, spared
from sdckit.matching.graph import CandidateGraph, Floats, Indices
from sdckit.matching.graphs_of_few import RECORD, cumulative_weights_of_few, greedy_of_few
from sdckit.matching.sinkhorn import ROUNDS, balanced

LONGEST = 1_000, 2  # moves of one walk before it is taken back, in all and for each record: the larger of the two
TRIED = 30, 100  # walks that show how long a walk is: at least so many, and one for so many records
NONE = -1
LEAST = 1e-300  # density of a class


@dataclass(frozen=True, eq=False)
class ChainResult:
    """How often each edge was matched in the samples; `elsewhere` counts rows that no edge lists, and absences."""

    counts: Floats
    elsewhere: Floats
    samples: int

    @property
    def posterior(self) -> Floats:
        """The share of the samples in which each edge was matched."""
        return self.counts / self.samples


class Chain:
    """A chain that can be run on: `sample` adds matchings.

    Between two samples lie as many walks as it takes, on average over the burn-in, to move each record once.
    """

    def __init__(
        self, graph: CandidateGraph, rng: np.random.Generator, *, burn_in: int = 50, balancing: int = ROUNDS
    ) -> None:
        scaled = balanced(graph, balancing)
        self._rng = rng
        slot_of, edge_of = _start(scaled, rng)
        self._slots = np.concatenate([[0], np.cumsum(graph.capacity), [graph.row_count + graph.absences]])
        loose, absence, weights = scaled.spread, scaled.absence, scaled.weights
        if graph.strangers:
            density = np.maximum(scaled.density, LEAST)
            loose, absence, weights = loose / density, 1.0, weights / density[graph.classes]
        without_kernel = spared(cumulative_weights, RECORD * graph.records, COMPILED_SOON)
        sums = cumulative_weights_of_few if without_kernel else cumulative_weights
        cumulative, total = sums(scaled.starts, weights)
        self._records, self._absence = graph.records, absence
        self._fixed = (scaled.starts, scaled.classes, cumulative, total, scaled.background, np.cumsum(loose))
        self._state = (*_compact(self._slots, slot_of[: graph.records]), edge_of[: graph.records].copy())
        self._counts, self._elsewhere = np.zeros(len(graph.classes)), np.zeros(graph.records)
        self._samples = 0
        self._walks = 1
        if graph.records:
            few = max(TRIED[0], graph.records // TRIED[1])
            moves = self._run(few, 1, counted=False)
            self._walks = max(1, round(few * graph.records / max(moves, 1)))
            self._run(self._walks, burn_in, counted=False)

    def sample(self, samples: int) -> ChainResult:
        """The result with this number of matchings in all; those that are lacking are drawn."""
        if self._records:
            self._run(self._walks, max(samples - self._samples, 0), counted=True)
        self._samples = max(samples, self._samples)
        return ChainResult(self._counts.copy(), self._elsewhere.copy(), self._samples)

    def _run(self, walks: int, sweeps: int, *, counted: bool) -> int:
        moves: int = _run(
            *self._fixed,
            self._slots,
            self._absence,
            *self._state,
            self._counts,
            self._elsewhere,
            walks,
            sweeps,
            counted,
            self._rng,
        )
        return moves


def sample_matchings(graph: CandidateGraph, samples: int, rng: np.random.Generator) -> ChainResult:
    """Sample matchings from a new chain."""
    return Chain(graph, rng).sample(samples)


def _start(graph: CandidateGraph, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """A slot for everybody, along the edges as far as there is a matching; the others get what is left.

    Slots are the rows, class after class, then the absences. Where the background of somebody without an edge is 0 and
    nobody can be absent, no matching has a positive weight.
    """
    people = graph.records + graph.strangers
    slots = np.concatenate([[0], np.cumsum(graph.capacity)])
    slot_of, edge_of = np.full(people, NONE, dtype=np.int64), np.full(people, NONE, dtype=np.int64)
    first = rng.permutation(graph.records)
    greedy = greedy_of_few if spared(_greedy, RECORD * graph.records, COMPILED_SOON) else _greedy
    greedy(graph.starts, graph.classes, graph.weights, slots[:-1].copy(), slots[1:], slot_of, edge_of, first)
    for record in np.flatnonzero(slot_of[: graph.records] == NONE):
        augment = compiled_or_not(_augment, len(graph.classes))
        augment(int(record), graph.starts, graph.classes, slots, slot_of, edge_of)
    taken = np.zeros(people, dtype=bool)
    taken[slot_of[slot_of != NONE]] = True
    free_rows = np.flatnonzero(~taken[: graph.row_count])
    absences = np.flatnonzero(~taken[graph.row_count :]) + graph.row_count
    without = np.flatnonzero(slot_of[: graph.records] == NONE)
    strict = without[graph.background[without] == 0]
    if len(strict) > len(absences):
        raise ValueError("no matching keeps every promised zero")
    slot_of[strict] = absences[: len(strict)]
    rest = np.concatenate([np.arange(graph.records, people), without[graph.background[without] > 0]])
    left = np.concatenate([free_rows, absences[len(strict) :]])
    slot_of[rest] = left[: len(rest)]
    return slot_of, edge_of


@njit(cache=True)
def _augment(
    record: int, starts: Indices, classes: Indices, slots: Indices, slot_of: Indices, edge_of: Indices
) -> None:
    """Give a record a row by moving others along a shortest path of edges to a class with a free row, if there is one.

    A class is reached by an edge; the records in it are reached from it.
    """
    count = len(slots) - 1
    taken = np.full(slots[-1], NONE, np.int64)
    for other in range(len(starts) - 1):
        if slot_of[other] != NONE:
            taken[slot_of[other]] = other
    reached_by = np.full(count, NONE, np.int64)  # the edge by which a class was reached
    reached_from = np.full(count, NONE, np.int64)  # and the record that has this edge
    queue = np.empty(count, np.int64)
    waiting, done = 0, 0
    person = record
    while True:
        for edge in range(starts[person], starts[person + 1]):
            group = classes[edge]
            if reached_by[group] == NONE:
                reached_by[group], reached_from[group] = edge, person
                queue[waiting] = group
                waiting += 1
                for slot in range(slots[group], slots[group + 1]):
                    if taken[slot] == NONE:
                        free, last = slot, group
                        while True:  # move everybody on the path by one
                            mover, by = reached_from[last], reached_by[last]
                            left = slot_of[mover]
                            slot_of[mover], edge_of[mover] = free, by
                            if mover == record:
                                return
                            free = left
                            last = _class_of(slots, left)
        # The next record that sits in a class which was reached.
        person = NONE
        while done < waiting and person == NONE:
            group = queue[done]
            for slot in range(slots[group], slots[group + 1]):
                other = taken[slot]
                if other >= 0 and other != record:
                    taken[slot] = NONE - 1  # not free, and its record was reached
                    person = other
                    break
            if person == NONE:
                done += 1
        if person == NONE:
            return


@njit(cache=True)
def _greedy(
    starts: Indices,
    classes: Indices,
    weights: Floats,
    free: Indices,
    stop: Indices,
    slot_of: Indices,
    edge_of: Indices,
    order: Indices,
) -> None:
    for record in order:
        best = NONE
        for edge in range(starts[record], starts[record + 1]):
            if free[classes[edge]] < stop[classes[edge]] and (best == NONE or weights[edge] > weights[best]):
                best = edge
        if best != NONE:
            slot_of[record], edge_of[record] = free[classes[best]], best
            free[classes[best]] += 1


@njit(cache=True)
def cumulative_weights(starts: Indices, weights: Floats) -> tuple[Floats, Floats]:
    """The running sums of the weights of each record, and their totals."""
    cumulative = np.empty(len(weights))
    total = np.zeros(len(starts) - 1)
    for record in range(len(starts) - 1):
        running = 0.0
        for edge in range(starts[record], starts[record + 1]):
            running += weights[edge]
            cumulative[edge] = running
        total[record] = running
    return cumulative, total


@njit(cache=True)
def _first_above(cumulative: Floats, low: int, high: int, level: float) -> int:
    """The first index in low..high − 1 whose running sum exceeds the level."""
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] > level:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True)
def _class_of(slots: Indices, slot: int) -> int:
    """The class that has this slot; `slots` has the first slot of each class."""
    low, high = 0, len(slots)
    while low < high:
        middle = (low + high) // 2
        if slots[middle] > slot:
            high = middle
        else:
            low = middle + 1
    return low - 1


def _compact(slots: Indices, slot_of: Indices) -> tuple[Indices, Indices, Indices]:
    """The slot of each record, the record of each slot, and how many of each class are taken: the first ones."""
    group = np.searchsorted(slots, slot_of, side="right") - 1
    taken = np.bincount(group, minlength=len(slots) - 1)
    by_class = np.argsort(group, kind="stable")
    before = np.cumsum(taken) - taken  # records of earlier classes
    own = np.empty(len(slot_of), np.int64)
    own[by_class] = np.arange(len(slot_of)) + (slots[:-1] - before)[group[by_class]]
    owner = np.full(slots[-1], NONE, np.int64)
    owner[own] = np.arange(len(own))
    return own, owner, taken


@njit(cache=True, nogil=True)
def _run(
    starts: Indices,
    classes: Indices,
    cumulative: Floats,
    total: Floats,
    background: Floats,
    loose: Floats,
    slots: Indices,
    absence: float,
    slot_of: Indices,
    owner: Indices,
    taken: Indices,
    edge_of: Indices,
    counts: Floats,
    elsewhere: Floats,
    walks: int,
    sweeps: int,
    counted: bool,
    rng: np.random.Generator,
) -> int:
    """Run sweeps of walks, and count the matching after each; returns the number of moves."""
    records, count = len(slot_of), len(loose)
    mass = loose[-1] if count else 0.0
    absences = slots[count + 1] - slots[count]
    longest = max(LONGEST[0], LONGEST[1] * records)  # walks and their reversals are equally long
    old_slot, old_edge, visited = np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    moves = 0
    for _ in range(sweeps):
        for _ in range(walks):
            record = int(rng.random() * records)
            slot = slot_of[record]
            opened = classes[edge_of[record]] if edge_of[record] != NONE else _class_of(slots, slot)
            free = slots[opened + 1] - slots[opened] - taken[opened]
            if opened < count and free > 0 and rng.random() * (free + 1) >= 1.0:
                continue
            # The slot that becomes free is the last one taken of its class.
            taken[opened] -= 1
            last = slots[opened] + taken[opened]
            other = owner[last]
            owner[slot], slot_of[other] = other, slot
            owner[last], slot_of[record] = record, last
            length = 0
            while True:
                # The weight of the record's options: listed classes, any class by its density, an absence.
                nowhere = absence * max(absences - taken[count], 1) if absences > 0 else 0.0
                level = rng.random() * (total[record] + background[record] * mass + nowhere)
                edge = NONE
                if level < total[record]:
                    edge = _first_above(cumulative, starts[record], starts[record + 1] - 1, level)
                    chosen = classes[edge]
                elif level < total[record] + background[record] * mass:
                    chosen = _first_above(loose, 0, count - 1, rng.random() * mass)
                else:
                    chosen = count
                if length == longest:  # take the walk back: it is as if it had not been begun
                    for step in range(length - 1, -1, -1):
                        slot_of[visited[step]], edge_of[visited[step]] = old_slot[step], old_edge[step]
                    for step in range(length):
                        owner[slot_of[visited[step]]] = visited[step]
                    owner[slot_of[record]] = record
                    taken[opened] += 1
                    break
                visited[length], old_slot[length], old_edge[length] = record, slot_of[record], edge_of[record]
                length += 1
                edge_of[record] = edge
                low, filled = slots[chosen], taken[chosen]
                if low + filled < slots[chosen + 1]:
                    slot_of[record], owner[low + filled] = low + filled, record
                    taken[chosen] += 1
                    break
                slot = low + int(rng.random() * filled)
                loser = owner[slot]
                slot_of[record], owner[slot] = slot, record
                record = loser
            moves += length
        if counted:
            for record in range(records):
                if edge_of[record] == NONE:
                    elsewhere[record] += 1
                else:
                    counts[edge_of[record]] += 1
    return moves
