"""The law of an intruder who does not know the method: how well each attribute agrees, learned from the two files.

Of a category, a released value either comes from the record's own or is drawn from the margin; of a number, it is
equal, or lies within some distance in rank, by a mixture of scales, or anywhere. The shares of these are fitted by EM:
the posterior over matchings under the present shares says which pairs are likely to belong together, and these pairs
give the next shares. The correspondence of rows and records is never used.

Columns whose combinations are the same in both files look unchanged, and their shares are fixed. Where there are none,
the shares of categories, and of numbers whose values are the same in both files as after swapping, move little from the
first ones: each column could be matched perfectly by itself, and the fit would end at one that was not unchanged.
"""

from dataclasses import dataclass, replace

import numpy as np

from sdckit.candidates import meanings
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Block, Equality, Floats, Indices, Table
from sdckit.laws.learned_tables import rank_cells
from sdckit.laws.release_law import Candidates, ReleaseLaw, RowClasses, Source
from sdckit.laws.unchanged import AGREE, Unchanged
from sdckit.laws.values import equal_codes
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares

ROUNDS = 15
LISTED = 60  # candidate rows of a record that the shares are fitted on
SAMPLE = 1500  # records that they are fitted on
CELLS = 200  # of ranks
SCALES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)  # of the file, in rank
FIRST = (0.5, 0.5, 1.0, 1.0, 2.0, 3.0, 3.0, 2.0, 0.5)  # weights of the scales, and of no relation, before the fit
LEAST = 1e-3  # share of everything that the model allows
PRIOR = 0.1  # weight of the first shares beside the fitted ones
UNANCHORED = 10.0  # the same, where no column looks unchanged
DOUBT = 1e-3  # that a column which looks unchanged is not


