"""The chain over matchings, move by move, beside a twin in plain lists that draws the same numbers."""

from itertools import permutations

import numpy as np
import pytest

from sdckit.matching import chain as module
from sdckit.matching.chain import (
    Chain,
    _augment,
    _class_of,
    _compact,
    _first_above,
    _greedy,
    _start,
    cumulative_weights,
)
from sdckit.matching.graph import CandidateGraph


class Twin:
    """A matching as a list of records for each class, the last one being that of the absences."""

    def __init__(self, chain: Chain) -> None:
        self.starts, self.classes, _, _, self.background, loose = chain._fixed
        self.cumulative = chain._fixed[2]
        self.spread = np.diff(loose, prepend=0.0).tolist()
        self.absence = chain._absence
        self.capacity = np.diff(chain._slots).tolist()
        slot_of, _, _, edge_of = chain._state
        order = np.argsort(slot_of)
        of_class = np.searchsorted(chain._slots, slot_of, side="right") - 1
        self.members = [[int(each) for each in order if of_class[each] == group] for group in range(len(self.capacity))]
        self.edges = edge_of.tolist()
        self.counts, self.elsewhere = [0] * len(self.classes), [0] * len(self.edges)
        self.moves = self.taken_back = 0

    def class_of(self, record: int) -> int:
        return next(group for group, members in enumerate(self.members) if record in members)

    def option(self, record: int, rng: np.random.Generator) -> tuple[int, int]:
        """A class, and the edge by which it was chosen (−1: none), with probability proportional to its weight."""
        own = range(self.starts[record], self.starts[record + 1])
        listed = self.cumulative[own[-1]] if own else 0.0
        anywhere = self.background[record] * sum(self.spread)
        absences = self.capacity[-1]
        nowhere = self.absence * max(absences - len(self.members[-1]), 1) if absences else 0.0
        level = rng.random() * (listed + anywhere + nowhere)
        if level < listed:
            edge = next(each for each in own if self.cumulative[each] > level)
            return int(self.classes[edge]), edge
        if level < listed + anywhere:
            running = np.cumsum(self.spread)
            level = rng.random() * running[-1]
            return next(group for group, total in enumerate(running) if total > level), -1
        return len(self.spread), -1

    def walk(self, rng: np.random.Generator, longest: int) -> None:
        record = int(rng.random() * len(self.edges))
        opened = self.class_of(record)
        members = self.members[opened]
        free = self.capacity[opened] - len(members)
        if opened < len(self.spread) and free and rng.random() * (free + 1) >= 1:
            return
        at, last = members.index(record), members.pop()
        if at < len(members):
            members[at] = last
        before, edges, first = [list(each) for each in self.members], list(self.edges), record
        for _ in range(longest):
            group, edge = self.option(record, rng)
            self.edges[record] = edge
            self.moves += 1
            if len(self.members[group]) < self.capacity[group]:
                self.members[group].append(record)
                return
            at = int(rng.random() * len(self.members[group]))
            record, self.members[group][at] = self.members[group][at], record
        self.option(record, rng)  # which the chain draws before it sees how long the walk is
        self.members, self.edges = before, edges
        self.members[opened].append(first)
        self.taken_back += 1

    def run(self, walks: int, sweeps: int, rng: np.random.Generator) -> None:
        for _ in range(sweeps):
            for _ in range(walks):
                self.walk(rng, max(1_000, 2 * len(self.edges)))
            for record, edge in enumerate(self.edges):
                if edge < 0:
                    self.elsewhere[record] += 1
                else:
                    self.counts[edge] += 1


def random_graph(seed: int) -> CandidateGraph:
    """Few records, with classes of several rows, backgrounds, strangers and absences."""
    rng = np.random.default_rng(seed)
    records, classes = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    capacity = rng.integers(1, 3, classes)
    strangers = max(int(capacity.sum()) - records, 0) + int(rng.integers(0, 3))
    listed = [np.flatnonzero(rng.random(classes) < 0.7) for _ in range(records)]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in listed])])
    edges = np.concatenate(listed).astype(np.int64)
    density = rng.gamma(2.0, size=classes) if rng.random() < 0.5 else None
    return CandidateGraph.of(
        starts,
        edges,
        np.log(rng.gamma(1.0, size=len(edges)) + 0.01),
        capacity,
        background=0.2,
        density=density,
        strangers=strangers,
    )


