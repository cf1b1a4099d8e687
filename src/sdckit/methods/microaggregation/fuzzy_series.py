"""Fuzzy microaggregation of series: repeated measurements of a unit are replaced by a centre series."""

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.fuzzy.series import series_of, series_points
from sdckit.masking import masking
from sdckit.methods.microaggregation.drawn_centres import DrawnCentres, averaged_over_enough
from sdckit.methods.microaggregation.fuzzy_microaggregation import first_centres
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("fuzzy-series", kind=Kind.CONTINUOUS, reference="torra2015")
class FuzzySeries(DrawnCentres):
    """Cluster the units of a panel by their series of measurements and replace each series by a drawn centre series.

    The attributes named, in the order of time, are one series; with a `block_size` each block of so many is one. All
    measurements of a series have the same scale, so that its shape counts, and the distance weighs levels and changes
    from one measurement to the next. With an assignment fuzziness above 1 every centre series has a positive
    probability; `group_size` is not guaranteed. A missing value stays missing and is left out of distances and means.

    Formula: D = (1 − s) · Σ (x_t − v_t)² + s · Σ (Δx_t − Δv_t)²,  x′ = v_i with probability μᵢ(x) =
    D_i^(−1/(m₂−1)) / Σⱼ D_j^(−1/(m₂−1))

    Use it when the columns are repeated measurements of the same thing, such as income in several years, and how a unit
    develops matters as much as its level.
    """

    clustering: Clustering = param(
        FuzzyCMeans(1.1), "how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1)"
    )
    change_share: float = param(
        0.5, "weight of the changes between measurements, against their levels", low=0, high=0.95, grid=(0.2, 0.8)
    )

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        self.require_a_group(len(values))
        masked = np.empty(values.shape)
        for block in self.blocks(values.shape[1]):
            series = values[:, block]
            mean = float(np.nanmean(series))
            deviation = float(np.nanstd(series)) or 1.0
            points = series_points((series - mean) / deviation, self.change_share)
            centres = self.clustering.fit(points, first_centres(points, self.group_size)).centres
            chosen = self.drawn(points, centres, draws.child(block.start))
            found = series_of(centres, series.shape[1], self.change_share)
            averages = averaged_over_enough(found, (series - mean) / deviation, self.group_size)
            masked[:, block] = averages[chosen] * deviation + mean
        return np.where(np.isnan(values), np.nan, masked)

    def law(self, released: Microdata, original: Microdata | None = None) -> None:
        """Nothing is derived: the release does not show the common scale of a series."""
        return
