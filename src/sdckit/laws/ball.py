"""The ball around some records in a large file: the rows they may have, the records that compete for these, and so on.

Layers are added while they are affordable. Rows at the boundary are also wanted by records outside, who appear as
strangers. How much of a row these take is found by Sinkhorn balancing of a larger ball, with a shell of records around
the first; beyond the shell it is their share in the likelihood of the row.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.tree_search import LikelihoodIndex
from sdckit.laws.blocks import Floats, Indices
from sdckit.laws.possible_rows import candidates_of
from sdckit.laws.release_law import Candidates, ReleaseLaw, compressed
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares, factors
from sdckit.memory import give_back

LISTED = 200  # classes of rows that are candidates of a record, at most: of targets and others alike
BACKGROUND = 1e-8  # weight of every other row beside the likeliest
RIVALS = 100  # records that compete for a class of rows, beside its capacity
RECORDS = 20_000  # of a ball
BATCH = 1_000  # records added at a time, at least
IMPORTANT = 1e-3  # of a target: a record that competes for less is left outside
UNIMPORTANT = 1e-4  # of all targets: rivals for a row that is wanted less are not looked for
SHELL = 2  # records of the shell, for each one of the ball
ROWS = 100_000  # classes of rows whose rivals are looked for
PAIRS = 10_000_000  # of rows and rivals at a time
EFFORT = 2_000  # records evaluated to find the rivals of a row
REPEATS = 4  # of the balancing, where unknown people and known records outside share what is left
LEAST = 1e-6  # share of the likelihood that a list has
ERROR = 0.03  # share of a class of rows that is left to each side of the boundary, since shares are estimates


@dataclass(frozen=True, eq=False)
class Ball:
    """The records and the classes of rows of a ball, in ascending order, their graph, and what the ball leaves out.

    `left_out`   for each record, the share of its likelihood that its list leaves out
    `outside`    for each class of rows, the share that records outside take
    """

    records: Indices
    classes: Indices
    graph: CandidateGraph
    left_out: Floats
    outside: Floats


def ball_around(law: ReleaseLaw, targets: Indices, *, strangers: int = 0, largest: int = RECORDS) -> Ball:
    """The ball around the targets, with at most `largest` records beside them."""
    records = np.unique(targets)
    importance = np.ones(len(records))
    lists = _candidates(law, records, thorough=True)
    index_of_records = law.index_of_records()
    rivals = _no_rivals(law.records)
    most = max(largest, len(records))
    while True:
        wanted = _wanted(law, lists, importance)
        fresh_rows = np.setdiff1d(np.flatnonzero(wanted > UNIMPORTANT), rivals.rows)
        rivals = rivals.joined(_rivals(law, index_of_records, fresh_rows))
        left = most - len(records)
        fresh, strength = rivals.outside(records, wanted, max(left // 2, min(left, BATCH)))
        if not len(fresh):
            break
        importance = np.concatenate([importance, strength])[np.argsort(np.concatenate([records, fresh]))]
        lists, records = _merged(records, lists, fresh, _candidates(law, fresh))
    del index_of_records  # a copy of all records, which the shell does not need
    classes = np.flatnonzero(_members(lists.classes, len(law.rows.sizes)))
    shell, _ = rivals.outside(records, wanted, SHELL * most)
    give_back()
    if len(shell):  # the ball was cut
        share = _share_beside_shell(law, records, lists, rivals, strangers, shell)
    else:
        share = rivals.share_of(records, classes)
    graph, outside = _closed(law, records, lists, rivals, strangers, share)
    return Ball(records, classes, graph, lists.left_out, outside)


def _share_beside_shell(
    law: ReleaseLaw, records: Indices, lists: Candidates, rivals: "Rivals", strangers: int, shell: Indices
) -> Floats:
    """The share of each class of rows that the records of a ball take, after balancing them with a shell around."""
    more, around = _merged(records, lists, shell, _candidates(law, shell))
    law.forget_index()
    give_back()
    classes = np.flatnonzero(_members(more.classes, len(law.rows.sizes)))
    graph, _ = _closed(law, around, more, rivals, strangers, rivals.share_of(around, classes))
    del more  # as large as the graph
    listed = _members(lists.classes, len(law.rows.sizes))
    return _taken(graph, np.isin(around, records), listed[classes])


def _candidates(law: ReleaseLaw, records: Indices, *, thorough: bool = False) -> Candidates:
    """The lists of some records."""
    bounded = thorough and law.exact  # a bound of what is left out counts what is less likely, too
    least = 0.0 if bounded else BACKGROUND
    return _likely(candidates_of(law, LISTED, records, thorough=thorough, least=least))


def _likely(lists: Candidates) -> Candidates:
    """The lists without the classes that are less likely than the background, which every unlisted row has."""
    sizes = np.diff(lists.starts)
    record_of = np.repeat(np.arange(len(sizes)), sizes)
    top = np.full(len(sizes), -np.inf)
    np.maximum.at(top, record_of, lists.log_likelihood)
    kept = lists.log_likelihood > top[record_of] + np.log(BACKGROUND)
    starts = np.concatenate([[0], np.cumsum(_sums(record_of[kept], np.ones(int(kept.sum())), len(sizes)))])
    starts = starts.astype(np.int64)
    return lists._replace(starts=starts, classes=lists.classes[kept], log_likelihood=lists.log_likelihood[kept])


def _taken(graph: CandidateGraph, inside: NDArray[np.bool_], classes: NDArray[np.bool_]) -> Floats:
    """The share of some classes that the records inside take, after balancing."""
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    mine = inside[record_of]
    taken = _sums(graph.classes[mine], balanced_shares(graph)[mine], len(graph.capacity))
    return np.minimum(taken / graph.capacity, 1.0)[classes]


@dataclass(frozen=True, eq=False)
class Rivals:
    """For some classes of rows, the records that compete for each and their shares; the rest is of others.

    `known` is the number of known records.
    """

    known: int
    rows: Indices
    row_of: Indices
    records: Indices
    shares: Floats
    log_total: Floats

    def joined(self, more: "Rivals") -> "Rivals":
        """Those of more rows too."""
        if not len(more.rows):
            return self
        return Rivals(self.known, *(np.concatenate(both) for both in zip(self.fields(), more.fields(), strict=True)))

    def fields(self) -> tuple[Indices, Indices, Indices, Floats, Floats]:
        """The arrays."""
        return self.rows, self.row_of, self.records, self.shares, self.log_total

    def outside(self, records: Indices, wanted: Floats, most: int) -> tuple[Indices, Floats]:
        """The records that compete and are not among these: at most so many, and their importance.

        `wanted` is the importance of every class of rows of the law; a record takes part of it by its share.
        """
        strength = _sums(self.records, self.shares * wanted[self.row_of], self.known)
        strength[records] = 0.0
        others = np.flatnonzero(strength > IMPORTANT)
        strength = strength[others]
        strongest = np.sort(np.lexsort((others, -strength))[:most])
        return others[strongest], strength[strongest]

    def share_of(self, records: Indices, rows: Indices) -> Floats:
        """The share of these records in each of the rows; NaN where rivals were not looked for.

        Other competitors for a row, beside its rivals, are like people drawn at random.
        """
        inside = _members(records, self.known)[self.records]
        order = np.argsort(self.rows)
        position = np.empty(int(self.rows.max(initial=-1)) + 1, np.int64)
        position[self.rows[order]] = np.arange(len(order))
        line = position[self.row_of]
        listed, mine = (
            _sums(line, np.ones(len(line)), len(self.rows)),
            _sums(line, inside.astype(np.float64), len(self.rows)),
        )
        others = np.maximum(1.0 - _sums(line, self.shares, len(self.rows)), 0.0)
        among_others = np.clip((len(records) - mine) / np.maximum(self.known - listed, 1.0), 0.0, 1.0)
        total = _sums(line, self.shares * inside, len(self.rows)) + others * among_others
        share = np.full(len(rows), np.nan)
        asked = np.isin(self.rows[order], rows)
        share[np.searchsorted(rows, self.rows[order][asked])] = total[asked]
        return share


def _wanted(law: ReleaseLaw, lists: Candidates, importance: Floats) -> Floats:
    """The importance of each class of rows: records share theirs among their candidates by the likelihood."""
    sizes = np.diff(lists.starts)
    record_of = np.repeat(np.arange(len(sizes)), sizes)
    top = np.full(len(sizes), -np.inf)
    np.maximum.at(top, record_of, lists.log_likelihood)
    weight = law.rows.sizes[lists.classes] * np.exp(lists.log_likelihood - top[record_of])
    total = _sums(record_of, weight, len(sizes))
    return _sums(lists.classes, weight / total[record_of] * importance[record_of], len(law.rows.sizes))


def _no_rivals(known: int) -> Rivals:
    nothing = np.empty(0, np.int64)
    return Rivals(known, nothing, nothing, nothing, np.empty(0), np.empty(0))


def _rivals(law: ReleaseLaw, index: LikelihoodIndex, rows: Indices) -> Rivals:
    """The likeliest records of each class of rows."""
    rows = rows[:ROWS]
    most = RIVALS + int(law.rows.sizes[rows].max(initial=1))
    most = min(law.records, most, max(RIVALS, PAIRS // max(len(rows), 1)))
    searched = index.likeliest(rows, most, patience=0, effort=max(EFFORT, most), least=BACKGROUND)
    found = compressed(searched)
    line = np.repeat(np.arange(len(rows)), np.diff(found.starts))
    top = np.full(len(rows), -np.inf)
    np.maximum.at(top, line, found.log_likelihood)
    weight = np.exp(found.log_likelihood - top[line])
    total = np.bincount(line, weights=weight, minlength=len(rows)) / np.maximum(1 - found.unlisted, LEAST)
    with np.errstate(divide="ignore"):
        return Rivals(law.records, rows, rows[line], found.classes, weight / total[line], top + np.log(total))


def _merged(records: Indices, lists: Candidates, fresh: Indices, more: Candidates) -> tuple[Candidates, Indices]:
    """The lists of both sets of records, in the order of the records."""
    both = np.concatenate([records, fresh])
    order = np.argsort(both)
    sizes = np.concatenate([np.diff(lists.starts), np.diff(more.starts)])
    begin = np.concatenate([lists.starts[:-1], more.starts[:-1] + lists.starts[-1]])[order]
    sizes = sizes[order]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    edges = np.repeat(begin - starts[:-1], sizes) + np.arange(starts[-1])
    return (
        Candidates(
            starts,
            np.concatenate([lists.classes, more.classes])[edges],
            np.concatenate([lists.log_likelihood, more.log_likelihood])[edges],
            np.concatenate([lists.left_out, more.left_out])[order],
            np.concatenate([lists.unlisted, more.unlisted])[order],
        ),
        both[order],
    )


def _closed(
    law: ReleaseLaw, records: Indices, lists: Candidates, rivals: Rivals, strangers: int, share: Floats
) -> tuple[CandidateGraph, Floats]:
    """The graph of the ball, in which other competitors for its rows are strangers, and the share of rows they take.

    `share` is that of the records inside in each class of rows, NaN where it is not known.
    """
    rows, classes = _numbered(lists.classes, len(law.rows.sizes))
    capacity = law.rows.sizes[rows]
    people, row_count = law.records + strangers, int(law.rows.sizes.sum())
    log_likelihood = lists.log_likelihood
    if people != row_count:
        log_likelihood = log_likelihood - _log_density(lists, classes, rivals, rows, law.records)[classes]
    absent = 1.0 - row_count / people
    sizes = np.diff(lists.starts)
    if people == row_count and sizes.any():  # a factor for each record changes nothing where everybody has a row
        top = np.maximum.reduceat(log_likelihood, lists.starts[:-1][sizes > 0])
        log_likelihood = log_likelihood - np.repeat(top, sizes[sizes > 0])
    filled = int(capacity.sum())
    around = max(round(filled / (1.0 - absent)), filled, len(records)) - len(records)
    graph = CandidateGraph.of(lists.starts, classes, log_likelihood, capacity, background=BACKGROUND, strangers=around)
    del log_likelihood, classes  # as long as all edges
    graph = graph.with_unlisted(lists.unlisted)
    if not around or len(records) == law.records:
        return graph, np.zeros(len(rows))
    outside = 1.0 - _inside(graph, share)
    unknown = min(round((len(records) + around) * strangers / people), around)
    closed = replace(graph, density=_density(graph, np.clip(outside, 0.0, 1.0 - ERROR), unknown, absent))
    return closed, np.clip(outside, 0.0, 1.0)


def _density(graph: CandidateGraph, outside: Floats, unknown: int, absent: float) -> Floats:
    """How likely each class is for somebody who is not in the ball: unknown people, and known records outside.

    Of what known records take of a class, those outside have the share `outside`.
    """
    capacity = graph.capacity.astype(np.float64)
    absences = absent * (graph.records + unknown)
    taken = capacity * unknown / (graph.records + graph.strangers)  # by unknown people
    for _ in range(REPEATS if unknown else 1):
        expected = np.maximum(capacity - outside * (capacity - taken), ERROR * capacity)
        of_class, of_absence = factors(graph, expected, unknown, absences)
        nowhere = of_absence if absences else 0.0
        taken = np.minimum(unknown * of_class / (of_class.sum() + nowhere), capacity)
    wanted = np.maximum(taken + outside * (capacity - taken), ERROR * capacity)
    density: Floats = wanted / np.maximum(of_class, 1e-300)
    if absences:  # somebody outside is absent as often as everybody
        density *= nowhere * (1.0 - absent) / absent / wanted.sum()
    else:
        density /= density.mean()
    return density


def _inside(graph: CandidateGraph, known: Floats) -> Floats:
    """The share of each class that the records inside take: by its rivals, or else by what the records want."""
    sizes = np.diff(graph.starts)
    weight = graph.capacity.astype(np.float64)[graph.classes]
    weight *= graph.weights
    total = np.ones(graph.records)
    total[sizes > 0] = np.maximum(np.add.reduceat(weight, graph.starts[:-1][sizes > 0]), 1e-300)
    weight /= np.repeat(total, sizes)
    wanted = _sums(graph.classes, weight, len(graph.capacity))
    return np.where(np.isnan(known), np.minimum(wanted / graph.capacity, 1.0), known)


def _log_density(lists: Candidates, classes: Indices, rivals: Rivals, rows: Indices, records: int) -> Floats:
    """How likely a row of each class is for somebody like the known records, as a logarithm."""
    density = np.full(len(rows), np.nan)
    asked = np.isin(rivals.rows, rows)
    density[np.searchsorted(rows, rivals.rows[asked])] = rivals.log_total[asked] - np.log(records)
    listed = np.full(len(rows), -np.inf)
    np.logaddexp.at(listed, classes, lists.log_likelihood - np.log(records))
    result: Floats = np.maximum(np.where(np.isfinite(density), density, listed), listed)
    return result


def _numbered(classes: Indices, length: int) -> tuple[Indices, Indices]:
    """The distinct ones of these classes, in ascending order, and the number of each among them: without sorting."""
    present = _members(classes, length)
    return np.flatnonzero(present), (np.cumsum(present) - 1)[classes]


def _members(numbers: Indices, length: int) -> NDArray[np.bool_]:
    """Which of so many numbers occur among these."""
    present = np.zeros(length, dtype=bool)
    present[numbers] = True
    return present


def _sums(index: Indices, values: Floats, length: int) -> Floats:
    return np.bincount(index, weights=values, minlength=length).astype(np.float64)