def agrees(graph: CandidateGraph, seed: int, walks: int, sweeps: int) -> Twin:
    chain = Chain(graph, np.random.default_rng(seed), burn_in=0)
    twin = Twin(chain)
    counts, elsewhere = np.zeros(len(graph.classes)), np.zeros(graph.records)
    moves = module._run(
        *chain._fixed,
        chain._slots,
        chain._absence,
        *chain._state,
        counts,
        elsewhere,
        walks,
        sweeps,
        True,
        np.random.default_rng(seed),
    )
    twin.run(walks, sweeps, np.random.default_rng(seed))
    assert counts.tolist() == twin.counts and elsewhere.tolist() == twin.elsewhere
    slot_of, owner, taken, edge_of = chain._state
    assert edge_of.tolist() == twin.edges and taken.tolist() == [len(each) for each in twin.members]
    for group, members in enumerate(twin.members):
        low = chain._slots[group]
        assert owner[low : low + len(members)].tolist() == members
        assert slot_of[members].tolist() == list(range(low, low + len(members)))
    assert twin.taken_back or moves == twin.moves
    return twin


@pytest.mark.parametrize("seed", range(25))
def test_every_move_is_that_of_the_twin(seed):
    agrees(random_graph(seed), seed, 7, 4)


def test_walks_that_are_too_long_are_taken_back_as_by_the_twin():
    """Around a cycle, a walk that goes far takes more moves than are allowed."""
    count = 100
    around = np.sort(np.stack([np.arange(count), (np.arange(count) + 1) % count], axis=1), axis=1).ravel()
    graph = CandidateGraph.of(2 * np.arange(count + 1), around, np.zeros(2 * count), np.ones(count, np.int64))
    twin = agrees(graph, 2, 60, 1)
    assert 0 < twin.taken_back < 60


def test_running_sums_by_hand():
    cumulative, total = cumulative_weights(np.array([0, 2, 2, 5]), np.array([1.0, 2.0, 4.0, 1.0, 0.5]))
    assert (cumulative.tolist(), total.tolist()) == ([1, 3, 4, 5, 5.5], [3, 0, 5.5])


def test_the_first_running_sum_above_a_level():
    sums = np.array([0.0, 1.0, 1.0, 3.0, 5.0])
    for low in range(5):
        for high in range(low, 5):
            for level in (-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0):
                expected = next((each for each in range(low, high) if sums[each] > level), high)
                assert _first_above(sums, low, high, level) == expected


def test_the_class_of_a_slot():
    slots = np.array([0, 2, 3, 3, 7])
    assert [_class_of(slots, slot) for slot in range(8)] == [0, 0, 1, 3, 3, 3, 3, 4]


def test_taken_slots_come_first_in_their_class():
    """Of classes with 3, 1 and 2 slots; records keep their order within a class."""
    own, owner, taken = _compact(np.array([0, 3, 4, 6]), np.array([2, 5, 0, 3]))
    assert (own.tolist(), owner.tolist(), taken.tolist()) == ([0, 4, 1, 3], [0, 2, -1, 3, 1, -1], [2, 1, 1])


def test_records_take_the_likeliest_free_class_one_after_the_other():
    starts, classes, weights = np.array([0, 2, 4, 6]), np.array([0, 1, 0, 1, 0, 1]), np.array([5.0, 1, 4, 3, 2, 9])
    slot_of, edge_of = np.full(3, -1), np.full(3, -1)
    _greedy(starts, classes, weights, np.array([0, 1]), np.array([1, 3]), slot_of, edge_of, np.array([1, 0, 2]))
    assert (slot_of.tolist(), edge_of.tolist()) == ([1, 0, 2], [1, 2, 5])
    tied = np.full(1, -1), np.full(1, -1)
    _greedy(np.array([0, 2]), np.array([0, 1]), np.ones(2), np.array([0, 1]), np.array([1, 2]), *tied, np.array([0]))
    assert tied[1].tolist() == [0]
    full = np.full(1, -1), np.full(1, -1)
    _greedy(np.array([0, 1]), np.array([0]), np.ones(1), np.array([1]), np.array([1]), *full, np.array([0]))
    assert full[0].tolist() == [-1]


def most_matched(listed: list[list[int]], capacity: list[int]) -> int:
    """How many records can have a row of their list at once, by trying all orders."""
    best = 0
    for order in permutations(range(len(listed))):
        free, matched = list(capacity), 0
        for record in order:
            group = next((each for each in listed[record] if free[each]), None)
            if group is not None:
                free[group] -= 1
                matched += 1
        best = max(best, matched)
    return best


