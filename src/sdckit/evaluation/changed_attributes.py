"""Changed attributes: which columns of the masked file differ from the original."""

import numpy as np

from sdckit.release import Release


def changed_attributes(release: Release) -> tuple[str, ...]:
    """The attributes that both files have in the same form and whose columns differ, by record where known."""
    before, after = release.original, release.masked
    if release.corresponds and len(before) == len(after) and bool((release.origin >= 0).all()):
        before = before.take(release.origin)
    return tuple(
        name
        for name in release.shared_attributes()
        if len(before) != len(after)
        or not np.array_equal(before.columns[name], after.columns[name], equal_nan=not before.attribute(name).coded)
    )
