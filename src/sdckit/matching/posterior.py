"""Posteriors of a candidate graph: exact for small components, from two Markov chains for the others.

The mean of the largest posterior, read off the samples that chose it, is too high. Two chains give a bracket: the
largest of the joint estimate, and the share of one chain's samples with the row that the other one chose.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from sdckit.kernels.row_blocks import cores
from sdckit.matching.chain import Chain
from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.graph import CandidateGraph, Floats, Indices
from sdckit.matching.shrinkage import Approximation

SMALL = 8  # records of a component that is enumerated
NARROW = 0.005  # width of the bracket at which sampling stops
SAMPLES = (60, 125, 250, 500, 1000, 2000)  # of each chain: from one to the next until the bracket is narrow


@dataclass(frozen=True, eq=False)
class Posterior:
    """The probability of each edge: that the record's row is of this class.

    `halves`    the estimates of the two chains, equal where they are exact
    `bracket`   the smaller and the larger of two means over the records judged: the largest of the joint estimate, and
                one chain's share of samples with the other's choice
    `samples`   how many matchings were drawn; 0 where all components were enumerated
    """

    graph: CandidateGraph
    probability: Floats
    halves: tuple[Floats, Floats]
    bracket: tuple[float, float]
    samples: int

    def in_doubt(self, doubt: float) -> "Posterior":
        """The same where the weights of the graph are right with probability 1 − doubt only."""
        if not doubt:
            return self
        trust = 1.0 - doubt
        halves = trust * self.halves[0], trust * self.halves[1]
        bracket = trust * self.bracket[0], trust * self.bracket[1]
        return replace(self, probability=trust * self.probability, halves=halves, bracket=bracket)


def posterior(
    graph: CandidateGraph, rng: np.random.Generator, alike: Indices | None = None, judged: Indices | None = None
) -> Posterior:
    """The posteriors; `alike` numbers records that are equal in all that is known, whose estimates are averaged.

    The bracket is that of the records `judged`, or of all.
    """
    exact, solved = _enumerated(graph)
    rest = np.flatnonzero(~solved)
    if not len(rest) and not graph.strangers:
        return Posterior(graph, exact, (exact, exact), (_largest_mean(graph, exact, judged),) * 2, 0)
    part, edges = _part(graph, rest)
    average = _Average(part, None if alike is None else alike[rest])

    def completed(of_part: Floats) -> Floats:
        """The values of the sampled edges beside the exact ones."""
        values = exact.copy()
        values[edges] = of_part
        return values

    streams = rng.spawn(2)
    with ThreadPoolExecutor(min(2, cores())) as pool:
        chains = list(pool.map(lambda stream: Chain(part, stream), streams))
        near = Approximation(part)
        for samples in SAMPLES:
            one, other = (average(each.posterior) for each in pool.map(Chain.sample, chains, (samples, samples)))
            joint, chosen = near.shrunk((one, other))
            both, halves = completed(joint), (completed(one), completed(other))
            choices = (completed(chosen[0]), completed(chosen[1]))
            expected = _largest_mean(graph, both, judged), _cross(graph, choices, halves, judged)
            if abs(expected[0] - expected[1]) <= NARROW:
                break
    return Posterior(graph, both, halves, (min(expected), max(expected)), samples)


def _enumerated(graph: CandidateGraph) -> tuple[Floats, np.ndarray]:
    """Exact posteriors of the edges in small components, and which records they are of."""
    probability, solved = np.zeros(len(graph.classes)), np.zeros(graph.records, dtype=bool)
    if graph.strangers or graph.absences or not graph.records:
        return probability, solved
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    count = graph.records + len(graph.capacity)
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    link = csr_matrix((np.ones(len(record_of)), (record_of, graph.classes + graph.records)), shape=(count, count))
    _, component = connected_components(link, directed=False)
    of_record, of_class = component[: graph.records], component[graph.records :]
    people = np.bincount(of_record, minlength=count)
    rows = np.bincount(of_class, weights=graph.capacity, minlength=count)
    small = np.flatnonzero((people == rows) & (people <= SMALL) & (people > 0))
    members = np.argsort(of_record, kind="stable")
    first = np.searchsorted(of_record[members], small)
    for number, start in zip(small, first, strict=True):
        records = members[start : start + people[number]]
        if len(records) == 1:
            edges = slice(graph.starts[records[0]], graph.starts[records[0] + 1])
            probability[edges], solved[records] = 1.0, True
            continue
        classes = np.unique(np.concatenate([_classes(graph, each) for each in records]))
        columns = np.repeat(np.arange(len(classes)), graph.capacity[classes])
        weights = np.zeros((len(records), len(classes)))
        for line, each in enumerate(records):
            weights[line, np.searchsorted(classes, _classes(graph, each))] = _weights(graph, each)
        try:
            single = exact_posterior(weights[:, columns])
        except ValueError:
            continue  # the chain uses the background
        whole = np.zeros_like(weights)
        np.add.at(whole.T, columns, single.T)
        for line, each in enumerate(records):
            edges = slice(graph.starts[each], graph.starts[each + 1])
            probability[edges] = whole[line, np.searchsorted(classes, graph.classes[edges])]
        solved[records] = True
    return probability, solved


def _classes(graph: CandidateGraph, record: int) -> Indices:
    return graph.classes[graph.starts[record] : graph.starts[record + 1]]


def _weights(graph: CandidateGraph, record: int) -> Floats:
    return graph.weights[graph.starts[record] : graph.starts[record + 1]]


def _part(graph: CandidateGraph, records: Indices) -> tuple[CandidateGraph, Indices]:
    """The graph of some records and the classes that no other record lists, and which edges these are."""
    if len(records) == graph.records:
        return graph, np.arange(len(graph.classes))
    sizes = np.diff(graph.starts)
    chosen = np.zeros(graph.records, dtype=bool)
    chosen[records] = True
    of_rest = np.repeat(chosen, sizes)
    taken = np.zeros(len(graph.capacity), dtype=bool)
    taken[graph.classes[~of_rest]] = True
    kept = np.flatnonzero(~taken)
    number = np.full(len(graph.capacity), -1)
    number[kept] = np.arange(len(kept))
    edges = np.flatnonzero(of_rest)
    starts = np.concatenate([[0], np.cumsum(sizes[records])])
    part = replace(
        graph,
        starts=starts,
        classes=number[graph.classes[edges]],
        weights=graph.weights[edges],
        capacity=graph.capacity[kept],
        background=graph.background[records],
        spread=graph.spread[kept],
        density=graph.density[kept],
    )
    return part, edges


class _Average:
    """Averages over records that are alike and list the same classes; without `alike`, every record is by itself."""

    def __init__(self, graph: CandidateGraph, alike: Indices | None) -> None:
        self._same: Indices | None = None
        if alike is not None and len(np.unique(alike)) < len(alike):
            record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
            key = alike[record_of] * len(graph.capacity) + graph.classes
            _, same, self._times = np.unique(key, return_inverse=True, return_counts=True)
            self._same = same.ravel()

    def __call__(self, values: Floats) -> Floats:
        if self._same is None:
            return values
        mean: Floats = (np.bincount(self._same, weights=values) / self._times)[self._same]
        return mean


def likeliest(graph: CandidateGraph, probability: Floats) -> tuple[Indices, Floats]:
    """The edge of the likeliest row of each record (−1: none), and the probability of that one row."""
    of_row = probability / graph.capacity[graph.classes]
    edge, top = np.full(graph.records, -1, dtype=np.int64), np.zeros(graph.records)
    filled = np.flatnonzero(np.diff(graph.starts) > 0)
    if len(filled):
        starts = graph.starts[:-1][filled]
        top[filled] = np.maximum.reduceat(of_row, starts)
        record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
        highest = np.flatnonzero(of_row == top[record_of])
        edge[record_of[highest[::-1]]] = highest[::-1]
    return edge, top


def _largest_mean(graph: CandidateGraph, probability: Floats, judged: Indices | None) -> float:
    largest = likeliest(graph, probability)[1]
    return float((largest if judged is None else largest[judged]).mean())


def _cross(
    graph: CandidateGraph, choices: tuple[Floats, Floats], shares: tuple[Floats, Floats], judged: Indices | None
) -> float:
    """The share of each chain's samples that have the rows which the estimates of the other one choose, on average."""
    found = []
    for choice, read in ((choices[0], shares[1]), (choices[1], shares[0])):
        edge = likeliest(graph, choice)[0]
        of_record = np.append(read / graph.capacity[graph.classes], 0.0)[edge]  # an edge of -1 is none
        found.append((of_record if judged is None else of_record[judged]).mean())
    return float(np.mean(found))
