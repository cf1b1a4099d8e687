"""The confidential values of a release as an intruder reads them among records that agree on the keys."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.kernels.diversity import banded
from sdckit.kernels.intervals import wilson
from sdckit.measure import Score
from sdckit.microdata import Attribute, Role
from sdckit.release import Release


@dataclass(frozen=True, eq=False)
class Confidential:
    """One confidential attribute: a code for each released row, −1 where missing, in the order of the values."""

    attribute: Attribute
    codes: NDArray[np.int64]
    categories: int


def confidential_values(release: Release, bands: int) -> Iterator[Confidential]:
    """Each confidential attribute that was released; many different numbers become bands of about equal frequency."""
    names = tuple(name for name in release.original.names(role=Role.CONFIDENTIAL) if name in release.masked)
    if not names:
        raise NotApplicableError("the release has no confidential attribute; give the column the role 'confidential'")
    for name in names:
        attribute = release.masked.attribute(name)
        column = release.masked.columns[name]
        if attribute.categories is not None:
            yield Confidential(attribute, column.astype(np.int64), len(attribute.categories))
        else:
            codes = release.computed_once(("bands", name, bands), partial(banded, column, bands))
            yield Confidential(attribute, codes, int(codes.max(initial=0)) + 1)


def share_breached(release: Release, breaches: dict[str, NDArray[np.bool_]], details: dict[str, object]) -> Score:
    """The share of records for which a condition fails on some confidential attribute."""
    some = np.any(list(breaches.values()), axis=0).astype(float)
    return Score(
        float(some.mean()),
        by_record=release.by_original_record(some),
        by_attribute={name: float(breached.mean()) for name, breached in breaches.items()},
        interval=wilson(float(some.sum()), len(some)),
        details=details,
    )
