"""Presence: how many of the known records are in the release, and how likely a row is for somebody else.

Of a file of the intruder's own nobody says how many of its people are in the release. They are as many as are expected
to have a row if so many are: the share of maximum likelihood, found by repeating the expectation.
"""

from dataclasses import replace

import numpy as np

from sdckit.laws.ball import BACKGROUND, LISTED
from sdckit.laws.blocks import Floats, Indices
from sdckit.laws.possible_rows import candidates_of
from sdckit.laws.release_law import Candidates, ReleaseLaw
from sdckit.laws.row_density import log_row_density
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares

FURTHEST, HALVINGS = 12.0, 14  # of the logarithm of the factor by which rows are denser than estimated
MIXING = 30  # rounds by which the share of people like the known ones is found
MOST = 0.999  # of them; the others are distributed as the margins of the blocks
SAMPLE = 2_000  # known records by which presence is estimated
ROUNDS, SETTLED = 40, 0.002  # of the expectation; change of the share present that ends them
LEAST = 0.5  # records that are present
PASSES = 2  # in which the share of the rows that belong to known records is corrected
DOUBT = 0.01  # share of a guess in an estimate: it decides where the two files show nothing


def estimated_strangers(law: ReleaseLaw) -> int:
    """How many people the intruder does not know, where the known ones are a file of another source."""
    rows = int(law.rows.sizes.sum())
    chosen = np.linspace(0, law.records - 1, min(law.records, SAMPLE)).astype(np.int64)
    found = candidates_of(law, LISTED, chosen)
    people = len(chosen)
    guess = present = people * rows / (law.records + rows)
    for _ in range(PASSES):
        own = min(present / people * law.records / rows, 1.0)
        log_likelihood = found.log_likelihood - log_density(law, found, chosen, own=own)[found.classes]
        for _ in range(ROUNDS):
            others = max(round(people * rows / max(present, LEAST)), rows, people) - people
            graph = CandidateGraph.of(
                found.starts, found.classes, log_likelihood, law.rows.sizes, background=BACKGROUND, strangers=others
            )
            expected = float(balanced_shares(graph.with_unlisted(found.unlisted)).sum())
            before, present = present, (1 - DOUBT) * expected + DOUBT * guess
            if abs(present - before) < SETTLED * people:
                break
    return strangers_beside(law, max(present, LEAST) / people)


def strangers_beside(law: ReleaseLaw, present: float) -> int:
    """How many people the intruder does not know, where this share of the known ones is in the release."""
    rows = int(law.rows.sizes.sum())
    return max(round(rows / present), rows, law.records) - law.records


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


def with_fewer_present(graph: CandidateGraph, probability: Floats) -> CandidateGraph | None:
    """The graph whose rows fit less well, where more known records than expected have one; None where they do not.

    `as_many_present` balances a bound of the posterior; this one corrects it by the posterior itself.
    """
    if not graph.strangers or not graph.absences:
        return None
    expected = graph.records * graph.row_count / (graph.records + graph.strangers)
    present = min(float(probability.sum()), graph.records * MOST)
    if present <= expected * (1 + SETTLED):
        return None
    odds = expected / (graph.records - expected) * (graph.records - present) / present
    return replace(graph, weights=graph.weights * odds)


def log_density(
    law: ReleaseLaw, found: Candidates, among: Indices | None = None, *, own: float | None = None
) -> Floats:
    """How likely a row of each class is for somebody else than the record that it fits best, as a logarithm.

    `found` are the candidates of all records, or of those in `among`. Other people are distributed as the known ones,
    or as the margins of the blocks. The record that fits best is left out, since the density is compared with its own
    likelihood. Blocks of lifts compare with anybody already, unless `own`, the share of the rows that belong to a known
    record, is estimated too: then how attributes depend on each other is a part of how likely a row is.
    """
    closed = law.without_lifts()
    log_likelihood = found.log_likelihood
    if len(closed.blocks) < len(law.blocks) and own is None:
        known = np.arange(law.records) if among is None else among
        records = np.repeat(known, np.diff(found.starts))
        log_likelihood = closed.log_likelihoods(records, found.classes)
    margin = closed.log_margin() if own is None else log_row_density(law, own)
    if own is not None and not margin.any():  # all that is known of a row is compared with anybody already
        return margin
    top = float(max(log_likelihood.max(initial=-np.inf), margin.max(initial=-np.inf)))
    likelihood = np.exp(log_likelihood - top)
    of_known = np.bincount(found.classes, weights=likelihood, minlength=len(margin))
    best = np.zeros(len(margin))
    np.maximum.at(best, found.classes, likelihood)
    others = np.maximum(of_known - best, 0.0) / max(len(found.starts) - 2, 1)
    return np.log(_mixed(others, np.exp(margin - top), law.rows.sizes)) + top


def _mixed(one: Floats, other: Floats, sizes: Indices) -> Floats:
    """The mixture of two densities under which the rows are likeliest."""
    share = 0.5
    for _ in range(MIXING):
        mixed = share * one + (1 - share) * other
        of_one = np.divide(share * one, mixed, out=np.zeros(len(one)), where=mixed > 0)
        share = min(float((sizes * of_one).sum() / sizes.sum()), MOST)
    return np.maximum(share * one + (1 - share) * other, 1e-300)
