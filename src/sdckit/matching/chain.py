"""A Markov chain over matchings: the posterior probability that a row is a record's own, given all the others.

The chain is a worm: open a matching at a random record, let the record without a row take one of its candidates with a
probability proportional to the likelihood, let whoever loses that row take another, and so on, until the open row is
taken. A state with an open record i has the weight of its matched pairs times Z_i, the sum of i's likelihoods; then
every move is in detailed balance, nothing is ever rejected, and closed states are distributed as the product of the
likelihoods. A walk can close along any alternating cycle, so matchings that no exchange of two rows connects are
reached as well.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from sdckit.kernels.compiled import njit
from sdckit.matching.graph import CandidateGraph, Floats, Indices
from sdckit.matching.sinkhorn import balanced

LONGEST = 1_000  # moves of one walk before it is taken back; walks and their reversals are equally long
UNMATCHED = -1


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


def sample_matchings(
    graph: CandidateGraph, samples: int, rng: np.random.Generator, *, burn_in: int = 20, start: Indices | None = None
) -> ChainResult:
    """Sample matchings, one after as many walks as there are records; `start` gives a row to each record."""
    graph = balanced(graph)
    people = graph.records + graph.strangers
    row_of = _extended(graph, start if start is not None else any_matching(graph), rng)
    owner = np.empty(people, dtype=np.int64)
    owner[row_of] = np.arange(people)
    cumulative, total = cumulative_weights(graph.starts, graph.weights)
    density = np.cumsum(graph.density)
    counts, elsewhere = np.zeros(len(graph.rows)), np.zeros(graph.records)
    edge_of = np.full(people, UNMATCHED, dtype=np.int64)
    _locate(graph.starts, graph.rows, row_of, edge_of, graph.records)
    _run(
        graph.starts,
        graph.rows,
        cumulative,
        total,
        graph.background,
        density,
        graph.records,
        graph.row_count,
        graph.absence,
        row_of,
        owner,
        edge_of,
        counts,
        elsewhere,
        burn_in,
        samples,
        rng,
    )
    return ChainResult(counts, elsewhere, samples)


def any_matching(graph: CandidateGraph) -> Indices:
    """A row for every record along the edges, as far as there is one; −1 where there is none."""
    shape = (graph.records, graph.row_count)
    matrix = csr_matrix((np.ones(len(graph.rows)), graph.rows, graph.starts), shape=shape)
    matched: Indices = maximum_bipartite_matching(matrix, perm_type="column").astype(np.int64)
    return matched


def _extended(graph: CandidateGraph, matched: Indices, rng: np.random.Generator) -> Indices:
    """A row or an absence for everybody, strangers too; those without a row on an edge get what is left.

    Where the background is 0, that is somebody else's: refused, as no matching has a positive weight.
    """
    people = graph.records + graph.strangers
    row_of = np.full(people, UNMATCHED, dtype=np.int64)
    row_of[: graph.records] = matched
    taken = np.zeros(people, dtype=bool)
    taken[matched[matched != UNMATCHED]] = True
    free_rows = np.flatnonzero(~taken[: graph.row_count])
    absences = np.arange(graph.row_count, people)
    without = np.flatnonzero(row_of[: graph.records] == UNMATCHED)
    strangers = np.arange(graph.records, people)
    for person in without[graph.background[without] == 0]:
        if not len(absences):
            raise ValueError("no matching keeps every promised zero")
        row_of[person], absences = absences[0], absences[1:]
    rest = np.concatenate([strangers, without[graph.background[without] > 0]])
    left = np.concatenate([free_rows, absences])
    row_of[rest] = left[: len(rest)]
    return row_of


@njit(cache=True)
def cumulative_weights(starts: Indices, weights: Floats) -> tuple[Floats, Floats]:
    """The running sums of the weights of each record, and their totals."""
    cumulative = np.empty_like(weights)
    total = np.zeros(len(starts) - 1)
    for record in range(len(starts) - 1):
        running = 0.0
        for edge in range(starts[record], starts[record + 1]):
            running += weights[edge]
            cumulative[edge] = running
        total[record] = running
    return cumulative, total


@njit(cache=True)
def _locate(starts: Indices, rows: Indices, row_of: Indices, edge_of: Indices, records: int) -> None:
    for record in range(records):
        edge_of[record] = UNMATCHED
        for edge in range(starts[record], starts[record + 1]):
            if rows[edge] == row_of[record]:
                edge_of[record] = edge
                break


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
def _run(
    starts: Indices,
    rows: Indices,
    cumulative: Floats,
    total: Floats,
    background: Floats,
    density: Floats,
    records: int,
    row_count: int,
    absence: float,
    row_of: Indices,
    owner: Indices,
    edge_of: Indices,
    counts: Floats,
    elsewhere: Floats,
    burn_in: int,
    samples: int,
    rng: np.random.Generator,
) -> None:
    people = len(row_of)
    absences = people - row_count
    mass = density[-1] if len(density) else 0.0
    old_row, old_edge, visited = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64)
    for sweep in range(burn_in + samples):
        for _ in range(records):
            person = int(rng.random() * people)
            hole = row_of[person]
            length = 0
            while True:
                # The total weight of the person's options: listed rows, any row by its density, an absence.
                if person < records:
                    listed, loose = total[person], background[person] * mass
                else:
                    listed, loose = 0.0, mass
                level = rng.random() * (listed + loose + absences * absence)
                edge = UNMATCHED
                if level < listed:
                    edge = _first_above(cumulative, starts[person], starts[person + 1] - 1, level)
                    row = rows[edge]
                elif level < listed + loose:
                    row = _first_above(density, 0, row_count - 1, rng.random() * mass)
                else:
                    row = row_count + int(rng.random() * absences)
                if length == LONGEST:  # take the walk back: it is as if it had not been begun
                    for step in range(length - 1, -1, -1):
                        row_of[visited[step]], edge_of[visited[step]] = old_row[step], old_edge[step]
                    for step in range(length):
                        owner[row_of[visited[step]]] = visited[step]
                    owner[row_of[person]] = person
                    break
                visited[length], old_row[length], old_edge[length] = person, row_of[person], edge_of[person]
                length += 1
                loser = owner[row]
                row_of[person], edge_of[person], owner[row] = row, edge, person
                if row == hole:
                    break
                person = loser
        if sweep >= burn_in:
            for record in range(records):
                if edge_of[record] == UNMATCHED:
                    elsewhere[record] += 1
                else:
                    counts[edge_of[record]] += 1
