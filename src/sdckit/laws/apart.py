"""Releases of one file that were shuffled apart: the second helps through attributes that the intruder does not know.

Of a known record x the second release has some rows b that may be hers, with the posterior P(b | x) of its own joint
inference by balancing (that of the chain would count the competition between records twice). A row a of the first
release gains by those rows b that it fits in attributes which both releases have and the intruder does not know:

    ℓ(a | x) + log Σ_b P(b | x) · L(a, b),   L(a, b) = P(a and b are of one person) / P(two rows of anybody are),

where L is the row–row law between the releases, balanced since rows match one to one. What the lists leave out counts
as unrelated, L = 1, and so does a small part of everything: a wrong link then fails to help and does little harm. Of
several other releases the logarithms add up, as each was masked by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from sdckit.intruder import AttackerView
from sdckit.kernels.sparse_products import pair_products
from sdckit.laws.ball import Ball
from sdckit.laws.blocks import Floats, Indices
from sdckit.laws.inference import candidate_graph
from sdckit.laws.release_law import Candidates, ReleaseLaw, RowClasses
from sdckit.laws.several import of_rows
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares

LINKED = 60  # classes of rows of the other release that a row is linked to
LIKELY = 200  # the same of a known record
POINTED = 10  # of these, the likeliest, and of the rows that fit each: candidates that the law itself may not list
UNRELATED = 0.02  # that a row says nothing of its partner, whatever the laws say
OTHER_RELEASE, OTHER_RELEASES = "another release", "other releases"


class Lines(NamedTuple):
    """A sparse matrix in compressed sparse rows, the columns of each line in ascending order."""

    starts: Indices
    columns: Indices
    values: Floats

    @classmethod
    def of(cls, matrix: csr_matrix) -> "Lines":
        """The lines of a matrix."""
        matrix.sum_duplicates()
        return cls(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)

    def matrix(self, columns: int) -> csr_matrix:
        """The same as a matrix with so many columns."""
        return csr_matrix((self.values, self.columns, self.starts), (len(self.starts) - 1, columns))


class OtherLaw(NamedTuple):
    """Another release as the intruder sees it: its own law, the row–row law, and how many people may be unknown."""

    view: AttackerView
    law: ReleaseLaw
    row_law: ReleaseLaw
    strangers: int


@dataclass(frozen=True, eq=False)
class LinkThroughAnother:
    """What another release says of pairs of a known record and a class of rows.

    `posterior`   of the other's classes of rows, by known record; these classes are by the attributes not known
    `lifts`       how much likelier these are for a class of rows of this release than for anybody
    `otherwise`   the likelihood ratio of a record and a row that are not linked
    """

    posterior: Lines
    lifts: Lines
    otherwise: Floats
    classes: int

    def log_ratio(self, records: Indices, rows: Indices) -> Floats:
        """The log-likelihood ratio of each pair."""
        ratio = self.otherwise[records] + pair_products(*self.posterior, *self.lifts, records, rows)
        added: Floats = np.log((1 - UNRELATED) * ratio + UNRELATED)
        return added

    def pointed_at(self, records: Indices) -> tuple[Indices, Indices]:
        """Pairs of the index of a record among these and a class of rows that its likeliest links lead to."""
        likeliest = _largest(self.posterior.matrix(self.classes)[records], POINTED)
        back = _largest(self.lifts.matrix(self.classes).T.tocsr(), POINTED)
        pairs = (likeliest @ back).tocoo()
        return pairs.row.astype(np.int64), pairs.col.astype(np.int64)


@dataclass(frozen=True, eq=False)
class LawBesideOthers(ReleaseLaw):
    """A law, and what other releases add to it."""

    links: tuple[LinkThroughAnother, ...] = ()

    def candidates(
        self, most: int, among: Indices | None = None, *, thorough: bool = False, least: float = 0.0
    ) -> Candidates:
        """The likeliest classes by the law itself, and those that the other releases point at.

        Another release may make an unlikely class likely, so those below `least` are looked for, too.
        """
        found = super().candidates(most, among, thorough=thorough)
        records = np.arange(self.records) if among is None else among
        own = np.repeat(np.arange(len(records)), np.diff(found.starts))
        count = len(self.rows.sizes)
        pointed = [line * count + classes for line, classes in (link.pointed_at(records) for link in self.links)]
        line, classes = np.divmod(np.setdiff1d(np.concatenate(pointed), own * count + found.classes), count)
        likelihood = sum(super().of_pairs(records[line], classes).values(), np.zeros(len(line)))
        possible = likelihood > -np.inf
        line, classes = np.concatenate([own, line[possible]]), np.concatenate([found.classes, classes[possible]])
        likelihood = np.concatenate([found.log_likelihood, likelihood[possible]])
        likelihood = likelihood + self._log_ratio(records[line], classes)
        order = np.lexsort((classes, -likelihood, line))
        starts = np.searchsorted(line[order], np.arange(len(records) + 1)).astype(np.int64)
        return Candidates(starts, classes[order], likelihood[order], found.left_out, found.unlisted)

    def of_pairs(self, records: Indices, classes: Indices) -> dict[tuple[str, ...], Floats]:
        label = OTHER_RELEASE if len(self.links) == 1 else OTHER_RELEASES
        return {**super().of_pairs(records, classes), (label,): self._log_ratio(records, classes)}

    def _log_ratio(self, records: Indices, classes: Indices) -> Floats:
        return sum((link.log_ratio(records, classes) for link in self.links), np.zeros(len(records)))


def beside_others(
    law: ReleaseLaw, view: AttackerView, others: Sequence[OtherLaw], targets: Indices | None = None
) -> ReleaseLaw:
    """The law of a release beside others that were shuffled apart; of a large file, for these targets."""
    helpful = [(other, names) for other in others if (names := _not_known(view, other))]
    if not helpful:
        return law
    every = list(dict.fromkeys(name for _, names in helpful for name in names))
    law = _refined(law, RowClasses.by(view.released, every).of)
    links = tuple(_link(law, view, other, names, targets) for other, names in helpful)
    return LawBesideOthers(law.records, law.rows, law.blocks, law.sources, doubt=law.doubt, links=links)


def _not_known(view: AttackerView, other: OtherLaw) -> list[str]:
    """The attributes that both releases have and the intruder does not know."""
    known = {*view.attributes, *other.view.attributes}
    return [name for name in other.row_law.sources if name not in known]


def _link(
    law: ReleaseLaw, view: AttackerView, other: OtherLaw, names: list[str], targets: Indices | None
) -> LinkThroughAnother:
    """What another release says through these attributes, for a law whose classes of rows distinguish them."""
    partners = RowClasses.by(other.view.released, names)
    present = min(1.0, len(other.view.released) / len(view.original))
    near = candidate_graph(other.law, strangers=other.strangers, targets=targets)
    posterior = _by_partner(near, other.law, partners)
    lines = np.arange(len(view.released))
    if len(near.records) < len(view):  # rows that somebody in the ball may have
        lines = law.rows.first[np.unique(law.candidates(LINKED, near.records).classes)]
    lifts = present * _lifts(_by_attributes(other.row_law, names, partners), lines, law.rows)
    linked = present * np.asarray(posterior.sum(axis=1)).ravel()
    return LinkThroughAnother(Lines.of(posterior), Lines.of(lifts), np.maximum(1.0 - linked, 0.0), len(partners.sizes))


def _refined(law: ReleaseLaw, of: Indices) -> ReleaseLaw:
    """The law with classes of rows that are divided further."""
    pairs, first, own, sizes = np.unique(
        np.column_stack([law.rows.of, of]), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    rows = RowClasses(own.ravel().astype(np.int64), sizes.astype(np.int64), first.astype(np.int64))
    return replace(law, rows=rows, blocks=tuple(of_rows(block, pairs[:, 0]) for block in law.blocks), like=None)


def _by_attributes(law: ReleaseLaw, names: list[str], rows: RowClasses) -> ReleaseLaw:
    """The row–row law by some attributes alone, with the classes that these give."""
    blocks = [of_rows(block, law.rows.of[rows.first]) for block in law.blocks if set(block.names) <= set(names)]
    return replace(law, blocks=tuple(blocks), rows=rows, like=None)


def _by_partner(near: Ball, law: ReleaseLaw, partners: RowClasses) -> csr_matrix:
    """The posterior of the other's classes by the attributes that are not known, for each known record.

    Equal rows share the posterior of their class. The likeliest classes are followed while they lead to few others.
    """
    of_known, graph = law.rows, near.graph
    probability = balanced_shares(graph)
    cells = csr_matrix(
        (np.ones(len(partners.of)), (of_known.of, partners.of)), (len(of_known.sizes), len(partners.sizes))
    )
    cells.sum_duplicates()
    line = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    classes = near.classes[graph.classes]
    order = np.lexsort((classes, -probability, line))
    line, classes, probability = line[order], classes[order], probability[order]
    width = np.diff(cells.indptr)[classes]
    total = np.cumsum(width)
    before = total - width - np.concatenate([[0], total])[np.searchsorted(line, line)]
    few = before + width <= LIKELY
    shape = law.records, len(of_known.sizes)
    per_row = probability[few] / of_known.sizes[classes[few]]
    return csr_matrix((per_row, (near.records[line[few]], classes[few])), shape) @ cells


def _lifts(law: ReleaseLaw, lines: Indices, rows: RowClasses) -> csr_matrix:
    """How much likelier each class of the other's rows is for a class of rows of this release than for anybody.

    `law` is between rows of this release, one by one, and classes of the other's; only the rows in `lines` matter.
    """
    everything = len(lines) == law.records
    found = law.candidates(LINKED, None if everything else lines)
    share = _shares_of(found, law.rows, whole=everything and law.records == len(law.rows.of))
    line = rows.of[np.repeat(lines, np.diff(found.starts))]
    count = np.bincount(rows.of[lines], minlength=len(rows.sizes))
    lift = share * len(law.rows.of) / law.rows.sizes[found.classes] / count[line]
    return csr_matrix((lift, (line, found.classes)), (len(rows.sizes), len(law.rows.sizes)))


def _shares_of(found: Candidates, rows: RowClasses, *, whole: bool) -> Floats:
    """The approximate posterior of each candidate: balanced where everybody has a row, else record by record."""
    if whole:
        graph = CandidateGraph.of(found.starts, found.classes, found.log_likelihood, rows.sizes, background=1e-8)
        return balanced_shares(graph, 20)
    sizes = np.diff(found.starts)
    top = np.zeros(len(sizes))
    top[sizes > 0] = np.maximum.reduceat(found.log_likelihood, found.starts[:-1][sizes > 0]) if sizes.any() else 0.0
    weight = rows.sizes[found.classes] * np.exp(found.log_likelihood - np.repeat(top, sizes))
    total = np.bincount(np.repeat(np.arange(len(sizes)), sizes), weights=weight, minlength=len(sizes))
    shares: Floats = weight / np.repeat(np.maximum(total, 1e-300), sizes)
    return shares


def _largest(matrix: csr_matrix, count: int) -> csr_matrix:
    """The largest entries of each line."""
    line = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    order = np.lexsort((matrix.indices, -matrix.data, line))
    rank = np.arange(len(line)) - np.searchsorted(line, line)
    chosen = order[rank < count]
    return csr_matrix((matrix.data[chosen], (line[chosen], matrix.indices[chosen])), matrix.shape)
