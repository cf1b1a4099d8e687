"""Which columns are unchanged, where the two files have several explanations.

Where the numbers of a file were exchanged as a whole, their combinations are the same in both files, and so are those
of the categories: either the one set of columns moved among the records, or the other did. Each set that may be
unchanged, and none at all, is an explanation. It is the better, the better the records that have a row's values in
these columns explain what else the row has:

    Σ_r log ( 1/|C_r| Σ_{x ∈ C_r} Π_b L_b(r | x) ),   C_r the known records with the values of row r in these columns,

where L_b says how much likelier the values of r in another part b of the columns are for x than for anybody. Were the
parts exchanged at random, the sum would be 0 for every explanation, whichever part moved, so that sums can be compared.
They need some rows only, and ignore that no two rows belong to one record. That a masking leaves some columns unchanged
and sets all others at random is unlikely before anything is compared. How often an explanation is the best of rows
drawn again, with replacement, is its probability.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.agreement import PSEUDO, Agreement
from sdckit.laws.blocks import UNKNOWN, Floats, Indices
from sdckit.laws.release_law import RowClasses
from sdckit.laws.unchanged import Unchanged

DOUBT = 1e-3  # that columns which look unchanged are not, before anything else is compared
ROWS, RECORDS = 300, 50  # rows that are explained, and records compared with each, at most
ANYBODY = 600  # rows that show how likely the values of a set are for a record at random
POWERS = (1.0, 0.5, 0.25, 0.1, 0.0)  # of what the columns of a part say, one by one
NOTHING = POWERS.index(0.0)
ROUNDS = 15  # of the fit of their shares
AT_RANDOM = 0.1  # share of rows with the values of anybody in a part, before the fit
LEAST = 1e-12  # lift
CLEAR = 0.5  # mean logarithm of a row from which on a set of several columns needs no other explanation
AGAIN = 400  # times that rows are drawn again

Columns = tuple[int, ...]


class Explanation(NamedTuple):
    """Columns that are unchanged, and the probability that others are.

    `moved`    sets of other columns whose values moved together
    `ordered`  those of them that moved along their common rank
    """

    unchanged: Columns
    doubt: float = 0.0
    moved: tuple[Columns, ...] = ()
    ordered: tuple[Columns, ...] = ()


class Evidence(NamedTuple):
    """How well an explanation explains each row, and the sets that moved along their common rank.

    `before`   how likely it is before anything is compared, as a logarithm
    """

    of_row: Floats
    before: float
    ordered: tuple[Columns, ...]


def likeliest_explanation(
    files: Unchanged,
    model: Sequence[Agreement],
    by_rank: Mapping[Columns, Agreement],
    rows: RowClasses,
    rng: np.random.Generator,
) -> Explanation:
    """The best of the explanations, in the light of the others.

    `model` has the first agreement of each column, `by_rank` that of the common rank of sets of numbers.
    """
    several = _apart([each for each in files.sets if len(each) > 1])
    if not several or len(several[0]) == len(model):
        return Explanation(several[0] if several else ())
    complete = np.flatnonzero((files.released[:, sorted(set().union(*several))] != UNKNOWN).all(axis=1))
    if not len(complete):
        return Explanation(several[0])
    compared = _Compared(files, model, by_rank, rows, complete, rng)
    found = {each: compared.evidence(each) for each in several}
    if max(each.of_row.mean() for each in found.values()) < CLEAR:
        single = [each for each in files.sets if len(each) == 1 and each in compared.parts]
        found |= {each: compared.evidence(each) for each in (*single, ())}
    before = np.array([value.before + (0.0 if len(each) > 1 else np.log(DOUBT)) for each, value in found.items()])
    probability = _often_best(np.array([each.of_row for each in found.values()]), before, rng)
    of = dict(zip(found, probability.tolist(), strict=True))
    best = max(found, key=lambda each: (of[each], files.order_of(each)))
    doubt = sum(share for each, share in of.items() if each != best and not set(each) & set(best))
    moved = [tuple(index for index in each if index not in best) for each in several]
    return Explanation(
        best,
        doubt,
        tuple(each for each in moved if len(each) > 1),
        found[best].ordered,
    )


def _apart(sets: Sequence[Columns]) -> list[Columns]:
    """The sets without a column of an earlier one; two with a common column compare other columns with anybody's.

    >>> _apart([(2, 3, 4), (1, 4), (0, 1)])
    [(2, 3, 4), (0, 1)]
    """
    kept: list[Columns] = []
    for each in sets:
        if not any(set(each) & set(earlier) for earlier in kept):
            kept.append(each)
    return kept


def _often_best(of_rows: Floats, before: Floats, rng: np.random.Generator) -> Floats:
    """How often each explanation is the best, where rows are drawn again; explanations that tie share."""
    if len(of_rows) == 1:
        return np.ones(1)
    count = of_rows.shape[1]
    totals = of_rows @ rng.multinomial(count, np.full(count, 1.0 / count), AGAIN).T + before[:, None]
    best = totals == totals.max(axis=0)
    share: Floats = (best / best.sum(axis=0)).mean(axis=1)
    return share


class _Compared:
    """Some rows of the release, to be explained by the known records; they lack no value of a set.

    The columns are divided into `parts`: the sets that may have moved together, and all others. Explanations compare
    because each of them takes the values of a part from one row.
    """

    def __init__(
        self,
        files: Unchanged,
        model: Sequence[Agreement],
        by_rank: Mapping[Columns, Agreement],
        classes: RowClasses,
        complete: Indices,
        rng: np.random.Generator,
    ) -> None:
        self._files, self._model, self._by_rank, self._rng = files, model, by_rank, rng
        self.parts = _parted(files, len(model))
        self._rows = rng.permutation(complete)[:ROWS]
        others = rng.permutation(np.setdiff1d(np.arange(len(files.released)), self._rows))
        self._anybody = classes.of[np.concatenate([self._rows, others])[:ANYBODY]]
        self._class_of_row = classes.of[self._rows]

    def evidence(self, unchanged: Columns) -> Evidence:
        """How well the records with the same values in these columns explain the other columns of the rows."""
        pairs = self._pairs(unchanged)
        left = (tuple(index for index in each if index not in unchanged) for each in self.parts)
        moved = [each for each in left if each]
        fits = [self._one_by_one(each, pairs) for each in moved]
        lifts = [self._lifts(each, fit, pairs) for each, fit in zip(moved, fits, strict=True)]
        shares = _fitted(lifts, [_first(each) for each in lifts], PSEUDO, pairs)
        lift = _product([share @ each for share, each in zip(shares, lifts, strict=True)], pairs)
        nothing = [
            share[NOTHING] + (1 - share[NOTHING]) * min(each.shares[-1] for each in fit)
            for share, fit in zip(shares, fits, strict=True)
        ]
        ordered = [
            each
            for each, share in zip(moved, shares, strict=True)
            if each in self._by_rank and share[len(POWERS) :].sum() > 0.5
        ]
        before = sum(_log_before(each) for each in nothing)
        return Evidence(np.log(np.maximum(pairs.mean(lift), DOUBT)), before, tuple(ordered))

    def _lifts(self, columns: Columns, fit: Sequence[Agreement], pairs: "_Pairs") -> Floats:
        """What a part says of each pair: as its columns do one by one, weaker, nothing, or by their common rank.

        Columns of a part may depend on each other, so what they say is compared with the rows that there are.
        """
        rows = self._class_of_row[pairs.line]
        distinct, of = np.unique(pairs.records, return_inverse=True)
        everywhere = np.repeat(distinct, len(self._anybody)), np.tile(self._anybody, len(distinct))
        log_lift, at_random = np.zeros(len(rows)), np.zeros((len(distinct), len(self._anybody)))
        for each in fit:
            log_lift += np.log(np.maximum(each.lift(pairs.records, rows), LEAST))
            at_random += np.log(np.maximum(each.lift(*everywhere), LEAST)).reshape(at_random.shape)
        lifts = [np.exp(power * log_lift) / np.exp(power * at_random).mean(axis=1)[of.ravel()] for power in POWERS]
        if columns in self._by_rank:
            lifts += list(self._by_rank[columns].parts(pairs.records, rows)[1:-1])
        return np.array(lifts)

    def _one_by_one(self, columns: Columns, pairs: "_Pairs") -> list[Agreement]:
        """The agreements of the columns, fitted to the pairs; those of a set that moved together stay wide."""
        model = [self._model[index] for index in columns]
        if len(columns) > 1 and columns in self._files.sets:
            return model
        rows = self._class_of_row[pairs.line]
        possible = [each.first > 0 for each in model]
        lifts = [each.parts(pairs.records, rows)[some] for each, some in zip(model, possible, strict=True)]
        fitted = _fitted(lifts, [each.first[some] for each, some in zip(model, possible, strict=True)], 1.0, pairs)
        return [each.with_shares(share) for each, share in zip(model, fitted, strict=True)]

    def _pairs(self, unchanged: Columns) -> "_Pairs":
        """The rows with the records that have the same values in these columns."""
        known, released = self._files.known[:, unchanged], self._files.released[:, unchanged]
        of = class_of(np.concatenate([known, released])).of if unchanged else np.zeros(len(known) + len(released), int)
        of_record, of_row = of[: len(known)], of[len(known) :]
        count = int(of.max(initial=0)) + 1
        records, rows = (np.bincount(each, minlength=count) for each in (of_record, of_row))
        starts = np.concatenate([[0], np.cumsum(records)])
        # Records of a class in random order: the first ones are a sample of it.
        order = self._rng.permutation(len(known))
        order = order[np.argsort(of_record[order], kind="stable")]
        wanted = of_row[self._rows]
        size = np.minimum(records[wanted], RECORDS)
        line = np.repeat(np.arange(len(wanted)), size)
        at = np.arange(len(line)) - np.repeat(np.cumsum(size) - size, size)
        strangers = np.maximum(rows[wanted] - records[wanted], 0) * size / np.maximum(records[wanted], 1)
        return _Pairs(line, order[starts[wanted[line]] + at], strangers)


class _Pairs(NamedTuple):
    """Rows, by their index, and records with the same values; and the number of strangers who have these, by row."""

    line: Indices
    records: Indices
    strangers: Floats

    def total(self, lift: Floats) -> Floats:
        """The sum over the records of each row, where the row of a stranger is like anybody's."""
        total: Floats = np.bincount(self.line, weights=lift, minlength=len(self.strangers)) + self.strangers
        return total

    def mean(self, lift: Floats) -> Floats:
        """The mean over the records of each row; 1 where it has none."""
        size = self.total(np.ones(len(lift)))
        return np.where(size > 0, self.total(lift) / np.maximum(size, LEAST), 1.0)


