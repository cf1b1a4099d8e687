"""Household checks: attributes of a household whose released values differ between its members, or are missing in some.

A record-level step draws for each member anew, so that a household contradicts itself; and a value that is suppressed
for one member is still shown by another.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.households import agreement, differs_within, household_attributes
from sdckit.microdata import Microdata, Role
from sdckit.release import Release

MOSTLY = 0.95  # share of the changed values that the size of the household gives back
NUMBER = re.compile(r"\d+(\.0*)?")


@dataclass(frozen=True)
class HouseholdCheck:
    """What became of one attribute of the households.

    `households`  released households in which two or more members have a value
    `differing`   those of them in which the values differ, and did not in the original
    `shown`       households in which a value was suppressed for one member and is released for another
    """

    name: str
    households: int
    differing: int
    shown: int

    def warnings(self) -> list[str]:
        """One sentence for each problem."""
        found = []
        cure = 'mask it with level = "household"'
        if self.differing:
            found.append(
                f"{self.name!r} describes the household, and its released values differ within {self.differing:,} of "
                f"{self.households:,} households with several members; {cure}"
            )
        if self.shown:
            found.append(
                f"{self.name!r} describes the household: in {self.shown:,} households a value that was suppressed for "
                f"one member is still released for another; {cure}"
            )
        return found


def household_checks(release: Release) -> list[HouseholdCheck]:
    """The attributes of the households that contradict themselves or show what was suppressed; others are left out."""
    original, masked = release.original, release.masked
    if not masked.names(role=Role.HOUSEHOLD) or not original.names(role=Role.HOUSEHOLD):
        return []
    units = masked.units()
    checks = []
    for name in household_attributes(original):
        if name not in masked:
            continue
        found = agreement(masked, name, units)
        already, shown = 0, 0
        if release.corresponds:
            origin = release.origin
            of_person = origin >= 0
            before = original.take(np.maximum(origin, 0))
            already = int((differs_within(before, name, units) & differs_within(masked, name, units)).sum())
            hole = masked.absent(name)
            suppressed = hole & of_person & ~before.absent(name)
            hidden, visible = (np.bincount(units[rows], minlength=int(units.max()) + 1) for rows in (suppressed, ~hole))
            shown = int(((hidden > 0) & (visible > 0)).sum())
        check = HouseholdCheck(name, found.several, found.differing - already, shown)
        if check.differing or check.shown:
            checks.append(check)
    return checks


def household_warnings(release: Release) -> list[str]:
    """One sentence for each contradiction within households and each suppressed value that a member still shows."""
    return [text for check in household_checks(release) for text in check.warnings()] + counted_attributes(release)


def counted_attributes(release: Release) -> list[str]:
    """A sentence for each masked attribute that is the size of the household, which the released rows show."""
    original, masked = release.original, release.masked
    if not release.corresponds or not masked.names(role=Role.HOUSEHOLD) or not original.names(role=Role.HOUSEHOLD):
        return []
    units, origin = masked.units(), release.origin
    size = np.bincount(units)[units]
    found = []
    for name in household_attributes(original):
        if name not in masked:
            continue
        before, after = (_numbers(file, name) for file in (original, masked))
        of_person = origin >= 0
        was = np.where(of_person, before[np.maximum(origin, 0)], np.nan)
        changed = of_person & ~np.isnan(was) & (was != after)
        restored = changed & (was == size)
        if changed.any() and restored.sum() >= MOSTLY * changed.sum() and len(np.unique(was[changed])) > 1:
            found.append(
                f"{name!r} is masked but can be counted: in {int(restored.sum()):,} of the {int(changed.sum()):,} rows "
                "where it was changed, the original value is the number of rows of the released household; leave out "
                "the household number, or do not rely on this masking"
            )
    return found


def _numbers(file: Microdata, name: str) -> NDArray[np.float64]:
    """The values as numbers, also of categories that are written as numbers; others are missing."""
    attribute, column = file.attribute(name), file.columns[name]
    if attribute.categories is None:
        return np.asarray(column, dtype=float)
    texts = [str(each) for each in attribute.categories]
    values = [float(text) if NUMBER.fullmatch(text) else np.nan for text in texts]
    numbers: NDArray[np.float64] = np.array([*values, np.nan])[column]
    return numbers
