"""The columns of a release as numbers that mean the same in all of its files, in an order that no row decides."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.microdata import Kind, Microdata, Role
from sdckit.release import Release

DESCRIBING = (Role.KEY, Role.CONFIDENTIAL, Role.OTHER)  # roles of what describes a person, as a weight does not


def released_attributes(release: Release) -> tuple[str, ...]:
    """The attributes that both files have and that describe a person."""
    names = tuple(name for name in release.shared_attributes() if release.original.attribute(name).role in DESCRIBING)
    if not names:
        raise NotApplicableError("the two files share no attribute that describes a person")
    return names


def plain_values(file: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
    """Numbers, and codes of categories as numbers; missing is NaN."""
    values = np.empty((len(file), len(names)))
    for index, name in enumerate(names):
        values[:, index] = np.where(file.absent(name), np.nan, file.columns[name].astype(np.float64))
    return values


def are_categories(file: Microdata, names: Sequence[str]) -> NDArray[np.bool_]:
    """Which of these attributes have categories without an order, so that values are equal or different."""
    return np.array([not file.attribute(name).kind & Kind.ORDERED for name in names])


def canonical_order(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rows sorted by their values: the same file whatever the order in which it was written."""
    return np.lexsort(values.T[::-1]) if values.shape[1] else np.arange(len(values))


def distinct_rows(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row once, sorted by value; missing values are equal."""
    ordered = values[canonical_order(values)]
    return ordered[np.unique(equal_rows(ordered).of, return_index=True)[1]]
