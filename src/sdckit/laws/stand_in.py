"""Stand-in: a file like the original that an intruder can mask again without knowing the original whole.

With enough known records it consists of these, completed by what near rows of the release have. With few it is a draw
from the release in which each row is moved part of the way to a near one. The release itself would teach that nothing
changes: rounded, recoded and grouped values stay the same when they are masked again.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.blocks import Floats, Indices
from sdckit.microdata import Microdata

ENOUGH = 50  # known records that can be masked again by themselves
NEAR = 5  # rows that are near
FURTHEST = 0.5  # part of the way to a near row
REPEATED = 0.5  # share of distinct values from which a number hardly repeats
MISMATCH = 0.3  # distance of two categories, where all ranks lie between 0 and 1


def stand_in(known: Microdata, released: Microdata, rng: np.random.Generator, size: int = 0) -> Microdata:
    """The file, with all attributes of the release under the codes that the original has.

    Where fewer records are known than `size`, others like them are added, since what a method does depends on how many
    records there are: groups are closer in a larger file, and a window has more ranks.
    """
    if len(known) >= ENOUGH:
        return _enlarged(_completed(known, released, rng), size, rng)
    return _moved(known, released, rng)


def _enlarged(file: Microdata, size: int, rng: np.random.Generator) -> Microdata:
    """The file with more records, each between a record and a near one: part of the way in numbers that hardly repeat.

    In other numbers and in categories it has the value of either.
    """
    from scipy.spatial import cKDTree

    lacking = size - len(file)
    if lacking <= 0:
        return file
    names = [each.name for each in file.attributes]
    own = rng.integers(len(file), size=lacking)
    points, _ = _points(file, file, names, rng)
    drawn, of = np.unique(own, return_inverse=True)  # each is drawn many times where few are known of many
    near = cKDTree(points).query(points[drawn], k=min(NEAR + 1, len(file)))[1].reshape(len(drawn), -1)
    other = near[of, rng.integers(near.shape[1], size=lacking)]
    part = rng.random(lacking)
    columns: dict[str, NDArray[Any]] = {}
    for each in file.attributes:
        column = file.columns[each.name]
        one, two = column[own], column[other]
        more = np.where(rng.random(lacking) < 0.5, one, two)
        if not each.coded and len(np.unique(column)) > REPEATED * len(column):
            between = one + part * (two - one)
            whole = not np.any(column[~np.isnan(column)] % 1)
            more = np.round(between) if whole else between
        columns[each.name] = np.concatenate([column, more])
    larger = file.take(np.concatenate([np.arange(len(file)), own]))
    return replace(larger.with_columns(columns), lineage=None)


def _completed(known: Microdata, released: Microdata, rng: np.random.Generator) -> Microdata:
    """The known records; what is not known of one comes from a row that is near by what is."""
    from scipy.spatial import cKDTree

    common = [each.name for each in known.attributes if each.name in released]
    points, rows = _points(known, released, common, rng)
    near = cKDTree(rows).query(points, k=min(NEAR, len(rows)))[1].reshape(len(points), -1)
    donor = near[np.arange(len(near)), rng.integers(near.shape[1], size=len(near))]
    filled = _moved(known, released, rng, only=donor)
    columns, attributes = dict(filled.columns), list(filled.attributes)
    for index, each in enumerate(filled.attributes):
        if each.name in known:
            own, hole = known.columns[each.name], known.absent(each.name)
            columns[each.name] = np.where(hole, columns[each.name], own)
            attributes[index] = known.attribute(each.name)
    return replace(filled.with_columns(columns, attributes), lineage=None)


def _moved(known: Microdata, released: Microdata, rng: np.random.Generator, only: Indices | None = None) -> Microdata:
    """Rows of the release, each moved part of the way to a near one, with the quantiles of the known values."""
    from scipy.spatial import cKDTree

    names = [each.name for each in released.attributes]
    kept = np.arange(len(released)) if only is None else only
    _, points = _points(released, released, names, rng)
    distinct = class_of(released.codes(names)).first()  # a near row is one that differs
    near = cKDTree(points[distinct]).query(points[kept], k=min(NEAR + 1, len(distinct)))[1].reshape(len(kept), -1)
    other = distinct[near[np.arange(len(kept)), rng.integers(near.shape[1], size=len(kept))]]
    part = FURTHEST * rng.random(len(kept))
    columns: dict[str, NDArray[Any]] = {}
    attributes = []
    for each in released.attributes:
        own, theirs = released.columns[each.name][kept], released.columns[each.name][other]
        values = known.columns[each.name][~known.absent(each.name)] if each.name in known else own[:0]
        seen = values if len(values) else released.columns[each.name][~released.absent(each.name)]
        if each.coded:
            column = np.where(rng.random(len(kept)) < part, theirs, own)
            fine = len(known.attribute(each.name).categories or ()) if each.name in known else None
            strange = (column < 0) if fine is None else (column < 0) | (column >= fine)
            if len(seen) and strange.any():  # a method may have suppressed what entered it
                column = np.where(strange, rng.choice(seen, len(kept)), column)
            attributes.append(known.attribute(each.name) if each.name in known else each)
        else:
            column = np.where(np.isnan(theirs), own, own + part * (theirs - own))
            if len(values):
                column = _with_quantiles(column, np.sort(values), rng)
            elif len(seen) and np.isnan(column).any():
                column = np.where(np.isnan(column), rng.choice(seen, len(kept)), column)
            attributes.append(each)
        columns[each.name] = column
    return released.take(kept).with_columns(columns, attributes)


def _points(
    file: Microdata, released: Microdata, names: Sequence[str], rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Records and rows as points: numbers by their rank in the release, categories far apart; a hole is anywhere."""
    mine: list[Floats] = []
    theirs: list[Floats] = []
    for name in names:
        for columns, source in ((mine, file), (theirs, released)):
            column = source.columns[name]
            if released.attribute(name).coded:
                size = max(len(released.attribute(name).categories or ()), len(file.attribute(name).categories or ()))
                code = np.where(column < 0, rng.integers(max(size, 1), size=len(column)), column)
                angle = 2 * np.pi * code / max(size, 1)
                columns += [MISMATCH * np.cos(angle), MISMATCH * np.sin(angle)]
            else:
                ordered = np.sort(released.columns[name][~released.absent(name)])
                rank = np.searchsorted(ordered, column) / max(len(ordered), 1)
                columns.append(np.where(np.isnan(column), rng.random(len(column)), rank))
    return np.column_stack(mine), np.column_stack(theirs)


def _with_quantiles(column: Floats, ordered: Floats, rng: np.random.Generator) -> Floats:
    """The column with the quantiles of known values instead of its own; holes are filled."""
    out = column.copy()
    seen = ~np.isnan(column)
    rank = np.argsort(np.argsort(column[seen], kind="stable"), kind="stable")
    out[seen] = ordered[((rank + 0.5) / max(int(seen.sum()), 1) * len(ordered)).astype(np.int64)]
    out[~seen] = rng.choice(ordered, int((~seen).sum()))
    return out
