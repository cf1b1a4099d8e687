"""Household checks: attributes of a household whose released values differ between its members, or are missing in some.

A record-level step draws for each member anew, so that a household contradicts itself; and a value that is suppressed
for one member is still shown by another.
"""

from dataclasses import dataclass

import numpy as np

from sdckit.households import agreement, differs_within, household_attributes
from sdckit.microdata import Role
from sdckit.release import Release


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
    return [text for check in household_checks(release) for text in check.warnings()]
