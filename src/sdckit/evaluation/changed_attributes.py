"""Changed attributes: which columns of the masked file differ from the original."""

import numpy as np

from sdckit.attribute import Role
from sdckit.household_numbers import renumbered
from sdckit.release import Release


def changed_attributes(release: Release) -> tuple[str, ...]:
    """The attributes that both files have in the same form and whose columns differ, by record where known.

    Households that are numbered anew and have the same members are unchanged.
    """
    before, after = release.original, release.masked
    if release.corresponds and len(before) == len(after) and bool((release.origin >= 0).all()):
        before = before.take(release.origin)
    if before.names(role=Role.HOUSEHOLD):
        before, after = renumbered(before), renumbered(after)
    return tuple(
        name
        for name in release.shared_attributes()
        if len(before) != len(after)
        or not np.array_equal(before.columns[name], after.columns[name], equal_nan=not before.attribute(name).coded)
    )


def attributes_with_new_fractions(release: Release) -> tuple[str, ...]:
    """The attributes that were whole numbers and have fractions now, as means of ages have; bands have none."""
    found = []
    for name in release.shared_attributes():
        before, after = release.original.attribute(name), release.masked.attribute(name)
        if before.coded or not before.integral or after.bands is not None:
            continue
        column = release.masked.columns[name]
        if bool((column[~np.isnan(column)] % 1 != 0).any()):
            found.append(name)
    return tuple(found)


def fraction_notes(release: Release) -> list[str]:
    """One sentence where whole numbers became means with fractions, which are released as they were computed."""
    names = attributes_with_new_fractions(release)
    if not names:
        return []
    were = "was a whole number and has" if len(names) == 1 else "were whole numbers and have"
    listed = ", ".join(map(repr, names))
    return [f"{listed} {were} decimals now; declare decimals = 0 in the schema to publish whole numbers"]
