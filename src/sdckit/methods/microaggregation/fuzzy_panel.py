"""Fuzzy microaggregation of panels: the rows of a unit, one for each time, are replaced by a centre series."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.fuzzy.series import LevelsAndChanges, SeriesDistance
from sdckit.masking import masking
from sdckit.methods.microaggregation.fuzzy_series import SeriesCentres
from sdckit.microdata import Kind, Microdata
from sdckit.panel import Panel
from sdckit.parameters import param


@masking("fuzzy-panel", kind=Kind.CONTINUOUS, reference="torra2015")
class FuzzyPanel(SeriesCentres):
    r"""Cluster the units of a panel by the series in their rows and replace each series by a drawn centre series.

    The file has one row for each unit and time; the attributes named are clustered together, or in blocks of
    `block_size`. Without a `unit` every row is a unit, and the attributes named, in the order of time, are its series.
    The distance weighs levels and changes, or aligns the series in time before it compares them. A unit that has no row
    for some time is compared by the others. With an assignment fuzziness above 1 every centre series has a positive
    probability; `group_size`, which counts units, is not guaranteed. A missing value stays missing.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $D_i$ the
    squared distance of the series $x$ to the centre series $v_i$

    Use it when a file has repeated rows of the same units, such as one for each year: rows that are masked one by one
    would let an intruder who follows a unit over time combine them.
    """

    clustering: Clustering = param(
        FuzzyCMeans(1.1), "how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1)"
    )
    distance: SeriesDistance = param(
        LevelsAndChanges(0.5),
        "how series are compared: levels-and-changes(0.5), by the share of the changes, or time-warping(2), by the "
        "number of times that a measurement may be moved",
    )
    unit: str = param("", "the column that identifies the unit; empty: every row is a unit")
    time: str = param("", "the column of the time; empty: the rows of a unit are in the order of time")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        if not self.unit:
            return super().protect(data, attributes, draws=draws)
        names = self.applicable(data, attributes)
        self.refuse_few_values(data, names, self.group_size)
        panel = Panel.of(data, self.unit, self.time)
        if panel.units < self.group_size:
            raise SchemaError(
                f"{self.name} needs at least {self.group_size} units to fill a group and {self.unit!r} has "
                f"{panel.units}; use a smaller group_size"
            )
        masked = data
        for block in self.blocks(len(names)):
            values = data.matrix(names[block])
            series = panel.series(values)
            self.require_values_at_all_times(series)
            own = draws.over(len(data)).child(block.start).for_records(np.arange(panel.units))
            drawn = np.where(
                np.isnan(values), np.nan, panel.rows(self.drawn_series(values, series, self.distance, own))
            )
            masked = masked.with_matrix(names[block], self.published(data, names[block], drawn))
        return masked

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return self.drawn_blocks(values, self.distance, draws)

    def compared_by(self) -> SeriesDistance | None:
        return None if self.unit else self.distance

    def require_values_at_all_times(self, series: NDArray[np.float64]) -> None:
        """Refuse times at which so few units have a value that a mean would give them away."""
        few = ((~np.isnan(series)).sum(axis=0) < self.group_size).any(axis=1)
        if few.any():
            raise SchemaError(
                f"{self.name}: at {int(few.sum())} of {len(few)} times fewer than {self.group_size} units have values, "
                "which a mean would disclose; recode the time, leave these rows out, or use a smaller group_size"
            )

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes named, else every continuous key but the unit and the time."""
        if attributes:
            for name in (self.unit, self.time):
                if name and name in attributes:
                    raise SchemaError(f"{self.name}: {name!r} says which row is which and is not masked; leave it out")
            return tuple(attributes)
        return tuple(name for name in super().chosen(data, ()) if name not in (self.unit, self.time))

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """Nothing is excluded where a series is in several rows."""
        return None if self.unit else super().candidates(known, released)

    def drawn_note(self, original: Microdata, masked: Microdata, names: Sequence[str]) -> str:
        """How many units there are, where a series is in several rows; else how many centres were drawn."""
        if not self.unit:
            return super().drawn_note(original, masked, names)
        panel = Panel.of(original, self.unit, self.time)
        return (
            f"{', '.join(names)}: {panel.units} units at {panel.times} times have one of "
            f"{-(-panel.units // self.group_size)} centre series each (group_size {self.group_size} is not guaranteed)"
        )

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The unit and the time."""
        return tuple(name for name in (self.unit, self.time) if name)
