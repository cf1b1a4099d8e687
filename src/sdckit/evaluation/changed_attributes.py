"""Changed attributes: which columns of the masked file differ from the original."""

import numpy as np

from sdckit.attribute import Role
from sdckit.edit_tokens import column_text
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


def unchanged_warnings(release: Release) -> list[str]:
    """One sentence where the steps changed nothing, as with parameters at the limit that is the original."""
    names = {each.name for each in release.original.attributes if each.role is not Role.IDENTIFIER}
    same = release.recipe is not None and names == {*release.shared_attributes()} == {*release.masked.columns}
    if not same or len(release.original) != len(release.masked) or changed_attributes(release):
        return []
    if any(release.original.attribute(name).categories != release.masked.attribute(name).categories for name in names):
        return []
    return ["no value was changed: the released values are those of the original; use other parameters or steps"]


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


def negative_notes(release: Release) -> list[str]:
    """One sentence for each attribute that has negative values now and had none, as noise and regressions give."""
    notes = []
    for name in release.shared_attributes():
        if release.original.attribute(name).coded or release.masked.attribute(name).coded:
            continue
        negative = int((release.masked.columns[name] < 0).sum())
        if negative and not bool((release.original.columns[name] < 0).any()):
            values = "a negative value" if negative == 1 else f"{negative:,} negative values"
            notes.append(
                f"{name!r} has {values} and the original has none; add the edit "
                f"{column_text(name)} >= 0 to the schema to keep them out"
            )
    return notes
