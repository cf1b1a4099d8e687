"""Fuzzy microaggregation of series: repeated measurements of a unit are replaced by a centre series."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.fuzzy.c_means import draw_assignments
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.fuzzy.series import LevelsAndChanges, SeriesDistance
from sdckit.kernels.rounding_errors import without_rounding_errors
from sdckit.likelihood import RecordTableLaw
from sdckit.masking import masking
from sdckit.methods.microaggregation.centre_laws import Offered, law_of_offers
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
        offered = self.offered_series(values, series, distance)
        uniform = draws.uniform(1)[:, 0]
        chosen = draw_assignments(offered.points, offered.centres, self.assignment_fuzziness, uniform, offered.metric)
        return np.asarray(offered.values[chosen].reshape(series.shape), dtype=np.float64)

    def offered_series(
        self, values: NDArray[np.float64], series: NDArray[np.float64], distance: SeriesDistance
    ) -> Offered:
        """The centre series, before one is drawn for each unit; their values are by time, then attribute."""
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
        levels = distance.series(centres, times, attributes)
        averages = averaged_over_enough(levels.reshape(len(levels), -1), scaled.reshape(units, -1), self.group_size)
        published = averages.reshape(levels.shape) * deviation + mean
        return Offered(points, centres, without_rounding_errors(published.reshape(len(levels), -1)), metric)

    def compared_by(self) -> SeriesDistance | None:
        """How the series of rows are compared; None where a series is in several rows."""
        raise TypeError(f"{type(self).__name__} must define compared_by")

    def offers(self, data: Microdata, names: Sequence[str]) -> Iterator[tuple[Sequence[str], Offered]]:
        distance = self.compared_by()
        assert distance is not None  # as `law` sees to
        for block in self.blocks(len(names)):
            values = data.matrix(names[block])
            yield names[block], self.offered_series(values, values[:, :, None], distance)

    def law(self, released: Microdata, original: Microdata | None = None) -> RecordTableLaw | None:
        """Nothing without the file that entered: the release does not show the common scale of a series."""
        if original is None or self.compared_by() is None:
            return None
        offers = self.offers(original, [each.name for each in released.attributes])
        return law_of_offers(offers, released, self.assignment_fuzziness, self.decimals)


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
        0.5, "weight of the changes between measurements, relative to their levels", low=0, high=0.95, grid=(0.2, 0.8)
    )

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return self.drawn_blocks(values, self.compared_by(), draws)

    def compared_by(self) -> SeriesDistance:
        return LevelsAndChanges(self.change_share)
