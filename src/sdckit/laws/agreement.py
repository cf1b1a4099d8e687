"""How well each attribute of two files agrees, as mixtures whose shares are fitted by EM.

Of a category, a released value either comes from the record's own or is drawn from the margin; of a number, it is
equal, or lies within some window of ranks or some error, by a mixture of these, or anywhere. Where values are missing
in both files, a hole goes with a hole or is independent of it.

Columns whose combinations are the same in both files look unchanged, and their shares are fixed.
"""

from dataclasses import dataclass, replace

import numpy as np

from sdckit.candidates import meanings
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Block, Equality, Floats, Indices, Table
from sdckit.laws.movement import CellsOfRanks, movement_lifts
from sdckit.laws.release_law import RowClasses
from sdckit.laws.unchanged import Unchanged
from sdckit.laws.values import equal_codes

CELLS = 200  # of ranks
ROUNDS = 15  # of the fit of the shares to given pairs
PSEUDO = 10.0  # records that the first shares count as
EXACT = 0.01  # share of exact agreement of a number, before the fit
STAY = (0.9, 0.1)  # of categories that stay and that are drawn anew, before the fit
HOLES = (0.5, 0.5)  # the same of holes
DOUBT = 1e-3  # that a column which looks unchanged is not


@dataclass(frozen=True, eq=False)
class Agreement:
    """How one attribute of the two files compares: the parts of a mixture, each a table of lifts, and their shares.

    `lifts[p]`   how much likelier a released value is than for anybody, if it came by part p: a table by cells
    `rarity`     for each row, how much likelier it is if it is exactly the record's own value
    `shares`     of the parts, the exact agreement first
    `first`      the shares before anything is learned
    `fixed`      whether they stay
    """

    name: str
    of_record: Indices
    of_row: Indices
    code_of_record: Indices
    code_of_row: Indices
    rarity: Floats
    lifts: Floats
    shares: Floats
    first: Floats
    fixed: bool = False

    def blocks(self) -> list[Block]:
        """The mixture as blocks; a factor for each row is left out."""
        exact, others = self.shares[0], self.shares[1:]
        mixture = np.zeros(self.lifts.shape[1:])
        for share, table in zip(others, self.lifts, strict=True):
            mixture += share * table
        with np.errstate(divide="ignore"):
            entries = np.log(mixture)
        table = Table((self.name,), entries, self.of_record, self.of_row, lift=True)
        if not exact:
            return [table]
        own = mixture[np.minimum(self.of_row, len(mixture) - 1), self.of_row]
        unequal = np.log(own) - np.log(exact * self.rarity + own)
        return [table, Equality((self.name,), self.code_of_record, self.code_of_row, unequal, lift=True)]

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


def first_agreements(view: AttackerView, rows: RowClasses) -> list[Agreement]:
    """Every attribute before anything is learned, by what looks unchanged."""
    names = sorted(view.attributes)  # the order of the columns must not matter
    codes = [equal_codes(view.known.columns[name], view.released.columns[name]) for name in names]
    files = Unchanged(np.column_stack([own for own, _ in codes]), np.column_stack([theirs for _, theirs in codes]))
    together = files.together()
    model = []
    for index, name in enumerate(names):
        coded = view.released.attribute(name).coded
        each = _categories(view, name, rows) if coded else _numbers(view, name, rows, *codes[index])
        parts = len(each.lifts)
        if index in together:
            first = np.full(parts + 1, DOUBT / parts)
            first[0] = 0.0
            first[1 if coded else 0] += 1 - DOUBT
            each = replace(each, first=first, shares=first, fixed=True)
        elif not coded and not files.mostly(index):
            first = np.concatenate([[0.0], each.first[1:] / each.first[1:].sum()])
            each = replace(each, first=first, shares=first)
        model.append(each)
        own, theirs = (codes[index][side] == UNKNOWN for side in (0, 1))
        if own.any() and theirs.any():
            model.append(_holes(name, own, theirs, rows))
    return model


def _numbers(view: AttackerView, name: str, rows: RowClasses, code: Indices, row_code: Indices) -> Agreement:
    known, released = view.known.columns[name], view.released.columns[name]
    cells = int(np.clip(len(released) // 2, 2, CELLS))
    # The rank of a value among few others says little; all known ones have the ranks that their rows had.
    among = known if view.everyone else np.concatenate([known, released])
    row_among = released if view.everyone else among
    mine, theirs = (
        CellsOfRanks(values, np.sort(others[~np.isnan(others)]), cells)
        for values, others in ((known, among), (released, row_among))
    )
    row_code = row_code[rows.first]
    seen = code[code != UNKNOWN]
    frequency = np.bincount(seen, minlength=int(max(code.max(initial=0), row_code.max(initial=0))) + 1) / max(
        len(seen), 1
    )
    rarity = 1.0 / np.maximum(frequency[np.maximum(row_code, 0)], 1.0 / max(len(known), 1))
    lifts, weights = movement_lifts(mine, theirs)
    first = np.concatenate([[EXACT], (1 - EXACT) * weights])
    return _with_holes(name, mine.of, theirs.of[rows.first], code, row_code, rarity, lifts, first)


def _categories(view: AttackerView, name: str, rows: RowClasses) -> Agreement:
    """Agreement with a category is having it, or one that it comprises."""
    known = view.known.columns[name].astype(np.int64)
    released = view.released.columns[name].astype(np.int64)[rows.first]
    categories = max(len(view.released.attribute(name).categories or ()), int(known.max(initial=0)) + 1, 1)
    fine = len(view.original.attribute(name).categories or ())
    covers = np.eye(categories, dtype=bool)
    covers[:, :fine] |= _padded(meanings(view.released.attribute(name), fine), categories)
    share = np.bincount(known[known >= 0], minlength=categories) / max(int((known >= 0).sum()), 1)
    covered = np.maximum(covers @ share, 1.0 / max(len(known), 1))
    lifts = np.array([covers.T / covered, np.ones((categories, categories))])
    nothing = np.zeros(len(released))
    return _with_holes(name, known, released, known, released, nothing, lifts, np.array([0.0, *STAY]))


def _holes(name: str, known: np.ndarray, released: np.ndarray, rows: RowClasses) -> Agreement:
    """Whether a value is missing, in both files."""
    of_record, of_row = known.astype(np.int64), released[rows.first].astype(np.int64)
    share = np.array([(~released).mean(), released.mean()])
    lifts = np.array([np.eye(2) / np.maximum(share, 1.0 / len(released)), np.ones((2, 2))])
    first = np.array([0.0, *HOLES])
    return Agreement(name, of_record, of_row, of_record, of_row, np.zeros(len(of_row)), lifts, first, first)


def _padded(table: np.ndarray, lines: int) -> np.ndarray:
    return np.concatenate([table, np.zeros((lines - len(table), table.shape[1]), dtype=bool)])


def _with_holes(
    name: str,
    of_record: Indices,
    of_row: Indices,
    code: Indices,
    row_code: Indices,
    rarity: Floats,
    lifts: Floats,
    first: Floats,
) -> Agreement:
    """The agreement with a column for holes, which say nothing of the value; `first` are the shares before the fit."""
    holes = np.ones((*lifts.shape[:2], 1))
    return Agreement(
        name,
        np.where(of_record < 0, UNKNOWN, of_record),
        np.where(of_row < 0, lifts.shape[2], of_row),
        code,
        row_code,
        rarity,
        np.concatenate([lifts, holes], axis=2),
        first,
        first,
    )
