"""The columns of both files as codes that mean the same: categories, and bins of numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.table_distances import binned, quantile_bins
from sdckit.microdata import Kind, Microdata, Role
from sdckit.release import Release


def is_number(release: Release, name: str) -> bool:
    """Whether an attribute has numbers rather than categories."""
    attribute = release.original.attribute(name)
    return bool(attribute.kind & Kind.ORDERED) and not attribute.coded


def released_in_another_form(release: Release) -> tuple[str, ...]:
    """The keys and confidential attributes that are numbers in one file and categories in the other."""
    return tuple(
        each.name
        for each in release.original.attributes
        if each.role in (Role.KEY, Role.CONFIDENTIAL)
        and each.name in release.masked
        and each.coded != release.masked.attribute(each.name).coded
    )


def codes_in_both(
    release: Release, names: Sequence[str], bins: int
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each attribute its codes in the original and in the masked file, from 0."""
    found = []
    for name in names:
        if is_number(release, name):
            edges = quantile_bins(release.original.columns[name], bins)
            one, other = (binned(file.columns[name], edges) for file in (release.original, release.masked))
        else:
            one, other = (category_codes(file, name) for file in (release.original, release.masked))
        found.append((one, other))
    return found


def category_codes(file: Microdata, name: str) -> NDArray[np.int64]:
    """The codes of a column of categories, one higher, so that a missing one is 0."""
    return file.columns[name].astype(np.int64) + 1
