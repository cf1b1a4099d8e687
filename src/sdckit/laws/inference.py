"""Joint inference: from a release law to the posterior of every candidate row of every known record."""

from dataclasses import dataclass, replace

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.ball import BACKGROUND, LISTED, RECORDS, Ball, ball_around
from sdckit.laws.blocks import Floats, Indices
from sdckit.laws.possible_rows import candidates_of
from sdckit.laws.release_law import Candidates, ReleaseLaw
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import Posterior, likeliest, posterior
from sdckit.matching.sinkhorn import balanced_shares

WHOLE = 5_000  # known records up to which all of them enter the inference
EDGES = 300_000  # candidates of all records of a small file
FURTHEST, HALVINGS = 12.0, 14  # of the logarithm of the factor by which rows are denser than estimated
BY_MARGINS = 1_000.0  # people beside the known ones, distributed as the margins of the blocks


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
        return np.where(self.edge >= 0, self.classes[self.posterior.graph.classes[self.edge]], -1)

    def correct(self, truth: Indices) -> Floats:
        """The probability that the claim for each record is correct, given the true row of each record of the graph."""
        rows = self.law.rows
        same = (truth >= 0) & (self.claimed == rows.of[truth]) & (self.edge >= 0)
        return np.where(same, 1.0 / rows.sizes[np.maximum(self.claimed, 0)], 0.0)

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
    result = posterior(graph, rng, alike, judged)
    edge, confidence = likeliest(graph, result.probability)
    rows_open = _rows_open(graph, result.probability)
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
        log_likelihood = log_likelihood - _log_density(law, found)[found.classes]
    graph = CandidateGraph.of(
        found.starts, found.classes, log_likelihood, sizes, background=BACKGROUND, strangers=strangers
    )
    return as_many_present(graph).with_unlisted(found.unlisted), found.left_out


def as_many_present(graph: CandidateGraph) -> CandidateGraph:
    """The graph in which as large a share of the known records is in the release as of all people, in expectation.

    Where rows are as dense as was estimated only up to a factor, too many or too few known records would have a row.
    """
    if not graph.strangers or not graph.absences or not len(graph.weights):
        return graph
    expected = graph.records * graph.row_count / (graph.records + graph.strangers)
    low, high = -FURTHEST, FURTHEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        tried = replace(graph, weights=graph.weights * np.exp(middle))
        if float(balanced_shares(tried).sum()) > expected:
            high = middle
        else:
            low = middle
    return replace(graph, weights=graph.weights * np.exp((low + high) / 2))


def _log_density(law: ReleaseLaw, found: Candidates) -> Floats:
    """How likely a row of each class is for somebody else than the record that it fits best, as a logarithm.

    Other people are distributed as the known records, and some as the margins of the blocks. The record that fits best
    is left out, since the density is compared with its own likelihood. Blocks of lifts compare with anybody already.
    """
    closed = law.without_lifts()
    log_likelihood = found.log_likelihood
    if len(closed.blocks) < len(law.blocks):
        records = np.repeat(np.arange(len(found.starts) - 1), np.diff(found.starts))
        parts = closed.of_pairs(records, found.classes).values()
        log_likelihood = sum(parts, np.zeros(len(records)))
    margin = closed.log_margin()
    top = float(max(log_likelihood.max(initial=-np.inf), margin.max(initial=-np.inf)))
    likelihood = np.exp(log_likelihood - top)
    of_known = np.bincount(found.classes, weights=likelihood, minlength=len(margin))
    best = np.zeros(len(margin))
    np.maximum.at(best, found.classes, likelihood)
    others = np.maximum(of_known - best, 0.0)
    density: Floats = np.log((others + BY_MARGINS * np.exp(margin - top)) / (law.records + BY_MARGINS)) + top
    return density


def _rows_open(graph: CandidateGraph, probability: Floats) -> Floats:
    """The exponential of the entropy over rows."""
    of_row = probability / graph.capacity[graph.classes]
    terms = np.where(probability > 0, -probability * np.log(np.maximum(of_row, 1e-300)), 0.0)
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    return np.exp(np.bincount(record_of, weights=terms, minlength=graph.records))
