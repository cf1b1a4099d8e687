"""Fuzzy microaggregation of series: repeated measurements of a unit are replaced by a centre series."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.fuzzy.c_means import draw_assignments
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.fuzzy.series import LevelsAndChanges, SeriesDistance
from sdckit.masking import masking
from sdckit.methods.microaggregation.cluster_notes import remember
from sdckit.methods.microaggregation.drawn_centres import DrawnCentres, averaged_over_enough
from sdckit.methods.microaggregation.fuzzy_microaggregation import first_centres
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@dataclass(frozen=True, kw_only=True)
class SeriesCentres(DrawnCentres):
    """Find centre series of the units of a panel and draw one for each unit."""

    clustering: Clustering = FuzzyCMeans(1.1)

    def drawn_blocks(self, values: NDArray[np.float64], distance: SeriesDistance, draws: Draws) -> NDArray[np.float64]:
        """Each block of attributes, in the order of time, replaced by the centre series that is drawn for the row."""
        self.require_a_group(len(values))
        masked = np.empty(values.shape)
        for block in self.blocks(values.shape[1]):
            series = values[:, block, None]
            masked[:, block] = self.drawn_series(values[:, block], series, distance, draws.child(block.start))[:, :, 0]
        return np.where(np.isnan(values), np.nan, masked)

    def drawn_series(
        self, values: NDArray[np.float64], series: NDArray[np.float64], distance: SeriesDistance, draws: Draws
    ) -> NDArray[np.float64]:
        """A centre series for each unit; series, made of `values`, are by unit, time and attribute."""
        units, times, attributes = series.shape
        mean, deviation = np.nanmean(series, axis=(0, 1)), np.nanstd(series, axis=(0, 1))
        deviation = np.where(deviation > 0, deviation, 1.0)
        scaled = (series - mean) / deviation
        points, metric = distance.points(scaled), distance.metric(times, attributes)
        try:
            found = self.clustering.fit(points, first_centres(points, self.group_size), metric=metric)
        except ValueError as problem:
            raise SchemaError(f"{self.name}: {problem}") from None
        centres = remember(self, values, found).centres
        chosen = draw_assignments(points, centres, self.assignment_fuzziness, draws.uniform(1)[:, 0], metric)
        levels = distance.series(centres, times, attributes)
        averages = averaged_over_enough(levels.reshape(len(levels), -1), scaled.reshape(units, -1), self.group_size)
        return np.asarray(averages.reshape(levels.shape)[chosen] * deviation + mean, dtype=np.float64)

    def law(self, released: Microdata, original: Microdata | None = None) -> None:
        """Nothing is derived: the release does not show the common scale of a series."""
        return


@masking("fuzzy-series", kind=Kind.CONTINUOUS, reference="torra2015")
class FuzzySeries(SeriesCentres):
    r"""Cluster the units of a panel by their series of measurements and replace each series by a drawn centre series.

    The attributes named, in the order of time, are one series; with a `block_size` each block of so many is one. All
    measurements of a series have the same scale, so that its shape counts, and the distance weighs levels and changes
    from one measurement to the next. With an assignment fuzziness above 1 every centre series has a positive
    probability; `group_size` is not guaranteed. A missing value stays missing and is left out of distances and means.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $D = (1 -
    s) \sum_t (x_t - v_t)^2 + s \sum_t (\Delta x_t - \Delta v_t)^2$

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
        return self.drawn_blocks(values, LevelsAndChanges(self.change_share), draws)
