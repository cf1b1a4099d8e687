"""Released households that a known one may be, in a file where not all pairs of a record and a row are evaluated.

What is promised leaves each member some rows. A household is possible where every member has a row in it, and its
likelihood is bounded by the likeliest row of each member: only where that bound is not negligible is it computed.
"""

from collections.abc import Callable
from math import lgamma
from typing import NamedTuple

import numpy as np

from sdckit.laws.blocks import UNKNOWN, Equality, Floats, Indices
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

    def __init__(self, law: ReleaseLaw, rows: Indices) -> None:
        """`rows` has the classes of rows of each class of households, one line each."""
        self._law, self._rows = law, rows
        self._possible = PossibleRows(law)
        flat = rows.ravel()
        self._by_row = np.argsort(flat, kind="stable")
        self._starts = np.searchsorted(flat[self._by_row], np.arange(len(law.rows.sizes) + 1))
        self._of_member = np.full((rows.shape[1], len(law.rows.sizes)), -np.inf)

    def likely(self, members: Indices, most: int, log_likelihood: Callable[[Floats], Floats]) -> LikelyHouseholds:
        """The `most` likeliest classes of a household, and all others that are not negligible beside these.

        `log_likelihood` computes it from the weights of members, classes and rows; it must not exceed the product of
        the largest weight of each member, times the number of orders of the rows.
        """
        lists = [self._possible.of(int(record)) for record in members]
        fewest = min(lists, key=len)
        classes = self._with_one_of(fewest)
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
    """The classes of rows that what is promised leaves a record."""

    def __init__(self, law: ReleaseLaw) -> None:
        self._every = np.arange(len(law.rows.sizes))
        self._equalities = [block for block in law.blocks if isinstance(block, Equality) and block.promised]
        self._orders = [np.argsort(block.of_row, kind="stable").astype(np.int32) for block in self._equalities]
        self._codes = [
            block.of_row[order] for block, order in zip(self._equalities, self._orders, strict=True)
        ]  # in ascending order

    def of(self, record: int) -> Indices:
        """The classes of rows whose codes are those of the record wherever they must be, in ascending order."""
        known = [
            (block, int(block.of_record[record]), order, codes)
            for block, order, codes in zip(self._equalities, self._orders, self._codes, strict=True)
            if block.of_record[record] != UNKNOWN
        ]
        if not known:
            return self._every
        spans = [tuple(np.searchsorted(codes, (code, code + 1)).tolist()) for _, code, _, codes in known]
        start, stop, index = min((stop - start, start, stop, index) for index, (start, stop) in enumerate(spans))[1:]
        rows = known[index][2][start:stop].astype(np.int64)
        for block, code, _, _ in known:
            rows = rows[block.of_row[rows] == code]
        return rows
