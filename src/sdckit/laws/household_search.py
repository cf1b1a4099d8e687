"""Released households that a known one may be, in a file where not all pairs of a record and a row are evaluated.

What is promised leaves each member some rows. A household is possible where every member has a row in it, and its
likelihood is bounded by the likeliest row of each member: only where that bound is not negligible is it computed.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import lgamma
from typing import NamedTuple, TypeGuard

import numpy as np

from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.blocks import UNKNOWN, Block, Equality, Floats, Indices
from sdckit.laws.release_law import ReleaseLaw

NEGLIGIBLE = 60.0  # a log-likelihood this far below the largest adds nothing to a sum of floats


class LikelyHouseholds(NamedTuple):
    """Classes of released households in ascending order, the weights of their rows for each member, and likelihoods.

    `weights` has a line for each member, and for each class and row its log-likelihood.
    """

    classes: Indices
    weights: Floats
    log_likelihood: Floats


class HouseholdSearch:
    """The classes of released households of one size, to be searched by known households."""

    def __init__(self, law: ReleaseLaw, rows: Indices, records: Indices) -> None:
        """`rows` has the classes of rows of each class of households, one line each; `records` are those searched."""
        self._law, self._rows = replace(law, blocks=_without_promises(law.blocks)), rows
        self._possible = PossibleRows(law, records)
        flat = rows.ravel()
        self._by_row = np.argsort(flat, kind="stable")
        self._starts = np.searchsorted(flat[self._by_row], np.arange(len(law.rows.sizes) + 1))
        self._marked = np.zeros(len(law.rows.sizes), dtype=bool)
        self._of_member = np.full((rows.shape[1], len(law.rows.sizes)), -np.inf)

    def likely(self, members: Indices, most: int, log_likelihood: Callable[[Floats], Floats]) -> LikelyHouseholds:
        """The `most` likeliest classes of a household, and all others that are not negligible beside these.

        `log_likelihood` computes it from the weights of members, classes and rows; it must not exceed the product of
        the largest weight of each member, times the number of orders of the rows.
        """
        lists = [self._possible.of(int(record)) for record in members]
        classes = self._with_one_of(min(lists, key=len))
        for each in lists:
            self._marked[each] = True
            classes = classes[self._marked[self._rows[classes]].any(axis=1)]
            self._marked[each] = False
        self._marked[self._rows[classes]] = True
        lists = [each[self._marked[each]] for each in lists]
        self._marked[self._rows[classes]] = False
        records, rows = np.repeat(members, [len(each) for each in lists]), np.concatenate(lists)
        line = np.repeat(np.arange(len(members)), [len(each) for each in lists])
        self._of_member[line, rows] = self._law.log_likelihoods(records, rows)
        weights = self._of_member[:, self._rows[classes]]
        self._of_member[line, rows] = -np.inf
        bound = weights.max(axis=2).sum(axis=0) + lgamma(len(members) + 1)
        possible = bound > -np.inf
        classes, weights, bound = classes[possible], weights[:, possible], bound[possible]
        if len(classes) > most:
            first = np.argpartition(-bound, most - 1)[:most]
            reached = log_likelihood(weights[:, first])
            kept = bound >= min(reached.min(), reached.max() - NEGLIGIBLE)
            classes, weights = classes[kept], weights[:, kept]
        return LikelyHouseholds(classes, weights, log_likelihood(weights))

    def _with_one_of(self, rows: Indices) -> Indices:
        """The classes of households that have at least one of these rows."""
        found = np.zeros(len(self._rows), dtype=bool)
        sizes = self._starts[rows + 1] - self._starts[rows]
        ends = np.cumsum(sizes)
        at = np.arange(int(sizes.sum())) + np.repeat(self._starts[rows] - (ends - sizes), sizes)
        found[self._by_row[at] // self._rows.shape[1]] = True
        return np.flatnonzero(found)


class PossibleRows:
    """The classes of rows that what is promised leaves some records."""

    def __init__(self, law: ReleaseLaw, records: Indices) -> None:
        self._every = np.arange(len(law.rows.sizes))
        self._equalities = [block for block in law.blocks if _is_promise(block)]
        self._bucket: dict[int, int] = {}
        if not self._equalities:
            return
        distinct = np.unique(records)
        of_record = np.column_stack([block.of_record[distinct] for block in self._equalities])
        of_row = np.column_stack([block.of_row for block in self._equalities])
        buckets = class_of(np.concatenate([of_row, of_record])).of
        del of_row
        complete = (of_record != UNKNOWN).all(axis=1)  # all that is promised is known of them: they have one bucket
        self._bucket = dict(
            zip(distinct[complete].tolist(), buckets[len(self._every) :][complete].tolist(), strict=True)
        )
        buckets = buckets[: len(self._every)]
        self._order = np.argsort(buckets, kind="stable").astype(np.int32)
        self._sorted = buckets[self._order]

    def of(self, record: int) -> Indices:
        """The classes of rows whose codes are those of the record wherever they must be, in ascending order."""
        if record in self._bucket:
            bucket = self._bucket[record]
            start, stop = np.searchsorted(self._sorted, (bucket, bucket + 1)).tolist()
            return self._order[start:stop].astype(np.int64)
        rows = self._every
        for block in self._equalities:
            if block.of_record[record] != UNKNOWN:
                rows = rows[block.of_row[rows] == block.of_record[record]]
        return rows


def _is_promise(block: Block) -> TypeGuard[Equality]:
    return isinstance(block, Equality) and block.promised


def _without_promises(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks that distinguish possible rows, in an order that adds them up as all of them."""
    first: dict[tuple[str, ...], int] = {}
    for index, block in enumerate(blocks):
        first.setdefault(block.names, index)
    return tuple(sorted((each for each in blocks if not _is_promise(each)), key=lambda each: first[each.names]))
