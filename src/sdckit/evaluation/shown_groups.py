"""Shown groups: columns that show which records belong together although the number of their household was dropped.

Members of a household usually share its weight, and no other household has the same one to the last digit.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sdckit.households import FEWEST
from sdckit.microdata import Microdata, Role
from sdckit.release import Release

MANY = 0.01  # share of the groups shown from which it is worth a warning
SMALL = 20  # records on average in a group of people; the codes of a region have more

ONE = ("shows", "value", "round it or leave it out")
SEVERAL = ("show", "combination", "recode them or leave some out")


def group_warnings(release: Release) -> list[str]:
    """One sentence for each dropped number of households, or of other small groups, that released columns replace."""
    if not release.corresponds or (release.origin < 0).any():
        return []
    found = []
    for dropped, groups in dropped_groups(release):
        for columns, shown in showing_columns(release.masked, groups_of(release, dropped)):
            names = " and ".join(filter(None, (", ".join(map(repr, columns[:-1])), repr(columns[-1]))))
            verb, value, cure = ONE if len(columns) == 1 else SEVERAL
            found.append(
                f"{dropped!r} is dropped, but {names} still {verb} which records belong together: {shown:,} of "
                f"{groups:,} groups with several records have a {value} that no other record has; {cure}"
            )
    return found


def dropped_groups(release: Release) -> Iterator[tuple[str, int]]:
    """The dropped columns whose values number small groups, each with its number of groups of several records."""
    original = release.original
    for role in (Role.IDENTIFIER, Role.HOUSEHOLD):
        for name in original.names(role=role):
            if name in release.masked:
                continue
            sizes = np.bincount(groups_of(release, name))
            several = int((sizes > 1).sum())
            if several >= FEWEST and sizes.mean() <= SMALL:
                yield name, several


def groups_of(release: Release, name: str) -> NDArray[np.int64]:
    """The group of each released row by a column of the original; a row without a value is a group of its own."""
    return _codes(release.original.take(release.origin), name)


def showing_columns(masked: Microdata, groups: NDArray[np.int64]) -> list[tuple[tuple[str, ...], int]]:
    """The columns that show some groups whole: all their rows, and no others, have one value; each with how many.

    Where no column does so alone, those that are equal within every group may do so together.
    """
    codes = {each.name: _codes(masked, each.name) for each in masked.attributes}
    several = np.bincount(groups) > 1
    found: list[tuple[tuple[str, ...], int]] = []
    equal = []
    for name, column in codes.items():
        same, shown = _shown(column, groups)
        found.append(((name,), int((shown & several).sum())))
        if same[several].all() and len(np.unique(column)) > 1:
            equal.append(name)
    many = [(names, count) for names, count in found if count >= max(FEWEST, MANY * several.sum())]
    if many or len(equal) < 2:
        return many
    together = np.unique(np.stack([codes[name] for name in equal], axis=1), axis=0, return_inverse=True)[1]
    count = int((_shown(together.ravel(), groups)[1] & several).sum())
    return [(tuple(equal), count)] if count >= max(FEWEST, MANY * several.sum()) else []


def _shown(codes: NDArray[np.int64], groups: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """In which groups all rows have one value, and in which of them no other row has it."""
    sizes = np.bincount(groups)
    least = np.full(len(sizes), len(codes))
    most = np.full(len(sizes), -1)
    np.minimum.at(least, groups, codes)
    np.maximum.at(most, groups, codes)
    same = least == most
    shown = same.copy()
    shown[same] = np.bincount(codes)[least[same]] == sizes[same]
    return same, shown


def _codes(data: Microdata, name: str) -> NDArray[np.int64]:
    """A number for each distinct value; a missing one has a number of its own."""
    values, absent = data.columns[name], data.absent(name)
    codes = np.empty(len(values), dtype=np.int64)
    distinct, codes[~absent] = np.unique(values[~absent], return_inverse=True)
    codes[absent] = len(distinct) + np.arange(int(absent.sum()))
    return codes
