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


def group_warnings(release: Release) -> list[str]:
    """One sentence for each dropped number of households, or of other small groups, that a released column replaces."""
    if not release.corresponds or (release.origin < 0).any():
        return []
    return [
        f"{dropped!r} is dropped, but {column!r} still shows which records belong together: {shown:,} of {groups:,} "
        f"groups with several records have a value of {column!r} that no other record has; round it or leave it out"
        for dropped, groups in dropped_groups(release)
        for column, shown in showing_columns(release.masked, groups_of(release, dropped))
    ]


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


def showing_columns(masked: Microdata, groups: NDArray[np.int64]) -> Iterator[tuple[str, int]]:
    """The columns that show some groups whole: all their rows, and no others, have one value; each with how many."""
    sizes = np.bincount(groups)
    several = sizes > 1
    for each in masked.attributes:
        codes = _codes(masked, each.name)
        least = np.full(len(sizes), len(codes))
        most = np.full(len(sizes), -1)
        np.minimum.at(least, groups, codes)
        np.maximum.at(most, groups, codes)
        shown = several & (least == most)
        shown[shown] = np.bincount(codes)[least[shown]] == sizes[shown]
        count = int(shown.sum())
        if count >= FEWEST and count >= MANY * several.sum():
            yield each.name, count


def _codes(data: Microdata, name: str) -> NDArray[np.int64]:
    """A number for each distinct value; a missing one has a number of its own."""
    values, absent = data.columns[name], data.absent(name)
    codes = np.empty(len(values), dtype=np.int64)
    distinct, codes[~absent] = np.unique(values[~absent], return_inverse=True)
    codes[absent] = len(distinct) + np.arange(int(absent.sum()))
    return codes
