"""Records of numbers and unordered categories as points, so that any fuzzy clustering can cluster them.

A category is a point of indicators, of length √½, so that two different ones are at a squared distance of 1. A centre
takes the category with the greatest weight among its records, its mode (fuzzy k-modes, Huang and Ng 1999): of all
categories it has the least sum of weighted distances, so that an objective still never rises. A missing category is as
far from every category as from any other.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LENGTH = np.sqrt(0.5)  # of an indicator


@dataclass(frozen=True, eq=False)
class MixedPoints:
    """Numbers, then the indicators of each categorical attribute.

    `numbers`    how many of the columns are numbers
    `categories` the codes that each categorical attribute has, in the order of its indicators
    """

    points: NDArray[np.float64]
    numbers: int
    categories: tuple[NDArray[np.int64], ...]

    @classmethod
    def of(cls, numbers: NDArray[np.float64], codes: NDArray[np.int64]) -> "MixedPoints":
        """The points of records with these numbers, NaN where missing, and codes of categories, −1 where missing."""
        columns, categories = [numbers], []
        for column in codes.T:
            used = np.unique(column[column >= 0])
            categories.append(used)
            columns.append(LENGTH * (column[:, None] == used[None]))
        return cls(np.column_stack(columns), numbers.shape[1], tuple(categories))

    def with_modes(self, means: NDArray[np.float64], totals: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The weighted means with the category of the greatest weight instead of the mean of the indicators.

        Ties go to the category that is listed first. `totals` are not needed: missing categories have no weight.
        """
        centres = means.copy()
        for start, used in self._blocks():
            if not len(used):
                continue
            part = centres[:, start : start + len(used)]
            mode = part.argmax(axis=1)
            part[:] = 0.0
            part[np.arange(len(part)), mode] = LENGTH
        return centres

    def with_all_categories(self) -> NDArray[np.bool_]:
        """Which records have a category in every categorical attribute that has any."""
        whole = np.ones(len(self.points), dtype=np.bool_)
        for start, used in self._blocks():
            if len(used):
                whole &= self.points[:, start : start + len(used)].any(axis=1)
        return whole

    def codes(self, centres: NDArray[np.float64]) -> NDArray[np.int64]:
        """The category of each centre in each categorical attribute, −1 where no record has one."""
        columns = [
            used[centres[:, start : start + len(used)].argmax(axis=1)] if len(used) else np.full(len(centres), -1)
            for start, used in self._blocks()
        ]
        return np.column_stack([*columns, np.empty((len(centres), 0), dtype=np.int64)]).astype(np.int64)

    def _blocks(self) -> list[tuple[int, NDArray[np.int64]]]:
        """The first column and the codes of each categorical attribute."""
        starts = self.numbers + np.cumsum([0, *(len(each) for each in self.categories)])
        return [(int(start), used) for start, used in zip(starts, self.categories, strict=False)]
