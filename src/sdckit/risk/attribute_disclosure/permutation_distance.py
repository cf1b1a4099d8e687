"""Permutation distance: how far did the values of a record move in rank?"""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.hierarchy import ROOT
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.rank_displacement import displacements
from sdckit.measure import Measure, Need, Score, risk
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

FULL = 1.0  # the displacement of a value that was removed, or of a category that was changed


@risk(
    "permutation-distance",
    heading="Records that hardly moved in rank",
    reference="domingo2016",
    needs={Need.ROWS},
)
class PermutationDistance(Measure):
    r"""Share of records none of whose values moved by more than a given share of the ranks.

    Every masking of microdata is a permutation of the ranks of each attribute, plus noise that keeps them; the
    permutation is what protects. The permutation distance of a value is the number of ranks between the original value
    in its column and the released value in its column, as a share of the released records; that of a record is the
    largest one over its attributes. Tied values are taken in the order that gives the smallest distance, so values that
    were made equal, as by microaggregation or rounding, count as hardly moved: read the figure beside k-anonymity.
    A nominal attribute has no ranks: a released category that is the original one, or contains it in the hierarchy,
    did not move; any other moved by 1, and so did a value that was removed. Cells that were missing in the original
    are not counted.

    By record, the score has 1 − the distance of the record; by attribute, the share of values that moved by no more
    than `distance`. The details give the smallest, the median and the mean distance of the records, and the smallest
    and the mean by attribute. The baseline pairs records and rows at random.

    Formula: $\frac{1}{n} \sum_i [\max_j d_{ij} \le \text{distance}]$,  $d_{ij} = \frac{1}{n} \cdot |\text{rank}(x_{ij})
    - \text{rank}(x'_{ij})|$

    Intruder: has maximum knowledge: the whole original file and the whole release. All that such an intruder does not
    know is which row belongs to which record, so only the distances in rank protect a record.

    Use it when releases of different methods are to be compared by one figure, or a person in the file asks how far the
    values were moved.
    """

    distance: float = param(
        0.05, "largest move in rank that does not protect a record, as a share of the records", low=0, high=1
    )

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = release.evaluated_attributes(Kind.ANY)
        rows = release.true_rows(np.arange(len(release.original)))
        records, rows = np.flatnonzero(rows >= 0), rows[rows >= 0]
        if not len(records):
            raise NotApplicableError("no row of the masked file came from a record of the original")
        by_cell = distances(release, names, records, rows)
        others = child(generator(seed or 0), "permutation-distance").permutation(rows)
        of_record = largest(by_cell)
        near = self.unprotected(of_record)
        judged = ~np.isnan(of_record)
        return Score(
            mean_of(near),
            by_record=release.on_records(records, 1 - of_record),
            by_attribute={name: mean_of(self.unprotected(by_cell[:, at])) for at, name in enumerate(names)},
            interval=wilson(float(np.nansum(near)), int(judged.sum())),
            baseline=mean_of(self.unprotected(largest(distances(release, names, records, others)))),
            details={
                "smallest_distance": float(of_record[judged].min()) if judged.any() else 0.0,
                "median_distance": float(np.median(of_record[judged])) if judged.any() else 0.0,
                "mean_distance": mean_of(of_record),
                "mean_distance_by_attribute": {name: mean_of(by_cell[:, at]) for at, name in enumerate(names)},
                "smallest_distance_by_attribute": {
                    name: float(np.nanmin(by_cell[:, at])) if np.isfinite(by_cell[:, at]).any() else 0.0
                    for at, name in enumerate(names)
                },
            },
        )

    def unprotected(self, distance: NDArray[np.float64]) -> NDArray[np.float64]:
        """1 where a distance is at most the limit, 0 where it is larger, NaN where there is none."""
        rounding = 1e-12  # a window of 3 of 60 records is 0.05
        return np.where(np.isnan(distance), np.nan, distance <= self.distance + rounding)


def distances(
    release: Release, names: tuple[str, ...], records: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The permutation distance of each of these records in each attribute, its row being the one beside it.

    NaN where the original has no value. Ranks are counted among these records and rows.
    """
    return np.column_stack([_column_distances(release, name, records, rows) for name in names])


def _column_distances(
    release: Release, name: str, records: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    original, masked = release.original.columns[name][records], release.masked.columns[name][rows]
    known = ~release.original.absent(name)[records]
    seen = known & ~release.masked.absent(name)[rows]
    moved = np.where(known, FULL, np.nan)
    attribute = release.original.attribute(name)
    ranked = seen.copy()
    if attribute.categories is not None:
        moved[seen & _covers(release, name, original, masked)] = 0.0
        ordered = bool(attribute.kind & Kind.ORDERED)
        ranked &= ordered & (masked < len(attribute.categories))  # a category that was added is not in the order
    moved[ranked] = displacements(original[ranked].astype(np.float64), masked[ranked].astype(np.float64))
    return moved


def _covers(release: Release, name: str, original: NDArray[np.int64], masked: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the released category is the original one or contains it; the root, which says nothing, does not."""
    before, after = release.original.attribute(name), release.masked.attribute(name)
    covers: NDArray[np.bool_] = original == masked
    if before.hierarchy is None or before.categories is None or after.categories is None:
        return covers
    code_of = {str(category): code for code, category in enumerate(after.categories)}
    pairs = [
        code * len(code_of) + code_of[node]
        for code, category in enumerate(before.categories)
        if category in before.hierarchy
        for node in before.hierarchy.ancestors(category)
        if node in code_of and node != ROOT
    ]
    covers |= np.isin(original.astype(np.int64) * len(code_of) + masked, pairs)
    return covers


def largest(by_cell: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest distance of each record, NaN where it has no value."""
    seen = ~np.isnan(by_cell)
    return np.where(seen.any(axis=1), np.where(seen, by_cell, 0.0).max(axis=1, initial=0.0), np.nan)


def mean_of(figures: NDArray[np.float64]) -> float:
    """The mean, missing ones left out; 0 where there is nothing else."""
    seen = figures[~np.isnan(figures)]
    return float(seen.mean()) if len(seen) else 0.0
