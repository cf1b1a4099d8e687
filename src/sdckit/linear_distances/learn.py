"""Learning the distance that links the most records: the links found, and a proven upper bound."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from time import process_time

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it publishes no types

from sdckit.linear_distances import milp
from sdckit.linear_distances.bilinear import Bilinear
from sdckit.linear_distances.branch_and_bound import SIGN, least_rows, most_links, one_per_group
from sdckit.linear_distances.candidate_lists import Candidates
from sdckit.linear_distances.choquet import Choquet
from sdckit.linear_distances.conflicts import MARGIN as CONFLICT_MARGIN
from sdckit.linear_distances.conflicts import TOLERANCE, Conflicts, LargestMargin, bound_from_conflicts
from sdckit.linear_distances.elastic_lp import force_lost_records
from sdckit.linear_distances.line_search import EQUAL
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.linkage import Linkage
from sdckit.linear_distances.pairs import Column
from sdckit.linear_distances.search import CONTESTED, Search, Step, unit, unit_rows
from sdckit.linear_distances.weighted_mean import OWA, WeightedMean
from sdckit.linear_distances.working_rows import least_rows_of_all_pairs

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

SEARCHING_FIRST = 0.15  # share of the budget for the search, where the proof is quick
SEARCHING = 0.5  # share of the budget for the search, where the proof takes long
PROVING = 0.75  # share of the rest for conflicts, before the mixed-integer program
IDLE_ROUNDS = 12  # rounds without a gain after which the search ends and the proof begins
SHORT_CYCLE, LONG_CYCLE = 0.1, 0.8  # seconds of an annealing cycle
ALL_PAIRS = 4_000_000  # up to this many pairs, branch and bound is tried on all of them
CLEAR = 1e-6  # margin of unit rows above which links do not depend on rounding
SIMPLEX_ATTRIBUTES = 8  # with more, the simplex has too many corners to halve


class Proof(Enum):
    """How an upper bound was proven."""

    DISTINCT_RECORDS = "identical queries cannot all be linked, nor a record with a rival nearer in everything"
    BRANCH_AND_BOUND = "branch and bound on the weights"
    CONFLICTS = "smallest set of records that hits every conflict"
    MIXED_INTEGER_PROGRAM = "bound of the mixed-integer program"


@dataclass(frozen=True)
class Learned:
    """A learned distance, and the interval [found, bound] that contains the largest number of links in its family."""

    model: LinearDistance
    parameters: Array  # in the units of the attributes
    linked: Flags
    credits: Array  # the share of a link that each query receives
    found: float  # the sum of the credits
    bound: float
    proof: Proof
    margin: float  # the bound is valid for parameters that link by this margin (unit rows, largest parameter 1)
    trail: tuple[Step, ...]

    @property
    def proven(self) -> bool:
        """Whether no member of the family links more records (by the margin)."""
        return self.bound <= self.found + EQUAL


class Clock:
    """The CPU time left of a budget: what is found does not depend on what else the machine does."""

    def __init__(self, seconds: float) -> None:
        self.end = process_time() + seconds
        self.seconds = seconds

    def left(self) -> float:
        return self.end - process_time()

    def over(self) -> bool:
        return self.left() <= 0

    def part(self, share: float) -> Clock:
        """A clock over this share of the time left."""
        return Clock(max(0.0, self.left()) * share)


def learn(
    queries: Array,
    targets: Array,
    truth: Indices,
    model: LinearDistance,
    *,
    budget: float = 5.0,
    rng: np.random.Generator,
    strict: bool = True,
    candidates: Candidates | None = None,
    columns: Sequence[Column] | None = None,
    starts: Sequence[Learned] = (),
) -> Learned:
    """The distance of the family that links the most queries to their true target, within a budget in seconds of CPU.

    Each query is linked to its nearest target; which file has the queries is the direction of the attack. With `strict`
    a tie is no link; otherwise targets that no distance of the family distinguishes share it, in the number found and
    in its bound. `candidates` (a mask, or a list of targets per query) restricts the targets compared. `columns` says
    how attributes are compared that are not numbers; NaN is a missing value. `starts` are learned distances of this
    family or of families it contains: the result links at least as many. A keyboard interrupt ends the search and
    returns the best distance found.
    """
    compiled()
    with threadpool_limits(limits=1):
        clock = Clock(budget)
        linkage = Linkage(queries, targets, truth, model, candidates, strict, columns)
        search = Search(linkage, rng)
        certificate = _distinct(search)
        with suppress(KeyboardInterrupt):
            certificate = _find_and_prove(search, clock, starts)
            _widen_the_margin(search)
    credits = linkage.credits(search.linked)
    found = float(credits.sum())
    bound, proof, margin = certificate
    return Learned(
        model,
        model.normalised(model.off_axes(search.best, linkage.axes)),
        credits > 0,
        credits,
        found,
        bound if bound > found + 2 * TOLERANCE else found,
        proof,
        margin,
        tuple(search.trail),
    )


Certificate = tuple[float, Proof, float]


def _distinct(search: Search) -> Certificate:
    possible = ~search.rows.impossible
    links = one_per_group(search.linkage.weights[possible], search.linkage.groups[possible])
    return links, Proof.DISTINCT_RECORDS, 0.0


def _starts(search: Search, clock: Clock, starts: Sequence[Learned]) -> list[Array]:
    """The starting points: equal importance, Mahalanobis, and members of the families that this one contains."""
    linkage = search.linkage
    model, attributes = linkage.model, linkage.attributes
    begin = [search.start(search.onto_axes(model.arithmetic_mean(attributes)), "arithmetic mean")]
    if isinstance(model, Bilinear | WeightedMean):
        begin.append(search.start(model.embed(np.ones(attributes)), "Mahalanobis"))
    for member in starts:
        embedded = model.embed_member(member.model.name, member.parameters, attributes)
        if embedded is not None:
            begin.append(search.start(search.onto_axes(embedded), member.model.name))
    for smaller in (WeightedMean(), OWA()):
        embedded_already = any(member.model.name == smaller.name for member in starts)
        needed = smaller.name in model.contains and smaller.name != model.name and not embedded_already
        if needed and not clock.over():
            inner = Search(linkage.under(smaller), search.rng)
            _find(inner, [inner.start(inner.onto_axes(smaller.arithmetic_mean(attributes)), "")], clock.part(0.1), 4)
            embedded = model.embed_member(smaller.name, smaller.off_axes(inner.best, inner.linkage.axes), attributes)
            if embedded is not None:
                begin.append(search.start(search.onto_axes(embedded), smaller.name))
    return begin


def _find_and_prove(search: Search, clock: Clock, starts: Sequence[Learned]) -> Certificate:
    linkage = search.linkage
    model, attributes = linkage.model, linkage.attributes
    begin = _starts(search, clock, starts)
    certificate = _distinct(search)
    pairs = linkage.records * linkage.targets
    on_a_simplex = isinstance(model, WeightedMean | OWA) and 1 < attributes <= SIMPLEX_ATTRIBUTES
    halving = on_a_simplex and pairs <= ALL_PAIRS
    share = SEARCHING_FIRST if halving else SEARCHING if len(search.rows.values) <= milp.MAX_ROWS else 1.0
    _find(search, begin, clock.part(share), 2 if halving else IDLE_ROUNDS, certificate[0])
    certificate = _better(certificate, _distinct(search))
    if halving and search.found < certificate[0] - EQUAL:
        certificate = _better(certificate, _halve_the_simplex(search, clock.part(0.8)))
    conflicts = Conflicts(search)
    if search.found < certificate[0] - EQUAL and len(search.rows.values) <= milp.MAX_ROWS:
        certificate = _better(
            certificate,
            (bound_from_conflicts(conflicts, clock.part(PROVING).left), Proof.CONFLICTS, CONFLICT_MARGIN),
            search.found,
        )
    if search.found < certificate[0] - 2 * TOLERANCE:
        bound = milp.fewest_lost(conflicts, clock.left)
        certificate = _better(certificate, (bound, Proof.MIXED_INTEGER_PROGRAM, milp.MARGIN), search.found)
    return certificate


def _halve_the_simplex(search: Search, clock: Clock) -> Certificate:
    """Branch and bound, the weights scaled so that each parameter matters equally for a typical record."""
    linkage = search.linkage
    rows, owners, impossible = least_rows_of_all_pairs(linkage, search.rows.impossible, clock.over)
    present = np.flatnonzero(linkage.truth >= 0)
    own = linkage.model.features(linkage.differences(present, linkage.truth[present])).mean(axis=0)
    scale = 1 / np.maximum(own, 1e-6 * max(own.max(), 1e-300))
    bound = most_links(
        unit_rows(rows * scale), owners, impossible, linkage.groups, linkage.weights, search.found,
        lambda point: search.offer(search.inside(point * scale), "branch and bound"), clock.over,
    )  # fmt: skip
    return bound, Proof.BRANCH_AND_BOUND, SIGN


def _widen_the_margin(search: Search) -> None:
    """Where links depend on rounding, move a little towards the parameters of largest margin for the same records."""
    rows = search.rows
    tightest = (rows.values @ search.best)[search.linked[rows.owners]].min(initial=np.inf)
    if tightest < CLEAR and len(rows.values) <= milp.MAX_ROWS:
        _, point, _ = LargestMargin(search).solve(search.linked)
        if point.any():
            search.settle(search.best + 0.1 * unit(point))


def _better(one: Certificate, other: tuple[float | None, Proof, float], found: float = 0) -> Certificate:
    """The lower of two bounds, the one without a margin where they are equal; a bound is never below `found`."""
    bound, proof, margin = other
    better = bound is not None and max(bound, found) < one[0] - EQUAL
    return (max(bound, found), proof, margin) if bound is not None and better else one


def _find(search: Search, begin: list[Array], clock: Clock, idle_rounds: int, enough: float | None = None) -> None:
    """Search until the time is over, the bound is reached, or many cycles brought no gain."""
    target_links = float(search.linkage.weights.sum()) if enough is None else enough

    def over() -> bool:
        return clock.over() or search.found >= target_links - EQUAL

    seconds = SHORT_CYCLE
    if search.linkage.records > CONTESTED and not over():  # a surrogate takes seconds: only from the best start
        seconds = LONG_CYCLE
        search.anneal(search.best, seconds, over)
        begin = [search.best]
    descent = clock.part(0.3)
    chains = [*begin, *(search.surrogates(point, lambda: over() or descent.over()) for point in begin)]
    idle = 0
    while not over() and idle < idle_rounds and search.size > 1:
        before = search.found
        ends = [search.anneal(point, seconds, over) for point in chains if not over()]
        best_first = sorted(range(len(ends)), key=lambda k: -ends[k][0])
        chains = [ends[k][1] for k in best_first[: (len(ends) + 1) // 2]]
        seconds = min(2 * seconds, LONG_CYCLE)
        idle = 0 if search.found > before + EQUAL else idle + 1
        if len(chains) == 1 and idle > 1:
            force_lost_records(search, over, clock.left)
            shaken = [unit(search.best + 0.5 * unit(point)) for point in begin]
            chains = [search.best, *(search.surrogates(point, over, shaken=True) for point in shaken)]
            seconds = SHORT_CYCLE if search.linkage.records <= CONTESTED else LONG_CYCLE


@cache
def compiled() -> bool:
    """Compile the kernels on a toy file, so that compilation takes nothing of a budget."""
    values = np.random.default_rng(0).normal(size=(6, 2))
    for model in (WeightedMean(), OWA(), Choquet(), Bilinear()):
        for columns in ([Column(), Column()], [Column(absolute=True), Column()]):
            shared = Linkage(values + 0.5, values, np.arange(6), model, strict=False, columns=columns)
            shared.linked(model.arithmetic_mean(2))
        linkage = Linkage(values + 0.5, values, np.arange(6), model)
        search = Search(linkage, np.random.default_rng(0))
        search.start(model.arithmetic_mean(2), "")
        search.surrogates(model.arithmetic_mean(2), lambda: False)
        search.anneal(search.best, 0.01, lambda: False)
    rows = search.rows
    kept = least_rows(rows.values, rows.starts)
    most_links(
        rows.values[kept],
        rows.owners[kept],
        rows.impossible,
        linkage.groups,
        linkage.weights,
        6.0,
        lambda _: 0.0,
        lambda: False,
    )
    return True
