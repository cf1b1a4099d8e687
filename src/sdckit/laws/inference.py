"""Joint inference: from a release law to the posterior of every candidate row of every known record."""

from dataclasses import dataclass

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.ball import BACKGROUND, LISTED, RECORDS, Ball, ball_around
from sdckit.laws.blocks import Floats, Indices
from sdckit.laws.possible_rows import candidates_of
from sdckit.laws.presence import as_many_present, log_density, with_fewer_present
from sdckit.laws.release_law import ReleaseLaw
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import Posterior, likeliest, posterior

WHOLE = 5_000  # known records up to which all of them enter the inference
EDGES = 300_000  # candidates of all records of a small file
TIED = 1e-9  # relative difference of the probabilities of two rows that is due to rounding
CORRECTIONS = 3  # by which no more known records have a row than are expected to


@dataclass(frozen=True, eq=False)
class Inference:
    """What an intruder concludes: the law, the posterior, and the likeliest row of each known record.

    `records`       the positions of the records of the graph among the known ones: all, or a ball around the targets
    `classes`       the classes of rows of the graph, as the law numbers them
    `edge`          the candidate with the likeliest row (−1: none)
    `confidence`    the probability that the claim is correct: one row of that class, drawn at random
    `rows_open`     the effective number of rows: the exponential of the entropy
    `left_out`      share of the likelihood that the lists of candidates leave out
    `outside`       share of the likely rows of each record that records outside the graph take
    """

    law: ReleaseLaw
    posterior: Posterior
    records: Indices
    classes: Indices
    edge: Indices
    confidence: Floats
    rows_open: Floats
    left_out: Floats
    outside: Floats

    def index(self, known: Indices) -> Indices:
        """The index in the graph of known records that are in it."""
        return np.searchsorted(self.records, known)

    @property
    def claimed(self) -> Indices:
        """The class of rows that each record is claimed to be in (−1: none)."""
        class_of_edge = np.append(self.posterior.graph.classes, 0)  # there may be no edge at all
        return np.where(self.edge >= 0, self.classes[class_of_edge[self.edge]], -1)

    def correct(self, truth: Indices) -> Floats:
        """The probability that the claim for each record is correct, given the true row of each record of the graph.

        Of rows that are equally likely one is claimed at random.
        """
        graph = self.posterior.graph
        record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
        of_row = self.posterior.probability / graph.capacity[graph.classes]
        tied = (of_row >= self.confidence[record_of] * (1 - TIED)) & (of_row > 0)
        classes = self.classes[graph.classes]
        rows = np.bincount(record_of[tied], weights=self.law.rows.sizes[classes[tied]], minlength=graph.records)
        true = tied & (truth[record_of] >= 0) & (classes == self.law.rows.of[truth[record_of]])
        out = np.zeros(graph.records)
        out[record_of[true]] = 1.0 / rows[record_of[true]]
        return out

    def of_truth(self, truth: Indices) -> Floats:
        """The posterior of each record's true row; 0 where it has none or is not a candidate."""
        graph = self.posterior.graph
        record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
        own = (truth[record_of] >= 0) & (self.classes[graph.classes] == self.law.rows.of[truth[record_of]])
        out = np.zeros(graph.records)
        out[record_of[own]] = (self.posterior.probability / graph.capacity[graph.classes])[own]
        return out


def inferred(
    view: AttackerView,
    law: ReleaseLaw,
    rng: np.random.Generator,
    *,
    strangers: int = 0,
    targets: Indices | None = None,
    largest: int = WHOLE,
    ball: int = RECORDS,
) -> Inference:
    """The posterior under a law; `strangers` are people in question whom the intruder does not know.

    Of more than `largest` known records, only a ball around the `targets` enters, where these are named: as many
    records as `ball` at most.
    """
    near = candidate_graph(law, strangers=strangers, targets=targets, largest=largest, ball=ball)
    graph, judged = near.graph, None
    if len(near.records) < len(view):
        view = view.take(near.records)
        judged = None if targets is None else np.searchsorted(near.records, targets)
    alike = class_of(view.known.codes(view.attributes)).of
    explained = posterior(graph, rng, alike, judged)
    for _ in range(CORRECTIONS if len(near.records) == law.records else 0):
        fewer = with_fewer_present(graph, explained.probability)
        if fewer is None:
            break
        graph, explained = fewer, posterior(fewer, rng, alike, judged)
    result = explained.in_doubt(law.doubt)
    edge, confidence = likeliest(graph, result.probability)
    rows_open = _rows_open(graph, explained.probability)
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    shared = np.zeros(graph.records)
    np.add.at(shared, record_of, result.probability * near.outside[graph.classes])
    return Inference(law, result, near.records, near.classes, edge, confidence, rows_open, near.left_out, shared)


def candidate_graph(
    law: ReleaseLaw,
    *,
    strangers: int = 0,
    targets: Indices | None = None,
    largest: int = WHOLE,
    ball: int = RECORDS,
) -> Ball:
    """The graph of all known records, or of a ball around the targets in a large file."""
    known = law.records
    if targets is not None and len(targets) < known and known > largest:
        return ball_around(law, targets, strangers=strangers, largest=ball)
    graph, left_out = whole_graph(law, known, strangers, EDGES // max(known, 1))
    classes = np.arange(len(law.rows.sizes))
    return Ball(np.arange(known), classes, graph, left_out, np.zeros(len(classes)))


def whole_graph(law: ReleaseLaw, known: int, strangers: int, listed: int) -> tuple[CandidateGraph, Floats]:
    """The graph of all records, and the share of the likelihood that their lists leave out."""
    found = candidates_of(law, max(LISTED, listed), thorough=True)
    sizes = law.rows.sizes
    log_likelihood = found.log_likelihood
    if strangers or known != int(sizes.sum()):  # somebody else may own a row, or a record may have none
        log_likelihood = log_likelihood - log_density(law, found)[found.classes]
    graph = CandidateGraph.of(
        found.starts, found.classes, log_likelihood, sizes, background=BACKGROUND, strangers=strangers
    )
    return as_many_present(graph).with_unlisted(found.unlisted), found.left_out


def _rows_open(graph: CandidateGraph, probability: Floats) -> Floats:
    """The exponential of the entropy over rows."""
    of_row = probability / graph.capacity[graph.classes]
    terms = np.where(probability > 0, -probability * np.log(np.maximum(of_row, 1e-300)), 0.0)
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    return np.exp(np.bincount(record_of, weights=terms, minlength=graph.records))
