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
