"""How well each attribute of two files agrees, as mixtures whose shares are fitted by EM.

Of a category, a released value either comes from the record's own or is drawn from the margin; of a number, it is
equal, or lies within some window of ranks or some error, by a mixture of these, or anywhere. Where values are missing
in both files, a hole goes with a hole or is independent of it.

Columns whose combinations are the same in both files look unchanged, and their shares are fixed.
"""

from dataclasses import dataclass, replace

import numpy as np

from sdckit.laws.blocks import UNKNOWN, Block, Equality, Floats, Indices, Table

ROUNDS = 15  # of the fit of the shares to given pairs
PSEUDO = 10.0  # records that the first shares count as


@dataclass(frozen=True, eq=False)
class Agreement:
    """How an attribute of the two files compares: the parts of a mixture, each a table of lifts, and their shares.

    `names`      the attribute, or several that moved together along their common rank
    `lifts[p]`   how much likelier a released value is than for anybody, if it came by part p: a table by cells
    `rarity`     for each row, how much likelier it is if it is exactly the record's own value
    `shares`     of the parts, the exact agreement first
    `first`      the shares before anything is learned
    `fixed`      whether they stay
    `weight`     of what it says: less than 1 for one of several attributes that moved together and say the same
    """

    names: tuple[str, ...]
    of_record: Indices
    of_row: Indices
    code_of_record: Indices
    code_of_row: Indices
    rarity: Floats
    lifts: Floats
    shares: Floats
    first: Floats
    fixed: bool = False
    weight: float = 1.0

    def blocks(self, *, compared: bool = False) -> list[Block]:
        """The mixture as blocks; a factor for each row is left out, unless rows are compared with what anybody has."""
        exact, others = self.shares[0], self.shares[1:]
        mixture = np.tensordot(others, self.lifts, 1)
        with np.errstate(divide="ignore"):
            entries = self.weight * np.log(mixture)
        table = Table(self.names, entries, self.of_record, self.of_row, lift=True)
        if not exact:
            return [table]
        own = mixture[np.minimum(self.of_row, len(mixture) - 1), self.of_row]
        unequal = self.weight * (np.log(own) - np.log(exact * self.rarity + own))
        blocks: list[Block] = [table, Equality(self.names, self.code_of_record, self.code_of_row, unequal, lift=True)]
        if compared:
            factor, of_row = np.unique(-unequal, return_inverse=True)
            of_record = np.minimum(self.of_record, 0)  # one line for all records whose value is known
            blocks.append(Table(self.names, factor[None], of_record, of_row.astype(np.int64), lift=True))
        return blocks

    def parts(self, records: Indices, rows: Indices) -> Floats:
        """How much likelier the value of each row is for its record than for anybody, if it came by each part."""
        known = self.code_of_record[records] != UNKNOWN
        equal = known & (self.code_of_record[records] == self.code_of_row[rows])
        exact = np.where(equal, self.rarity[rows], np.where(known, 0.0, 1.0))
        others = np.where(known, self.lifts[:, self.of_record[records], self.of_row[rows]], 1.0)
        return np.concatenate([exact[None], others])

    def with_shares(self, shares: Floats) -> "Agreement":
        """The same with other shares of the parts that are possible at first."""
        every = np.zeros(len(self.first))
        every[self.first > 0] = shares
        return replace(self, shares=every)

    def lift(self, records: Indices, rows: Indices) -> Floats:
        """The same by all parts together."""
        known = self.code_of_record[records] != UNKNOWN
        mixture = np.tensordot(self.shares[1:], self.lifts, 1)
        lift = np.where(known, mixture[self.of_record[records], self.of_row[rows]], 1.0)
        if self.shares[0]:
            equal = known & (self.code_of_record[records] == self.code_of_row[rows])
            lift[equal] += self.shares[0] * self.rarity[rows[equal]]
        return lift

    def refitted(self, records: Indices, rows: Indices, weight: Floats) -> "Agreement":
        """The shares that best explain these pairs, each counted by its weight."""
        if self.fixed:
            return self
        present = (self.code_of_record[records] != UNKNOWN) & (self.code_of_row[rows] != UNKNOWN)
        records, rows, weight = records[present], rows[present], weight[present]
        columns = self.lifts.shape[2]
        cell = self.of_record[records] * columns + self.of_row[rows]
        equal = np.zeros(len(records), bool)
        if self.shares[0]:
            equal = self.code_of_record[records] == self.code_of_row[rows]
        lifts = self.lifts.reshape(len(self.lifts), -1)
        by_cell = np.bincount(cell[~equal], weights=weight[~equal], minlength=lifts.shape[1])
        cells = np.flatnonzero(by_cell)
        # Unequal pairs count by cell, equal ones one by one, as their rarity differs.
        parts = np.concatenate([lifts[:, cells], lifts[:, cell[equal]]], axis=1)
        exact = np.concatenate([np.zeros(len(cells)), self.rarity[rows[equal]]])
        counts = np.concatenate([by_cell[cells], weight[equal]])
        return replace(self, shares=_fitted(np.vstack([exact, parts]), counts, self.shares, self.first))


def _fitted(parts: Floats, counts: Floats, shares: Floats, first: Floats) -> Floats:
    """The shares of a mixture by EM, where the first ones count as some observations."""
    for _ in range(ROUNDS):
        expected = shares[:, None] * parts
        expected *= counts / np.maximum(expected.sum(axis=0), 1e-300)
        shares = expected.sum(axis=1) + PSEUDO * first
        shares = shares / shares.sum()
    return shares
