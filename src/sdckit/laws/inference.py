"""Joint inference: from a release law to the posterior of every candidate row of every known record."""

from dataclasses import dataclass, replace

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.blocks import Block, Equality, Floats, Indices, Intervals
from sdckit.laws.release_law import Candidates, ReleaseLaw
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import Posterior, likeliest, posterior

LISTED = 100  # classes of rows that are candidates of a record, at most; more where the file is small
EDGES = 300_000  # candidates of all records of a small file
BACKGROUND = 1e-8  # weight of every other row beside the likeliest
LEAST = 1e-3  # people that every row is as likely for as the margins say, so that no density is 0
BROKEN = -12.0  # log-likelihood of what should be impossible, where nothing else is left


@dataclass(frozen=True, eq=False)
class Inference:
    """What an intruder concludes: the law, the posterior, and the likeliest row of each known record.

    `edge`          the candidate with the likeliest row (−1: none)
    `confidence`    the probability that the claim is right: one row of that class, drawn at random
    `rows_open`     how many rows are left open: the exponential of the entropy
    `left_out`      share of the likelihood that the lists of candidates leave out
    """

    law: ReleaseLaw
    posterior: Posterior
    edge: Indices
    confidence: Floats
    rows_open: Floats
    left_out: Floats

    @property
    def claimed(self) -> Indices:
        """The class of rows that each record is claimed to be in (−1: none)."""
        return np.where(self.edge >= 0, self.posterior.graph.classes[self.edge], -1)

    def correct(self, truth: Indices) -> Floats:
        """The probability that the claim for each record is right, given the true row of each (−1: none)."""
        rows = self.law.rows
        same = (truth >= 0) & (self.claimed == rows.of[truth]) & (self.edge >= 0)
        return np.where(same, 1.0 / rows.sizes[np.maximum(self.claimed, 0)], 0.0)

    def of_truth(self, truth: Indices) -> Floats:
        """The posterior of each record's true row; 0 where it has none or is not a candidate."""
        graph = self.posterior.graph
        record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
        own = (truth[record_of] >= 0) & (graph.classes == self.law.rows.of[truth[record_of]])
        out = np.zeros(graph.records)
        out[record_of[own]] = (self.posterior.probability / graph.capacity[graph.classes])[own]
        return out


def inferred(view: AttackerView, law: ReleaseLaw, rng: np.random.Generator, *, strangers: int = 0) -> Inference:
    """The posterior under a law; `strangers` are people in question whom the intruder does not know."""
    found = _candidates(law)
    sizes = law.rows.sizes
    log_likelihood = found.log_likelihood
    if len(view) + strangers != int(sizes.sum()):
        log_likelihood = log_likelihood - _log_density(law, found, strangers)[found.classes]
    graph = CandidateGraph.of(
        found.starts, found.classes, log_likelihood, sizes, background=BACKGROUND, strangers=strangers
    )
    alike = class_of(view.known.codes(view.attributes)).of
    result = posterior(graph, rng, alike)
    edge, confidence = likeliest(graph, result.probability)
    return Inference(law, result, edge, confidence, _rows_open(graph, result.probability), found.left_out)


def _candidates(law: ReleaseLaw) -> Candidates:
    """The candidates of all records; where promises leave a record none, those that break the fewest."""
    listed = max(LISTED, EDGES // max(law.records, 1))
    found = law.candidates(listed)
    none = np.flatnonzero(np.diff(found.starts) == 0)
    if not len(none):
        return found
    softer = replace(law, blocks=tuple(_softened(block) for block in law.blocks if not isinstance(block, Intervals)))
    more = softer.candidates(listed, none)
    sizes = np.diff(found.starts)
    sizes[none] = np.diff(more.starts)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    of_none = np.repeat(np.isin(np.arange(law.records), none), sizes)
    classes, log_likelihood = np.empty(starts[-1], np.int64), np.empty(starts[-1])
    classes[of_none], classes[~of_none] = more.classes, found.classes
    log_likelihood[of_none], log_likelihood[~of_none] = more.log_likelihood, found.log_likelihood
    left_out = found.left_out.copy()
    left_out[none] = more.left_out
    return Candidates(starts, classes, log_likelihood, left_out)


def _softened(block: Block) -> Block:
    """An equality whose breach is unlikely instead of impossible."""
    if isinstance(block, Equality):
        return replace(block, unequal=np.maximum(block.unequal, BROKEN))
    return block


def _log_density(law: ReleaseLaw, found: Candidates, strangers: int) -> Floats:
    """How likely a row of each class is for one of all people, as a logarithm.

    The likelihoods of the known records are summed up. Of the others it is known that one of them may own the row,
    which is then as likely for its owner as rows are for theirs, and that they are spread as the margins of the blocks.
    """
    margin = law.log_margin()
    filled = found.starts[:-1][np.diff(found.starts) > 0]
    typical = float(np.median(np.maximum.reduceat(found.log_likelihood, filled))) if len(filled) else 0.0
    top = float(max(found.log_likelihood.max(initial=-np.inf), margin.max(initial=-np.inf)))
    of_known = np.bincount(found.classes, weights=np.exp(found.log_likelihood - top), minlength=len(margin))
    people = law.records + strangers
    of_strangers = strangers * np.exp(margin - top) + strangers / people * np.exp(typical - top)
    least = LEAST * np.exp(margin - top)
    density: Floats = np.log((of_known + of_strangers + least) / people) + top
    return density


def _rows_open(graph: CandidateGraph, probability: Floats) -> Floats:
    """The exponential of the entropy over rows."""
    of_row = probability / graph.capacity[graph.classes]
    terms = np.where(probability > 0, -probability * np.log(np.maximum(of_row, 1e-300)), 0.0)
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    return np.exp(np.bincount(record_of, weights=terms, minlength=graph.records))