@dataclass(frozen=True, eq=False)
class Agreement:
    """How one attribute of the two files compares: the parts of a mixture, each a table of lifts, and their shares.

    `lifts[p]`   how much likelier a released value is than for anybody, if it came by part p: a table by cells
    `rarity`     for each row, how much likelier it is if it is exactly the record's own value
    `shares`     of the parts, the exact agreement first
    `first`      the shares before anything is learned, with their weight `prior`; infinite: they stay
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
    prior: float = PRIOR

    def blocks(self) -> list[Block]:
        """The mixture as blocks; a factor for each row is left out."""
        exact, others = self.shares[0], self.shares[1:]
        mixture = np.tensordot(others, self.lifts, axes=1)
        with np.errstate(divide="ignore"):
            entries = np.log(mixture)
        table = Table((self.name,), entries, self.of_record, self.of_row)
        if not exact:
            return [table]
        own = mixture[np.minimum(self.of_row, len(mixture) - 1), self.of_row]
        unequal = np.log(own) - np.log(exact * self.rarity + own)
        return [table, Equality((self.name,), self.code_of_record, self.code_of_row, unequal)]

    def refitted(self, records: Indices, rows: Indices, weight: Floats) -> "Agreement":
        """The shares that explain best these pairs, each counted by its weight."""
        known = self.code_of_record[records] != UNKNOWN
        if np.isinf(self.prior):
            return self
        present = known & (self.code_of_row[rows] != UNKNOWN)
        records, rows, weight = records[present], rows[present], weight[present]
        parts = np.empty((len(self.shares), len(records)))
        equal = self.code_of_record[records] == self.code_of_row[rows]
        parts[0] = self.shares[0] * np.where(equal, self.rarity[rows], 0.0)
        parts[1:] = self.shares[1:, None] * self.lifts[:, self.of_record[records], self.of_row[rows]]
        parts *= weight / np.maximum(parts.sum(axis=0), 1e-300)
        total = parts.sum(axis=1)
        fitted = np.maximum(total / max(total.sum(), 1e-300), np.where(self.first > 0, LEAST, 0.0))
        shares = (fitted + self.prior * self.first) / (1 + self.prior)
        return replace(self, shares=shares / shares.sum())


def agreement_law(view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
    """The law fitted to the two files."""
    rows = RowClasses.by(view.released, view.attributes)
    model = _first_model(view, rows)
    some = np.arange(len(view))
    if len(view) > SAMPLE:
        some = np.sort(rng.choice(len(view), SAMPLE, replace=False))
    law = _law(view, rows, model)
    for _ in range(ROUNDS):
        law = replace(_law(view, rows, model), like=law.tree)
        found = law.candidates(LISTED, None if len(some) == len(view) else some)
        weight = shares_of(found, rows, whole=len(some) == len(view) == len(view.released))
        records = some[np.repeat(np.arange(len(some)), np.diff(found.starts))]
        shares = [each.shares for each in model]
        model = [each.refitted(records, found.classes, weight) for each in model]
        if max(float(np.abs(each.shares - old).max()) for each, old in zip(model, shares, strict=True)) < LEAST:
            break
    return replace(_law(view, rows, model), like=law.tree)


def shares_of(found: Candidates, rows: RowClasses, *, whole: bool) -> Floats:
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


def _law(view: AttackerView, rows: RowClasses, model: list[Agreement]) -> ReleaseLaw:
    blocks = tuple(block for each in model for block in each.blocks())
    return ReleaseLaw(len(view), rows, blocks, dict.fromkeys(view.attributes, Source.LEARNED))


def _first_model(view: AttackerView, rows: RowClasses) -> list[Agreement]:
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
            first[1 if coded else 0] = 1 - DOUBT + (0 if coded else first[0])
            first[0] = 0.0 if coded else first[0]
            each = replace(each, first=first, shares=first, prior=np.inf)
        else:
            if not coded and not files.mostly(index):
                first = np.concatenate([[0.0], each.first[1:] / each.first[1:].sum()])
                each = replace(each, first=first, shares=first)
            if not together and (coded or files.single[index] >= AGREE):
                each = replace(each, prior=UNANCHORED)
        model.append(each)
    return model


def _numbers(view: AttackerView, name: str, rows: RowClasses, code: Indices, row_code: Indices) -> Agreement:
    known, released = view.known.columns[name], view.released.columns[name]
    cells = int(np.clip(len(released) // 2, 2, CELLS))
    # The rank of a value among few others says little; all known ones have the ranks that their rows had.
    among = known if view.everyone else np.concatenate([known, released])
    row_among = released if view.everyone else among
    of_record, of_row = rank_cells(known, among, cells), rank_cells(released, row_among, cells)[rows.first]
    row_code = row_code[rows.first]
    seen = code[code != UNKNOWN]
    frequency = np.bincount(seen, minlength=int(max(code.max(initial=0), row_code.max(initial=0))) + 1) / max(
        len(seen), 1
    )
    rarity = 1.0 / np.maximum(frequency[np.maximum(row_code, 0)], 1.0 / max(len(known), 1))
    middle = (np.arange(cells) + 0.5) / cells
    gap = np.abs(middle[:, None] - middle[None, :])
    lifts = [np.exp(-0.5 * (gap / max(scale, 0.5 / cells)) ** 2) for scale in SCALES]
    lifts = [each * cells / each.sum(axis=1, keepdims=True) for each in lifts]
    return _with_holes(
        name, of_record, of_row, code, row_code, rarity, np.array([*lifts, np.ones((cells, cells))]), np.array(FIRST)
    )


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
    agreement = _with_holes(name, known, released, known, released, nothing, lifts, np.ones(len(lifts)))
    first = np.array([0.0, 0.9, 0.1])
    return replace(agreement, shares=first, first=first)


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
    weights: Floats,
) -> Agreement:
    """The agreement with a column for holes, which say nothing; `weights` are those of the parts before the fit."""
    holes = np.ones((*lifts.shape[:2], 1))
    tables = np.concatenate([lifts, holes], axis=2)
    shares = np.concatenate([[0.01], 0.99 * weights / weights.sum()])
    return Agreement(
        name,
        np.where(of_record < 0, UNKNOWN, of_record),
        np.where(of_row < 0, lifts.shape[2], of_row),
        code,
        row_code,
        rarity,
        tables,
        shares,
        shares,
    )