def _fitted(lifts: Sequence[Floats], first: Sequence[Floats], pseudo: float, pairs: _Pairs) -> list[Floats]:
    """The shares of several mixtures by EM, where the first ones count as some observations."""
    shares = list(first)
    for _ in range(ROUNDS):
        mixtures = [share @ each for share, each in zip(shares, lifts, strict=True)]
        lift = _product(mixtures, pairs)
        weight = lift / np.maximum(pairs.total(lift), LEAST)[pairs.line]
        shares = [
            _normed(share * (each @ (weight / np.maximum(mixture, LEAST))) + pseudo * before)
            for share, each, mixture, before in zip(shares, lifts, mixtures, first, strict=True)
        ]
    return shares


def _parted(files: Unchanged, columns: int) -> list[Columns]:
    """The sets of several columns that may have moved together, without those of earlier ones, and all others."""
    left = list(range(columns))
    found = []
    for each in files.sets:
        if len(each) > 1:
            found.append(tuple(index for index in each if index in left))
            left = [index for index in left if index not in each]
    return [each for each in (*found, tuple(left)) if each]


def _first(lifts: Floats) -> Floats:
    """The shares of what a part says, before the fit: that it says nothing is unlikely."""
    shares = np.full(len(lifts), (1 - AT_RANDOM) / (len(lifts) - 1))
    shares[NOTHING] = AT_RANDOM
    return shares


def _log_before(nothing: float) -> float:
    """The logarithm of how likely it is that a part says nothing of so many rows, beside its largest value."""
    share = min(max(nothing, LEAST), 1 - LEAST)
    likely = AT_RANDOM * np.log(share / AT_RANDOM) + (1 - AT_RANDOM) * np.log((1 - share) / (1 - AT_RANDOM))
    return float(PSEUDO * likely) if share > AT_RANDOM else 0.0


def _product(lifts: Sequence[Floats], pairs: _Pairs) -> Floats:
    product = np.ones(len(pairs.records))
    for each in lifts:
        product *= each
    return product


def _normed(shares: Floats) -> Floats:
    return shares / max(float(shares.sum()), 1e-300)
