"""Copied values: released rows that carry several values of one person."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score, risk
from sdckit.microdata import Microdata
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.synthesis.plain_columns import plain_values, released_attributes


@risk("copied-values", reference="reiter2005trees", by_default=False)
class CopiedValues(Measure):
    r"""Share of released rows that carry two or more values which only one person of the original has.

    A synthesis from trees draws observed values: with numbers and no smoothing every value is that of a person, and a
    row whose values came from the same leaf often has several values of the same person. Values are counted that occur
    once in their column of the original; the details give the share of all such values that were released at all. Two
    values of one person need not be a disclosure, but they are what an intruder recognises. It needs no correspondence
    of rows: a masked file that keeps columns unchanged carries its own values, and is counted like any other.

    Formula: $\frac{1}{n'} \cdot |\{r : \max_i |\{j : r_j = x_{ij}, x_{ij} \text{ occurs once}\}| \ge m\}|$,  $m$ the
    `min_values`

    Intruder: knows a person's rare values exactly, and looks for them in the release.

    Use it when the values of a synthetic file were drawn from those of the original, as by trees or by swapping.
    """

    for_synthesis: ClassVar[bool] = True

    min_values: int = param(
        2, "values of one person that a row must have to be counted", low=1, grid=(2, 3), formerly="least"
    )

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = released_attributes(release)
        owner, unique = owners(release.original, release.masked, names)
        if not unique:
            raise NotApplicableError("no value occurs only once in its column of the original")
        shared, whose = most_of_one_person(owner)
        copied = shared >= self.min_values
        by_record = np.zeros(len(release.original))
        by_record[whose[copied]] = 1.0
        return Score(
            float(copied.mean()),
            by_record=by_record,
            interval=wilson(float(copied.sum()), len(copied)),
            details={
                "released_values": float(len(np.unique(owner[owner >= 0])) / len(release.original)),
                "most_values_of_one_person": int(shared.max()),
                "unique_values": unique,
            },
        )


def owners(original: Microdata, released: Microdata, names: tuple[str, ...]) -> tuple[NDArray[np.int64], int]:
    """The record that each released value is the only one of, −1 where there is none; and the number of such values."""
    ours, theirs = plain_values(original, names), plain_values(released, names)
    owner = np.full(theirs.shape, -1, dtype=np.int64)
    number = 0
    for column in range(len(names)):
        found, first, counts = np.unique(ours[:, column], return_index=True, return_counts=True)
        once = (counts == 1) & ~np.isnan(found)
        values, records = found[once], first[once]
        number += len(values)
        if len(values):
            position = np.minimum(np.searchsorted(values, theirs[:, column]), len(values) - 1)
            same = values[position] == theirs[:, column]
            owner[same, column] = records[position[same]]
    return owner, number


def most_of_one_person(owner: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The largest number of values that a row has of one record, and which record that is (0 where it has none)."""
    shared, whose = np.zeros(len(owner), dtype=np.int64), np.zeros(len(owner), dtype=np.int64)
    for column in range(owner.shape[1]):
        times = ((owner == owner[:, [column]]) & (owner[:, [column]] >= 0)).sum(axis=1)
        better = times > shared
        shared[better], whose[better] = times[better], owner[better, column]
    return shared, whose
