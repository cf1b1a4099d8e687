"""Derived columns: a masked attribute that columns released unchanged still show.

An age is shown by the date of birth, an income by the tax that is a share of it or by a total and its other part, a
region by the weight of its stratum. No measure sees this: the intruder of an attack knows the keys, and such a column
may have any role.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.microdata import Microdata, Role
from sdckit.release import Release
from sdckit.rows import NOBODY

EXAMINED = 5_000  # records by which a relation of two columns is judged
REGRESSED = 1_000  # and one of several
FEWEST = 30  # records: among fewer, neighbours in one column are near in another one by accident
LEFT = 0.03  # of the error of guessing, that is left where a column shows another
TERMS = 4  # columns that are named together, at most
VARIED = 0.05  # share of the records that do not have the commonest value, from which there is something to show

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Derived:
    """A masked attribute, and the unchanged columns that show its original values."""

    attribute: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        """The finding and the cure in one sentence."""
        shown = " and ".join(map(repr, self.columns))
        together = "show its original values together" if len(self.columns) > 1 else "shows its original values"
        return (
            f"{self.attribute!r} is masked, and {shown}, released unchanged, {together}, exactly or nearly, which no "
            "figure counts; mask both, or leave the unmasked one out"
        )


def derived_warnings(release: Release) -> list[str]:
    """One sentence for each masked attribute that unchanged columns show."""
    return [str(each) for each in derived_columns(release)]


def derived_columns(release: Release) -> tuple[Derived, ...]:
    """The masked attributes that unchanged columns show; none where it is not known which row belongs to whom."""
    if not release.corresponds:
        return ()
    released = np.flatnonzero(release.origin != NOBODY)
    if len(released) < FEWEST:
        return ()
    chosen = released[np.linspace(0, len(released) - 1, min(EXAMINED, len(released))).astype(np.int64)]
    before, after = release.original.take(release.origin[chosen]), release.masked.take(chosen)
    links = (Role.IDENTIFIER, Role.HOUSEHOLD)
    names = [each.name for each in before.attributes if each.role not in links and each.name in after]
    unchanged = [name for name in names if _same(before, after, name)]
    masked = [name for name in names if name not in unchanged and before.attribute(name).role is not Role.WEIGHT]
    found = (_shown_by(before, name, unchanged) for name in masked)
    return tuple(each for each in found if each is not None)


def _same(before: Microdata, after: Microdata, name: str) -> bool:
    one, other = before.attribute(name), after.attribute(name)
    if one.coded != other.coded:
        return False
    return np.array_equal(before.columns[name], after.columns[name], equal_nan=not one.coded)


def _shown_by(data: Microdata, name: str, unchanged: Sequence[str]) -> Derived | None:
    """The single column that shows an attribute best, or the few whose sum or product does; None where none does."""
    coded, values = data.attribute(name).coded, data.columns[name].astype(float)
    seen = ~data.absent(name)
    if seen.sum() < FEWEST or _commonest(values[seen]) > 1 - VARIED:
        return None
    left = {}
    for other in unchanged:
        both = seen & ~data.absent(other)
        if both.sum() >= FEWEST:
            left[other] = _error_left(values[both], data.columns[other][both].astype(float), coded, data, other)
    best = min(left, key=left.__getitem__, default=None)
    if best is not None and left[best] <= LEFT:
        return Derived(name, (best,))
    numbers = [] if coded else [other for other in unchanged if not data.attribute(other).coded]
    several = _terms(data, name, numbers) if len(numbers) > 1 else None
    return None if several is None else Derived(name, several)


def _error_left(values: Floats, by: Floats, coded: bool, data: Microdata, other: str) -> float:
    """The error of taking the value of the record that is nearest in another column, as a share of that of guessing.

    Where the other column has few values, only a record with the same one is near.
    """
    order = np.lexsort((np.random.default_rng(0).random(len(by)), by))
    values, by = values[order], by[order]
    guess = _difference(values, np.random.default_rng(1).permutation(values), coded)
    if guess == 0:
        return 1.0
    step = np.abs(np.diff(by))
    ahead = np.append(step, np.inf) <= np.insert(step, 0, np.inf)
    near = np.arange(len(by)) + np.where(ahead, 1, -1)
    if data.attribute(other).coded or len(np.unique(by)) < len(by) / 10:
        same = by[near] == by
        if same.mean() < 1 - LEFT or len(np.unique(by)) < 2:
            return 1.0  # values that one record alone has show nothing of others
    return _difference(values, values[near], coded) / guess


def _difference(one: Floats, other: Floats, coded: bool) -> float:
    return float((one != other).mean() if coded else np.abs(one - other).mean())


def _terms(data: Microdata, name: str, others: Sequence[str]) -> tuple[str, ...] | None:
    """The fewest numbers whose weighted sum, or product of powers, is the attribute; None where too many are needed."""
    for names, matrix in _scales(data, name, others):
        if len(matrix) < FEWEST + 3 * matrix.shape[1]:
            continue
        target, columns = matrix[:, 0], list(range(1, matrix.shape[1]))
        if _residual(matrix, columns) > LEFT * _deviation(target):
            continue
        dropped = True
        while dropped and len(columns) > 1:
            rest = {each: _residual(matrix, [kept for kept in columns if kept != each]) for each in columns}
            least = min(rest, key=rest.__getitem__)
            dropped = rest[least] <= LEFT * _deviation(target)
            if dropped:
                columns.remove(least)
        if len(columns) <= TERMS:
            return tuple(names[each - 1] for each in columns)
    return None


def _scales(data: Microdata, name: str, others: Sequence[str]) -> Iterator[tuple[Sequence[str], Floats]]:
    """The other numbers, and the matrix of the attribute and these, as they are and in logarithms.

    Records that lack one of the values are left out, as are numbers that have no logarithm.
    """
    matrix = data.matrix([name, *others])[:: -(-len(data) // REGRESSED)]
    yield others, matrix[np.isfinite(matrix).all(axis=1)]
    positive = ~np.asarray((matrix <= 0).any(axis=0))
    if positive[0] and positive.sum() > 2:
        logarithms = np.log(matrix[:, positive])
        names = [other for other, kept in zip(others, positive[1:], strict=True) if kept]
        yield names, logarithms[np.isfinite(logarithms).all(axis=1)]


def _residual(matrix: Floats, columns: Sequence[int]) -> float:
    """The mean absolute residual of the regression of the first column on others."""
    terms = np.column_stack([np.ones(len(matrix)), matrix[:, list(columns)]])
    scale = np.abs(terms).max(axis=0)
    terms = terms / np.where(scale > 0, scale, 1.0)
    weights = np.linalg.lstsq(terms, matrix[:, 0], rcond=None)[0]
    return float(np.abs(matrix[:, 0] - terms @ weights).mean())


def _deviation(values: Floats) -> float:
    return float(np.abs(values - np.median(values)).mean())


def _commonest(values: Floats) -> float:
    """The share of the commonest value."""
    return float(np.unique(values, return_counts=True)[1].max() / len(values))
