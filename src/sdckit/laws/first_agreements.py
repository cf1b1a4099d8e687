"""The agreement of every attribute before anything is learned from the two files but which columns look unchanged."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sdckit.candidates import meanings
from sdckit.intruder import AttackerView
from sdckit.kernels.sorted_positions import sorted_positions
from sdckit.laws.agreement import Agreement
from sdckit.laws.blocks import UNKNOWN, Floats, Indices
from sdckit.laws.explanations import DOUBT, Columns, likeliest_explanation
from sdckit.laws.movement import CellsOfRanks, movement_lifts
from sdckit.laws.release_law import RowClasses
from sdckit.laws.unchanged import Unchanged
from sdckit.laws.values import equal_codes

CELLS = 200  # of ranks
EXACT = 0.01  # share of exact agreement of a number, before the fit
STAY = (0.9, 0.1)  # of categories that stay and that are drawn anew, before the fit
HOLES = (0.5, 0.5)  # the same of holes


class FirstAgreements(NamedTuple):
    """An agreement of each attribute and of its holes, and the probability that other columns are unchanged."""

    model: list[Agreement]
    doubt: float


def first_agreements(view: AttackerView, rows: RowClasses, rng: np.random.Generator) -> FirstAgreements:
    """Every attribute before anything is learned, by what looks unchanged."""
    names = sorted(view.attributes)  # the order of the columns must not matter
    codes = [equal_codes(view.known.columns[name], view.released.columns[name]) for name in names]
    files = Unchanged(np.column_stack([own for own, _ in codes]), np.column_stack([theirs for _, theirs in codes]))
    columns = [
        _first(view, name, rows, code, files, index)
        for index, (name, code) in enumerate(zip(names, codes, strict=True))
    ]
    by_rank = {each: _common_rank(view, [names[index] for index in each], rows) for each in _of_numbers(files, columns)}
    found = likeliest_explanation(files, columns, by_rank, rows, rng)
    together = {index: each for each in found.moved for index in each}
    model = [by_rank[each] for each in found.ordered]
    for index, each in enumerate(columns):
        if index in found.unchanged:
            model.append(_fixed(each))
        elif index not in together:
            model.append(each)
        elif together[index] not in found.ordered:
            model.append(replace(_not_equal(each), weight=1.0 / len(together[index])))
        own, theirs = (codes[index][side] == UNKNOWN for side in (0, 1))
        if own.any() and theirs.any():
            model.append(_holes(each.names, own, theirs, rows))
    return FirstAgreements(model, found.doubt)


def _of_numbers(files: Unchanged, columns: Sequence[Agreement]) -> list[Columns]:
    """Sets of several columns that may have moved together and are all numbers."""
    return [each for each in files.sets if len(each) > 1 and all(columns[index].rarity.any() for index in each)]


def _first(
    view: AttackerView, name: str, rows: RowClasses, code: tuple[Indices, Indices], files: Unchanged, index: int
) -> Agreement:
    """The agreement of an attribute that may have changed."""
    if view.released.attribute(name).coded:
        return _categories(view, name, rows)
    each = _numbers(view, name, rows, *code)
    return each if files.mostly(index) else _not_equal(each)


def _not_equal(each: Agreement) -> Agreement:
    """The agreement without the part of values that are the record's own."""
    if not each.first[0]:
        return each
    first = np.concatenate([[0.0], each.first[1:] / each.first[1:].sum()])
    return replace(each, first=first, shares=first)


def _common_rank(view: AttackerView, names: Sequence[str], rows: RowClasses) -> Agreement:
    """The agreement of the mean rank of several numbers, as a number; missing where one of them is."""
    known, released = (
        np.mean([_ranks(file.columns[name]) for name in names], axis=0) for file in (view.known, view.released)
    )
    mine, theirs = (CellsOfRanks(each, np.sort(each[~np.isnan(each)]), _cells(released)) for each in (known, released))
    lifts, weights = movement_lifts(mine, theirs)
    code, row_code = (np.where(each < 0, UNKNOWN, 0) for each in (mine.of, theirs.of[rows.first]))
    nothing, first = np.zeros(len(row_code)), np.concatenate([[0.0], weights])
    return _with_holes(tuple(names), mine.of, theirs.of[rows.first], code, row_code, nothing, lifts, first)


def _ranks(values: Floats) -> Floats:
    """The middle rank of each value in its own column, from 0 to 1."""
    ordered = np.sort(values[~np.isnan(values)])
    below, up_to = sorted_positions(ordered, values)
    return np.where(np.isnan(values), np.nan, (below + up_to) / 2 / max(len(ordered), 1))


def _fixed(each: Agreement) -> Agreement:
    """The agreement of a column that looks unchanged: numbers are equal, categories stay."""
    first = np.full(len(each.shares), DOUBT / len(each.lifts))
    first[0] = 0.0
    first[0 if each.rarity.any() else 1] += 1 - DOUBT
    return replace(each, first=first, shares=first, fixed=True)


def _numbers(view: AttackerView, name: str, rows: RowClasses, code: Indices, row_code: Indices) -> Agreement:
    known, released = view.known.columns[name], view.released.columns[name]
    cells = _cells(released)
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
    return _with_holes((name,), mine.of, theirs.of[rows.first], code, row_code, rarity, lifts, first)


def _cells(values: Floats) -> int:
    return int(np.clip(len(values) // 2, 2, CELLS))


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
    return _with_holes((name,), known, released, known, released, nothing, lifts, np.array([0.0, *STAY]))


def _holes(names: tuple[str, ...], known: np.ndarray, released: np.ndarray, rows: RowClasses) -> Agreement:
    """Whether a value is missing, in both files."""
    of_record, of_row = known.astype(np.int64), released[rows.first].astype(np.int64)
    share = np.array([(~released).mean(), released.mean()])
    lifts = np.array([np.eye(2) / np.maximum(share, 1.0 / len(released)), np.ones((2, 2))])
    first = np.array([0.0, *HOLES])
    return Agreement(names, of_record, of_row, of_record, of_row, np.zeros(len(of_row)), lifts, first, first)


def _padded(table: np.ndarray, lines: int) -> np.ndarray:
    return np.concatenate([table, np.zeros((lines - len(table), table.shape[1]), dtype=bool)])


def _with_holes(
    names: tuple[str, ...],
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
        names,
        np.where(of_record < 0, UNKNOWN, of_record),
        np.where(of_row < 0, lifts.shape[2], of_row),
        code,
        row_code,
        rarity,
        np.concatenate([lifts, holes], axis=2),
        first,
        first,
    )