@pytest.mark.parametrize("seed", range(20))
def test_paths_lead_to_as_many_rows_as_can_be_taken(seed):
    """A record without a row gets one wherever all that have one can keep one."""
    rng = np.random.default_rng(seed)
    records, classes = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    capacity = rng.integers(1, 3, classes)
    listed = [sorted(set(rng.integers(0, classes, rng.integers(0, 3)).tolist())) for _ in range(records)]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in listed])]).astype(np.int64)
    edges = np.array([each for group in listed for each in group], dtype=np.int64)
    slots = np.concatenate([[0], np.cumsum(capacity)])
    slot_of, edge_of = np.full(records, -1), np.full(records, -1)
    for record in range(records):
        before = (slot_of >= 0).sum()
        _augment(record, starts, edges, slots, slot_of, edge_of)
        assert before <= (slot_of >= 0).sum() <= before + 1
    own = np.flatnonzero(slot_of >= 0)
    assert len(set(slot_of[own].tolist())) == len(own)
    assert all(slots[edges[edge_of[each]]] <= slot_of[each] < slots[edges[edge_of[each]] + 1] for each in own)
    assert all(starts[each] <= edge_of[each] < starts[each + 1] for each in own)
    chosen = [listed[each] for each in range(records)]
    assert len(own) == max(most_matched([part[::step] for part in chosen], capacity.tolist()) for step in (1, -1))


def test_everybody_starts_with_a_slot_of_its_own():
    for seed in range(12):
        graph = random_graph(seed)
        slot_of, edge_of = _start(graph, np.random.default_rng(seed))
        assert sorted(slot_of.tolist()) == list(range(graph.records + graph.strangers))
        slots = np.concatenate([[0], np.cumsum(graph.capacity)])
        for record in range(graph.records):
            if edge_of[record] >= 0:
                group = graph.classes[edge_of[record]]
                assert graph.starts[record] <= edge_of[record] < graph.starts[record + 1]
                assert slots[group] <= slot_of[record] < slots[group + 1]
        assert (edge_of[graph.records :] == -1).all()


def test_who_has_no_background_and_no_row_is_absent():
    """Two records want one row; without a background the other is absent, or there is no matching."""
    both = (np.array([0, 1, 2]), np.array([0, 0]), np.zeros(2))
    one = CandidateGraph.of(*both, np.array([1]))
    slot_of, edge_of = _start(one, np.random.default_rng(0))
    assert sorted(slot_of.tolist()) == [0, 1] and sorted(edge_of.tolist()) in ([-1, 0], [-1, 1])
    with pytest.raises(ValueError, match="promised zero"):
        _start(CandidateGraph.of(*both, np.array([1, 1])), np.random.default_rng(0))
    loose = CandidateGraph.of(*both, np.array([1, 1]), background=0.1)
    assert sorted(_start(loose, np.random.default_rng(0))[0].tolist()) == [0, 1]


def test_samples_are_added_and_never_taken_away():
    graph = random_graph(1)
    chain = Chain(graph, np.random.default_rng(0))
    three, five = chain.sample(3), chain.sample(5)
    again = chain.sample(4)
    assert (three.samples, five.samples, again.samples) == (3, 5, 5)
    assert three.counts.sum() + three.elsewhere.sum() == 3 * graph.records
    assert five.counts.sum() + five.elsewhere.sum() == 5 * graph.records
    assert np.array_equal(five.counts, again.counts) and (five.counts >= three.counts).all()
    assert five.posterior.tolist() == (five.counts / 5).tolist()
    nobody = CandidateGraph.of(np.array([0]), np.empty(0, np.int64), np.empty(0), np.array([1]), strangers=1)
    assert Chain(nobody, np.random.default_rng(0)).sample(2).counts.size == 0


def test_as_many_walks_lie_between_two_samples_as_move_each_record_once(monkeypatch):
    """Of 30 walks with 2 moves each, half as many as there are records move each of them."""
    graph = random_graph(2)
    runs = []

    def run(self, walks, sweeps, *, counted):
        runs.append((walks, sweeps, counted))
        return 2 * walks * sweeps

    monkeypatch.setattr(Chain, "_run", run)
    chain = Chain(graph, np.random.default_rng(0), burn_in=9)
    assert runs == [(30, 1, False), (max(1, round(graph.records / 2)), 9, False)]
    chain.sample(4)
    assert runs[-1] == (max(1, round(graph.records / 2)), 4, True)
