"""Kept edits: equalities of synthetic values are restored, and rows that break another edit are drawn again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.edit_checks import violations
from sdckit.edits import Edits
from sdckit.masking import Masking
from sdckit.methods.synthesis.derived_attributes import Derived, with_derived
from sdckit.microdata import Microdata

ROUNDS = 10  # times that rows are drawn again, at most
SPARE = 1.2  # rows drawn for each one that is expected to be needed
LARGEST = 4  # files drawn at once, at most


def rows_kept_in_place(
    edits: Edits, original: Microdata, made: Microdata, again: Callable[[int], Microdata], names: list[str]
) -> Microdata:
    """A partial synthesis whose rows break no edit that their records satisfy, so far as drawing again can.

    `again(round)` is the whole file drawn once more; `names` are the attributes that were replaced.
    """
    before = violations(edits, original)
    for number in range(ROUNDS):
        wrong = (violations(edits, made) & ~before).any(axis=1)
        if not wrong.any():
            break
        other = again(number)
        better = wrong & ~(violations(edits, other) & ~before).any(axis=1)
        made = made.with_columns({name: np.where(better, other.columns[name], made.columns[name]) for name in names})
    return made


def with_equalities_in_place(
    masking: Masking, data: Microdata, derived: Sequence[Derived], columns: Mapping[str, NDArray[Any]]
) -> Microdata:
    """The file with some columns replaced, and equalities that these no longer satisfy restored row by row.

    A missing value stays missing, and nothing else becomes missing.
    """
    made = data.with_columns(dict(columns))
    for each in derived:
        broken = violations((each.edit,), made)[:, 0]
        own = made.columns[each.name]
        decimals = {each.name: masking.decimals(data.attribute(each.name))}
        values = with_derived((each,), made.columns, decimals)[each.name]
        usable = broken & ~np.isnan(values) & ~np.isnan(own)
        made = made.with_columns({each.name: np.where(usable, values, own)})
    return made


def all_rows_kept(edits: Edits, made: Microdata, again: Callable[[int, int], Microdata]) -> Microdata:
    """A full synthesis whose rows break no edit, so far as drawing again can; `again(round, records)` draws others."""
    share = 1.0
    for number in range(ROUNDS):
        broken = _broken(edits, made)
        if not len(broken):
            break
        if number == 0:
            share = 1 - len(broken) / len(made)
        other = again(number, _enough(len(broken), share, len(made)))
        fine = np.setdiff1d(np.arange(len(other)), _broken(edits, other))
        share = len(fine) / len(other)
        rows, fine = broken[: len(fine)], fine[: len(broken)]
        columns = {each.name: made.columns[each.name].copy() for each in made.attributes}
        for name, column in columns.items():
            column[rows] = other.columns[name][fine]
        made = made.with_columns(columns)
    return made


def _broken(edits: Edits, file: Microdata) -> NDArray[np.int64]:
    return np.flatnonzero(violations(edits, file).any(axis=1))


def _enough(wanted: int, share: float, records: int) -> int:
    """How many rows are drawn to get the wanted number, where a share of them is expected to be fine."""
    return min(int(np.ceil(SPARE * wanted / max(share, 0.01))) + LARGEST, LARGEST * records + LARGEST)
