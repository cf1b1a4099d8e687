"""The original and the masked file, clustered in the same way from the same starts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.clusters import Clusters
from sdckit.fuzzy.repeated_runs import runs_from
from sdckit.fuzzy.series import LevelsAndChanges, SeriesDistance
from sdckit.fuzzy.starts import distant_records
from sdckit.kernels.standardisation import standardise_like
from sdckit.loss.statistics.mean_variation import with_values
from sdckit.microdata import Microdata, Role
from sdckit.panel import Panel
from sdckit.randomness import child, generator
from sdckit.release import Release


@dataclass(frozen=True, eq=False)
class ClusteredFiles:
    """The runs on both files, best first, and the points by whose memberships these are compared.

    `before`, `after`   runs on the original and on the masked file
    `points`, `masked`  the compared records and their masked rows; the records themselves where rows are not known
    `records`           the numbers of the compared records in the original
    `weights`           of the compared records
    `unit_of`           which of the compared points each of `records` belongs to: several rows may be one unit's
    """

    before: list[Clusters]
    after: list[Clusters]
    points: NDArray[np.float64]
    masked: NDArray[np.float64]
    records: NDArray[np.int64]
    weights: NDArray[np.float64]
    unit_of: NDArray[np.int64]

    def mean(self, by_record: NDArray[np.float64]) -> float:
        """The weighted mean over the compared records, or units, that have any value."""
        known = ~np.isnan(by_record)
        total = float(self.weights[known].sum())
        return float(self.weights[known] @ by_record[known] / total) if total > 0 else 0.0


@dataclass(frozen=True)
class SeriesForm:
    """Which values of a file are one series, and how series are compared.

    Without a `unit` the attributes of each record, in the order of time, are its series.
    """

    distance: SeriesDistance = LevelsAndChanges(0.0)
    unit: str = ""
    time: str = ""


def cluster_both(
    release: Release, clustering: Clustering, clusters: int, starts: int, seed: int, form: SeriesForm = SeriesForm()
) -> ClusteredFiles:
    """Cluster both files, on the scale of the original's standard deviations, from the same starts.

    Records whose masked row is known are compared by the memberships of the two; where rows are not known, as of
    synthetic data, the original records are, by their memberships in the clusters of either file. A value that is
    missing in the original is ignored in the masked file.
    """
    names = tuple(name for name in with_values(release) if name not in (form.unit, form.time))
    original = release.original.matrix(names)
    if release.corresponds:
        rows = release.true_rows(np.arange(len(original)))
        records = np.flatnonzero(rows >= 0)
        if not len(records):
            raise NotApplicableError("no row of the masked file came from a record of the original")
        masked = release.masked.matrix(names)[rows[records]]
        masked = np.where(np.isnan(original[records]), np.nan, masked)
        weights = masked_weights = record_weights(release.original)[records]
    else:
        records, masked = np.arange(len(original)), release.masked.matrix(names)
        weights, masked_weights = record_weights(release.original), record_weights(release.masked)
    before, after = standardise_like(original[records], original), standardise_like(masked, original)
    if form.unit:
        if not release.corresponds:
            raise NotApplicableError("the series of units can be compared only where it is known which row is whose")
        panel = Panel.of(release.original.take(records), form.unit, form.time)
        before, after, unit_of = panel.series(before), panel.series(after), panel.unit
        weights = masked_weights = panel.mean_of_units(weights)
    else:
        before, after, unit_of = before[:, :, None], after[:, :, None], np.arange(len(records))
    metric = form.distance.metric(*before.shape[1:])
    points, masked = form.distance.points(before), form.distance.points(after)
    for file, title in ((points, "original"), (masked, "masked file")):
        if len(file) < clusters:
            what = "units" if form.unit else "records"
            raise NotApplicableError(
                f"the {title} has {len(file)} {what} to cluster, fewer than clusters = {clusters}; use fewer clusters"
            )
    rng = child(generator(seed), "clustering", clusters)
    initial = [distant_records(points, clusters, rng, weights) for _ in range(starts)]
    try:
        runs = runs_from(clustering, points, initial, weights=weights, metric=metric)
        masked_runs = runs_from(clustering, masked, initial, weights=masked_weights, metric=metric)
    except ValueError as problem:  # a clustering without time warping
        raise NotApplicableError(str(problem)) from None
    compared = masked if release.corresponds else points
    return ClusteredFiles(runs, masked_runs, points, compared, records, weights, unit_of)


def record_weights(data: Microdata) -> NDArray[np.float64]:
    """The survey weights of the records, 1 where there are none or one is missing."""
    names = data.names(role=Role.WEIGHT)
    if not names:
        return np.ones(len(data))
    weights = data.matrix(names[:1])[:, 0]
    usable = np.isfinite(weights) & (weights >= 0)
    weights = np.where(usable, weights, 1.0)
    return weights if weights.any() else np.ones(len(data))
