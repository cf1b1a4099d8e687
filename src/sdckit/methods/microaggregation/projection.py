"""Projected microaggregation: order the records along one axis, and group them optimally in that order."""

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates, Groups
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.ordered_partition import best_partition_of_order, label_runs
from sdckit.kernels.standardisation import mean_and_deviation, standardise_like
from sdckit.kernels.univariate_microaggregation import partition_sorted
from sdckit.masking import Locality
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.methods.microaggregation.group_space import GroupSpace
from sdckit.microdata import Microdata
from sdckit.parameters import param

TOLERANCE = 1e-9  # of the axis' length: the projected mean and the mean of projections differ in the last digits


class Ties(Enum):
    """The order of records with the same projection: by their values, as in the file, or at random."""

    BY_VALUE = "by-value"
    FILE_ORDER = "file-order"
    RANDOM = "random"

    @classmethod
    def from_text(cls, text: str) -> "Ties":
        """The order of this name.

        >>> Ties.from_text("file-order")
        <Ties.FILE_ORDER: 'file-order'>
        """
        return cls(text)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, kw_only=True)
class ProjectedMicroaggregation(Microaggregation):
    """Project each block onto one axis, partition the axis optimally, and publish the group means of the block.

    By default, records with the same projection are ordered by their values, first attribute first, so that the masked
    file does not depend on the order of the records. A missing value stays missing, counts as the mean of its attribute
    on the axis, and is left out of group means.
    """

    locality = Locality.SORT
    keeps_missing = True
    linear: ClassVar[bool] = False

    ties: Ties = param(
        Ties.BY_VALUE,
        "order of records with the same projection: by-value, file-order or random",
    )
    space: GroupSpace = param(
        GroupSpace.AXIS,
        "where groups have the least squared error: axis (the projections) or attributes (the standardised values)",
    )

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        """The position of each record on the axis of a reference file."""
        raise TypeError(f"{type(self).__name__} must define project")

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        # Sums depend on the order in which they are taken; a fixed one keeps the order of the file out of near ties.
        fixed = np.lexsort(values.T)
        filled = np.where(np.isnan(values), mean_and_deviation(values[fixed])[0], values)
        axis = self.project(filled, filled[fixed])
        order = self.order(axis, filled, rng)
        if self.space is GroupSpace.ATTRIBUTES:
            return best_partition_of_order(standardise_like(filled, filled[fixed]), order, self.group_size)
        return label_runs(order, partition_sorted(axis[order], self.group_size))

    def order(
        self, axis: NDArray[np.float64], values: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The records along the axis, ties as declared."""
        if self.ties is Ties.BY_VALUE:
            return np.lexsort((*values.T[::-1], axis))
        if self.ties is Ties.FILE_ORDER:
            return np.argsort(axis, kind="stable")
        return np.lexsort((rng.permutation(len(axis)), axis))

    def groups_of(self, known: Candidates, block: Microdata) -> tuple[Groups, bool] | None:
        names = [each.name for each in block.attributes]
        if not all(name in known.lower and known.exactly(name) for name in names):
            return None
        points = np.column_stack([(known.lower[name] + known.upper[name]) / 2 for name in names])
        rows = block.matrix(names)
        if np.isnan(rows).any():
            return None
        classes = equal_rows(rows)
        reference = points if known.complete else rows
        certain = self.linear and known.complete
        on_axis = self.project(rows[classes.first()], reference)
        return bracketing_groups(self.project(points, reference), on_axis, classes.of, 0 if certain else 1), certain


def bracketing_groups(
    points: NDArray[np.float64], centroids: NDArray[np.float64], of_row: NDArray[np.int64], widen: int
) -> Groups:
    """The groups whose centroids are next below and next above each point on the axis, and `widen` more each way."""
    order = np.argsort(centroids, kind="stable")
    axis = centroids[order]
    margin = TOLERANCE * max(float(axis[-1] - axis[0]), float(np.abs(axis).max()), np.finfo(float).tiny)
    levels = axis[np.concatenate([[True], np.diff(axis) > margin])]
    last = len(levels) - 1
    below = np.clip(np.searchsorted(levels, points - margin, side="left") - 1 - widen, 0, last)
    above = np.clip(np.searchsorted(levels, points + margin, side="right") + widen, 0, last)
    first = np.searchsorted(axis, levels[below] - margin, side="left")
    end = np.searchsorted(axis, levels[above] + margin, side="right")
    counts = end - first
    starts = np.concatenate([[0], np.cumsum(counts)])
    positions = np.arange(starts[-1]) - np.repeat(starts[:-1] - first, counts)
    return Groups(of_row, starts, order[positions].astype(np.int64))
