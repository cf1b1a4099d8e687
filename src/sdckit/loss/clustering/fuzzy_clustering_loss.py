"""Fuzzy-clustering loss: do records belong to the same clusters in both files?"""

from typing import ClassVar

import numpy as np

from sdckit.fuzzy.alignment import align_memberships, centre_difference, membership_differences
from sdckit.fuzzy.clusterings import (
    Clustering,
    FuzzyCMeans,
    FuzzyPossibilisticCMeans,
    NoiseClustering,
    PossibilisticCMeans,
)
from sdckit.fuzzy.partition_comparison import compare_pairs
from sdckit.fuzzy.series import LevelsAndChanges, SeriesDistance
from sdckit.intruder import Intruder
from sdckit.loss.clustering.clustered_files import SeriesForm, cluster_both
from sdckit.measure import Cost, Measure, Need, Score, loss
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release


@loss("fuzzy-clustering-loss", reference="ladra2008", cost=Cost.SLOW, sees=Kind.ORDERED)
class FuzzyClusteringLoss(Measure):
    r"""Share of the records' memberships in clusters that is in other clusters when the masked file is clustered.

    Both files are clustered from the same starts, and the best run of each is taken to avoid poor local minima.
    Clusters are matched one to one by their memberships. Runs on the original may end in different clusters, too: the
    mean difference of the other runs from the best one is the baseline, and a loss below it cannot be distinguished
    from this variation. The details compare the partitions in other ways: by their centres, by pairs of records, and by
    the strongest cluster of each record. Where rows are not known, as of synthetic data, the original records are
    classified by the clusters of both files. In a panel with one row for each unit and time the units are clustered by
    their series.

    Formula: mean over records of $\frac{\sum_i |u_i - u'_i|}{\sum_i (u_i + u'_i)}$,  $u$ and $u'$ the memberships in
    the original and the masked file

    Use it when analysts will cluster the file, as in market or patient segmentation.
    """

    uses: ClassVar[frozenset[Need]] = frozenset({Need.ROWS})

    clustering: Clustering = param(
        FuzzyCMeans(1.5),
        "a fuzzy clustering of sdckit.fuzzy, such as noise-clustering(1.5+1) or possibilistic-c-means(2)",
        grid=(NoiseClustering(1.5), PossibilisticCMeans(2.0), FuzzyPossibilisticCMeans(1.5)),
    )
    clusters: int = param(5, "number of clusters", low=2, grid=(3, 8))
    starts: int = param(10, "starts of each clustering, of which the best is taken", low=1)
    distance: SeriesDistance = param(
        LevelsAndChanges(0.0),
        "how repeated measurements are compared: levels-and-changes(0.5), by the share of the changes from each to the "
        "next, or time-warping(2), by the number of times that a measurement may be moved",
        formerly="change_share",
    )
    unit: str = param("", "the column that identifies the unit of a panel with one row for each unit and time")
    time: str = param("", "the column of the time of a panel; empty: the rows of a unit are in the order of time")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        form = SeriesForm(self.distance, self.unit, self.time)
        files = cluster_both(release, self.clustering, self.clusters, self.starts, seed or 0, form)
        best, masked = files.before[0], files.after[0]
        before, after = best.memberships(files.points), masked.memberships(files.masked)
        by_record = membership_differences(before, after)
        others = [membership_differences(before, run.memberships(files.points)) for run in files.before[1:]]
        floor = float(np.mean([files.mean(each) for each in others])) if others else 0.0
        known = ~np.isnan(by_record)
        matched = after[:, align_memberships(before, after)]
        pairs = compare_pairs(before[known], after[known], child(generator(seed or 0), self.name, "pairs"))
        return Score(
            files.mean(by_record),
            by_record=release.on_records(files.records, by_record[files.unit_of]),
            baseline=floor,
            details={
                "noise_floor": floor,
                "centres": centre_difference(best.centres, masked.centres),
                "other_cluster": float((before[known].argmax(axis=1) != matched[known].argmax(axis=1)).mean()),
                "pairs": pairs.distance,
                "pairs_standard_error": pairs.standard_error,
                "fuzzy_rand": pairs.rand,
                "fuzzy_jaccard": pairs.jaccard,
                "coincident_before": sum(len(each) - 1 for each in best.coincident()),
                "coincident_after": sum(len(each) - 1 for each in masked.coincident()),
                "converged": best.converged and masked.converged,
            },
        )
