"""Record interval disclosure: are all values of a record near their published ones?"""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.columns import deviation_of
from sdckit.kernels.intervals import wilson
from sdckit.kernels.robust_covariance import robust_estimate
from sdckit.measure import Measure, Need, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

CLOSE = 0.1  # standard deviations, in every attribute, within which released rows are a crowd


@risk("record-interval-disclosure", reference="templ2008", needs={Need.ROWS})
class RecordIntervalDisclosure(Measure):
    """Share of records all of whose values lie within an interval around the published ones.

    Around each published value an interval reaches `share` standard deviations of the masked column to either side; a
    record counts if every original value is inside (sdcMicro's dRisk lets one be outside). With `robust` the interval
    of an outlying record is wider, by its robust Mahalanobis distance relative to the median one: a value that is far
    from all others is disclosed by a less exact figure, too (dRiskRMD). With `crowd`, a record does not count if at
    least that many other released rows lie within 0.1 standard deviations of its own in every attribute: the intruder
    cannot say which of them belongs to the person. A value that was removed is in no interval, and one that was missing
    before is not judged. The baseline pairs records and rows at random.

    Formula: mean over i of [|xᵢⱼ − x′ᵢⱼ| ≤ share · sⱼ · wᵢ for every j],  wᵢ = 1 or max(1, dᵢ / median d)

    Intruder: knows to whom each released record belongs and takes the published values for the true ones.

    Use it when numbers were masked by noise or microaggregation, and a record is disclosed only as a whole.
    """

    share: float = param(
        0.05, "reach of an interval, in standard deviations", low=0.001, high=1, grid=(0.01, 0.05, 0.1)
    )
    robust: bool = param(False, "intervals grow with the robust Mahalanobis distance of the record")
    crowd: int = param(
        0, "number of other released rows nearby from which on a record is safe; 0: not considered", low=0
    )

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = release.evaluated_attributes()
        columns = list(release.column_pairs(names))
        count = len(columns[0][0])
        scale = np.array([deviation_of(after) for _, after in columns])
        widths = self.widths(release) if self.robust else np.ones(1)
        others = child(generator(seed or 0), "record-interval-disclosure").permutation(count)
        found, judged, alike = np.ones(count, dtype=bool), np.zeros(count, dtype=bool), np.arange(count)
        by_attribute = {}
        for name, (before, after), deviation in zip(names, columns, scale, strict=True):
            reach = np.broadcast_to(self.share * deviation * widths, count)
            inside, seen = _inside(before, after, reach), ~np.isnan(before)
            by_attribute[name] = float((inside & seen).sum() / max(seen.sum(), 1))
            found &= inside
            judged |= seen
            alike = alike[_inside(before[alike], after[others[alike]], reach[alike])]
        if not judged.any():
            raise NotApplicableError("no ordered attribute of the original has a value")
        found &= judged
        if self.crowd:
            found &= ~self.crowded(np.column_stack([after for _, after in columns]), scale)
        released = np.flatnonzero(release.true_rows(np.arange(len(release.original))) >= 0)
        known = int(judged.sum())
        return Score(
            float(found.sum() / known),
            by_record=release.on_records(released, np.where(judged, found, np.nan)),
            by_attribute=by_attribute,
            interval=wilson(float(found.sum()), known),
            baseline=float(judged[alike].sum() / known),
            details={"records_inside": int(found.sum()), "attributes": names},
        )

    def widths(self, release: Release) -> NDArray[np.float64]:
        """The width of the intervals of each record, relative to the usual one."""
        original = release.pairs(release.evaluated_attributes())[0]
        if np.isnan(original).all():
            return np.ones(1)
        filled = np.where(np.isnan(original), np.nanmedian(original, axis=0), original)
        filled = filled[:, ~np.isnan(filled).any(axis=0)]
        distance = np.sqrt(robust_estimate(filled).squared_distances(filled))
        usual = float(np.median(distance))
        return np.maximum(distance / usual, 1.0) if usual > 0 else np.ones(1)

    def crowded(self, masked: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether enough other rows are near each row of the release."""
        from scipy.spatial import cKDTree

        points = np.nan_to_num(masked / np.where(scale > 0, scale, 1.0))
        tree = cKDTree(points)
        near = tree.query_ball_point(points, CLOSE, p=np.inf, return_length=True)
        return np.asarray(near - 1 >= self.crowd)


def _inside(
    original: NDArray[np.float64], masked: NDArray[np.float64], reach: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which values are within reach of the published ones; one that was missing before counts as inside."""
    gap = original - masked
    inside: NDArray[np.bool_] = np.abs(gap, out=gap) <= reach
    inside |= np.isnan(original)
    return inside
