"""The cells of categorical attributes in both files, side by side, and the level of their values in a hierarchy."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, near_miss, private, private_text
from sdckit.hierarchy import ROOT, Hierarchy, as_text
from sdckit.measure import Score
from sdckit.microdata import Microdata, Role
from sdckit.release import Release

MAIN_ROLES = (Role.KEY, Role.CONFIDENTIAL)


@dataclass(frozen=True, eq=False)
class PairedCells:
    """One attribute in the records that both files have: codes (−1 missing) into the values of either file."""

    name: str
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    values_before: tuple[str, ...]
    values_after: tuple[str, ...]
    hierarchy: Hierarchy | None

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """Which cells had a value in the original."""
        return self.before >= 0

    @cached_property
    def removed(self) -> NDArray[np.bool_]:
        """Which cells lost their value."""
        return self.seen & (self.after < 0)

    def depths(self, values: tuple[str, ...]) -> NDArray[np.float64]:
        """How many steps each value is below the root; without a hierarchy there is one step."""
        return np.array([len(self._way(value)) - 1.0 for value in values])

    def leaves(self, values: tuple[str, ...]) -> NDArray[np.float64]:
        """The share of all other leaves that each value leaves possible: 0 for a leaf, 1 for the root."""
        if self.hierarchy is None:
            return np.array([float(value == ROOT) for value in values])
        others = max(len(self.hierarchy.leaves) - 1, 1)
        return np.array([(len(self.hierarchy.descendants(self._way(value)[0])) - 1) / others for value in values])

    def _way(self, value: str) -> tuple[str, ...]:
        if self.hierarchy is None:
            return (value,) if value == ROOT else (value, ROOT)
        if value not in self.hierarchy:
            hint = private_text(near_miss(value, self.hierarchy.leaves))
            raise NotApplicableError(
                f"{self.name!r} has the category {private(value)}, which is not in its hierarchy{hint}"
            )
        return self.hierarchy.ancestors(value)


def coded_attributes(release: Release) -> tuple[str, ...]:
    """The released attributes with categories: keys and confidential ones, else whatever there is."""
    coded = [
        each
        for each in release.original.attributes
        if each.name in release.masked
        and release.masked.attribute(each.name).coded
        and (each.coded or each.hierarchy is not None)
        and each.role in (*MAIN_ROLES, Role.OTHER)
    ]
    names = tuple(each.name for each in coded if each.role in MAIN_ROLES) or tuple(each.name for each in coded)
    if not names:
        raise NotApplicableError("the two files share no attribute with categories to measure on")
    return names


def paired_records(release: Release) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The original records that have a masked row, and that row."""
    rows = release.true_rows(np.arange(len(release.original)))
    if not (rows >= 0).any():
        raise NotApplicableError("no row of the masked file came from a record of the original")
    return np.flatnonzero(rows >= 0), rows[rows >= 0]


def paired_cells(release: Release) -> Iterator[PairedCells]:
    """Each attribute with categories."""
    records, rows = paired_records(release)
    for name in coded_attributes(release):
        before, values_before = _codes(release.original, name)
        after, values_after = _codes(release.masked, name)
        hierarchy = release.original.attribute(name).hierarchy
        yield PairedCells(name, before[records], after[rows], values_before, values_after, hierarchy)


def _codes(data: Microdata, name: str) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Codes into the values that occur, and these values as a hierarchy writes them."""
    attribute, column = data.attribute(name), data.columns[name]
    if attribute.categories is not None:
        occurs = np.bincount(column[column >= 0], minlength=len(attribute.categories)) > 0
        position = np.append(np.cumsum(occurs) - 1, -1)  # the last one is for missing, code −1
        return position[column], tuple(str(attribute.categories[code]) for code in np.flatnonzero(occurs))
    there = ~data.absent(name)
    codes = np.full(len(column), -1, dtype=np.int64)
    found, codes[there] = np.unique(column[there], return_inverse=True)
    return codes, tuple(as_text(value) for value in found.tolist())


def mean_over_cells(release: Release, figures: dict[str, NDArray[np.float64]], details: dict[str, object]) -> Score:
    """The mean over cells, NaN being none; by attribute and by record as well."""
    by_cell = np.column_stack(list(figures.values()))
    seen = ~np.isnan(by_cell)
    filled = np.where(seen, by_cell, 0.0)
    of_record = np.where(seen.any(axis=1), filled.sum(axis=1) / np.maximum(seen.sum(axis=1), 1), np.nan)
    by_attribute = filled.sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    return Score(
        float(filled.sum() / max(int(seen.sum()), 1)),
        by_record=release.on_records(paired_records(release)[0], of_record),
        by_attribute=dict(zip(figures, by_attribute.tolist(), strict=True)),
        baseline=0.0,
        details={"cells": int(seen.sum()), **details},
    )
