"""Interval-partition loss: how far the memberships that repeated clustering leaves possible moved."""

from typing import ClassVar

from sdckit.fuzzy.alignment import align_memberships
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans, FuzzyPossibilisticCMeans, NoiseClustering
from sdckit.fuzzy.interval_partitions import IntervalPartition, i_fuzzy_partition, interval_difference
from sdckit.intruder import Intruder
from sdckit.loss.clustering.clustered_files import cluster_both
from sdckit.measure import Cost, Measure, Need, Score, loss
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release


@loss("interval-partition-loss", reference="torra2010", cost=Cost.SLOW, sees=Kind.ORDERED)
class IntervalPartitionLoss(Measure):
    r"""Mean distance between the membership intervals of the two files, over records and clusters.

    A clustering ends in a local minimum that depends on its start. The runs from several starts make an I-fuzzy
    partition: the membership in the best run, and the hesitation up to the highest membership in any run. Differences
    that are due to the start widen the intervals and are not counted as loss. The details give the mean hesitation in
    either file; where the runs agree it is 0 and the partitions are ordinary fuzzy ones.

    Formula: mean over records and clusters of $\max(|\mu - \mu'|, |\mu + \pi - \mu' - \pi'|)$,  $\mu$ the membership,
    $\pi$ the hesitation

    Use it when analysts will cluster the file and the clusters are not clear-cut, so that single runs differ.
    """

    uses: ClassVar[frozenset[Need]] = frozenset({Need.ROWS})

    clustering: Clustering = param(
        FuzzyCMeans(1.5),
        "a fuzzy clustering of sdckit.fuzzy, such as noise-clustering(1.5+1) or fuzzy-possibilistic-c-means(1.5+2)",
        grid=(NoiseClustering(1.5), FuzzyPossibilisticCMeans(1.5)),
    )
    clusters: int = param(5, "number of clusters", low=2, grid=(3, 8))
    starts: int = param(10, "starts of each clustering, whose results make the intervals", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        files = cluster_both(release, self.clustering, self.clusters, self.starts, seed or 0)
        before = i_fuzzy_partition([run.memberships(files.points) for run in files.before])
        after = i_fuzzy_partition([run.memberships(files.masked) for run in files.after])
        order = align_memberships(before.membership, after.membership)
        masked = after.intervals
        by_record = interval_difference(
            before.intervals, IntervalPartition(masked.low[:, order], masked.high[:, order])
        )
        return Score(
            files.mean(by_record),
            by_record=release.on_records(files.records, by_record[files.unit_of]),
            baseline=0.0,
            details={
                "hesitation_before": before.intervals.width,
                "hesitation_after": masked.width,
            },
        )
