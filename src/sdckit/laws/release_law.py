"""The release law: the log-likelihood of every released row for every known record, as a sum of blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import EquivalenceClasses, class_of
from sdckit.kernels.likeliest_rows import Likeliest, likeliest_rows
from sdckit.kernels.likelihood_tree import Tree
from sdckit.kernels.log_likelihoods import transposed
from sdckit.kernels.tree_search import LikelihoodIndex
from sdckit.laws.blocks import UNKNOWN, Block, Equality, Floats, Indices, Intervals, Margin, Table, evidence_of
from sdckit.microdata import Microdata

MARGIN_SAMPLE = 300  # known records that the margin of a row is estimated from
THOROUGH = 10_000, 200_000  # classes evaluated for a record: to bound what is left out, and at most
QUICK = 0, 2_000
FEWER = 0.8  # share of distinct records up to which evaluating each of them once is faster
INDEXED = 5_000  # classes of rows from which on not all pairs are evaluated


class Source(Enum):
    """Where the law of an attribute comes from."""

    UNTOUCHED = "untouched"  # released unchanged
    EXACT = "exact"  # the published method and parameters give it in closed form
    REPLAYED = "replayed"  # the method is deterministic and was applied again to the whole file
    LEARNED = "learned"  # from masking again records that the intruder knows, or from the two files alone


class RowClasses(NamedTuple):
    """Released rows that are equal in all known attributes: the class of each row, and how many rows each class has.

    Classes are numbered by their values, so that the order of the rows does not matter.
    """

    of: Indices
    sizes: Indices
    first: Indices

    @classmethod
    def by(cls, released: Microdata, names: Sequence[str]) -> "RowClasses":
        """The classes of a file by these attributes."""
        codes = released.codes(names)
        classes = class_of(codes)
        first = classes.first()
        by_value = np.lexsort(codes[first].T[::-1])
        del codes
        number = np.empty(len(first), dtype=np.int64)
        number[by_value] = np.arange(len(first))
        return cls(number[classes.of], classes.sizes[by_value], first[by_value])


class Candidates(NamedTuple):
    """The likeliest classes of rows of each record in compressed sparse rows.

    `left_out` is the share of the likelihood that the lists leave out, or a bound of it; `unlisted` that share or an
    estimate.
    """

    starts: Indices
    classes: Indices
    log_likelihood: Floats
    left_out: Floats
    unlisted: Floats


@dataclass(frozen=True, eq=False)
class ReleaseLaw:
    """Blocks over the known records and the classes of released rows.

    `sources`    where the law of each known attribute comes from
    `exact`      whether the product of the blocks is the probability of the rows, record by record
    `like`       a tree of the same rows under another law, to be searched instead of a new one
    `doubt`      the probability of another explanation of the two files, under which other rows are likely
    """

    records: int
    rows: RowClasses
    blocks: tuple[Block, ...]
    sources: Mapping[str, Source]
    exact: bool = False
    like: Tree | None = None
    doubt: float = 0.0

    def candidates(
        self, most: int, among: Indices | None = None, *, thorough: bool = False, least: float = 0.0
    ) -> Candidates:
        """The `most` likeliest classes of each record, or of those in `among`.

        In a large file `left_out` is a bound and `unlisted` an estimate; lists are exact up to an effort that is larger
        for a thorough search. Classes less likely than `least` times the likeliest are not looked for there.
        """
        classes = len(self.rows.sizes)
        if classes > INDEXED:
            wanted = np.arange(self.records) if among is None else among
            effort = THOROUGH if thorough else QUICK
            return compressed(self.index.likeliest(wanted, min(most, classes), *effort, least=least))
        blocks = self.blocks if among is None else [block.taken(among) for block in self.blocks]
        records = self.records if among is None else len(among)
        alike = _alike(blocks, records)
        if alike is not None:
            blocks, records = [block.taken(alike.first()) for block in blocks], len(alike.sizes)
        soft, of_record, of_row = _divided(blocks, records, classes)
        order = np.argsort(of_row, kind="stable")
        starts = np.searchsorted(of_row[order], np.arange(int(of_row.max(initial=-1)) + 2))
        evidence = evidence_of(soft, records, classes)
        found = likeliest_rows(evidence, of_record, starts, order, min(most, classes))
        return compressed(found if alike is None else found.taken(alike.of))

    @cached_property
    def index(self) -> LikelihoodIndex:
        """The classes of rows in a tree, to be searched by records."""
        soft, of_record, of_row = _divided(self.blocks, self.records, len(self.rows.sizes))
        return LikelihoodIndex(evidence_of(soft, self.records, len(self.rows.sizes)), of_record, of_row, self.like)

    def forget_index(self) -> None:
        """Drop the tree of the rows, which is as large as the file; it is made anew where it is asked for again."""
        self.__dict__.pop("index", None)

    @property
    def tree(self) -> Tree | None:
        """The tree of the rows, where there are so many that they are indexed."""
        return self.index.tree if len(self.rows.sizes) > INDEXED else None

    def index_of_records(self) -> LikelihoodIndex:
        """The records in a tree, to be searched by classes of rows: made anew, as it is as large as the file."""
        soft, of_record, of_row = _divided(self.blocks, self.records, len(self.rows.sizes))
        evidence = transposed(evidence_of(soft, self.records, len(self.rows.sizes)))
        return LikelihoodIndex(evidence, of_row, of_record)

    def without_lifts(self) -> "ReleaseLaw":
        """The law without the blocks that compare a row with what anybody has."""
        kept = tuple(each for each in self.blocks if not (isinstance(each, Equality | Table) and each.lift))
        return replace(self, blocks=kept, like=None)

    def log_margin(self) -> Floats:
        """How likely each class is for anybody, as a logarithm, if the blocks were independent.

        Where there is a margin, the likelihoods of its attributes are compared with anybody's already.
        """
        compared = {block.names for block in self.blocks if isinstance(block, Margin)}
        records = np.linspace(0, self.records - 1, min(self.records, MARGIN_SAMPLE)).astype(np.int64)
        classes = np.arange(len(self.rows.sizes))
        total = np.zeros(len(classes))
        for block in self.blocks:
            if not isinstance(block, Intervals) and block.names not in compared:
                likelihood = np.zeros(len(classes))
                for record in records:
                    likelihood += np.exp(block.of_pairs(np.full(len(classes), record), classes))
                total += np.log(likelihood / len(records) + 1e-12)
        return total

    def of_pairs(self, records: Indices, classes: Indices) -> Mapping[tuple[str, ...], Floats]:
        """What each block adds to the log-likelihood of pairs of a record and a class."""
        parts: dict[tuple[str, ...], Floats] = {}
        for block in self.blocks:
            added = block.of_pairs(records, classes)
            parts[block.names] = parts[block.names] + added if block.names in parts else added
        return parts

    def log_likelihoods(self, records: Indices, classes: Indices) -> Floats:
        """The log-likelihood of pairs of a record and a class by all blocks."""
        return sum(self.of_pairs(records, classes).values(), np.zeros(len(records)))


def compressed(found: Likeliest) -> Candidates:
    """Lists of candidates in compressed sparse rows."""
    listed = found.rows != -1
    sizes = listed.sum(axis=1)
    total = _log_sum(found.log_likelihood)
    return Candidates(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        found.rows[listed],
        found.log_likelihood[listed],
        _share(found.left_out, total),
        _share(found.estimate, total),
    )


def _share(log_part: Floats, log_rest: Floats) -> Floats:
    """The share of a part in the sum of both."""
    with np.errstate(invalid="ignore"):
        share = np.exp(log_part - np.logaddexp(log_rest, log_part))
    return np.where(np.isneginf(log_part), 0.0, share)


def _alike(blocks: Sequence[Block], records: int) -> EquivalenceClasses | None:
    """Classes of records that no block distinguishes; none where these are hardly fewer than the records."""
    coded = [block.of_record for block in blocks if isinstance(block, Equality | Table)]
    if not coded or len(coded) < len(blocks):
        return None
    alike = class_of(np.column_stack(coded))
    return alike if len(alike.sizes) < FEWER * records else None


def _divided(blocks: Sequence[Block], records: int, classes: int) -> tuple[list[Block], Indices, Indices]:
    """The blocks that are evaluated, and the buckets of records and of classes by those that must be equal."""
    hard = [each for each in blocks if isinstance(each, Equality) and _blocks_rows(each)]
    soft = [each for each in blocks if not any(each is other for other in hard)]
    return soft, *_buckets(hard, records, classes)


def _blocks_rows(block: Equality) -> bool:
    """Whether an equality leaves nothing else possible and is known of every record."""
    return block.promised and not (block.of_record == UNKNOWN).any()


def _buckets(equalities: Sequence[Equality], records: int, classes: int) -> tuple[Indices, Indices]:
    """The bucket of each record and of each class of rows by what must be equal; −1 for a record with no such row."""
    if not equalities:
        return np.zeros(records, np.int64), np.zeros(classes, np.int64)
    of_row = np.column_stack([each.of_row for each in equalities])
    of_record = np.column_stack([each.of_record for each in equalities])
    both = class_of(np.concatenate([of_row, of_record]))
    buckets, of = np.unique(both.of[:classes], return_inverse=True)
    at = np.searchsorted(buckets, both.of[classes:])
    at[at == len(buckets)] = 0
    present = buckets[at] == both.of[classes:] if len(buckets) else np.zeros(records, bool)
    return np.where(present, at, -1), of.astype(np.int64)


def _log_sum(log_likelihood: NDArray[np.float64]) -> Floats:
    top = log_likelihood.max(axis=1, initial=-np.inf)
    finite = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        total: Floats = finite + np.log(np.exp(log_likelihood - finite[:, None]).sum(axis=1))
    return total
