"""Panel: repeated measurements of units in long form, one row for each unit and time, as series and back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.kernels.equivalence_classes import class_of
from sdckit.microdata import Kind, Microdata


@dataclass(frozen=True, eq=False)
class Panel:
    """Which unit and which time each row belongs to, both numbered from 0.

    `units`, `times`   how many there are
    """

    unit: NDArray[np.int64]
    time: NDArray[np.int64]
    units: int
    times: int

    @classmethod
    def of(cls, data: Microdata, unit: str, time: str = "") -> "Panel":
        """The panel of a file, by the columns that identify the unit and the time.

        A row without a unit is a unit of its own. Without a time column the rows of a unit are in the order of time.
        """
        codes = data.codes([unit]).astype(np.int64)
        without = codes[:, 0] < 0
        codes[without, 0] = -1 - np.arange(int(without.sum()))
        units = class_of(codes).of
        if time == "":
            order = np.argsort(units, kind="stable")
            starts = np.concatenate([[0], np.flatnonzero(np.diff(units[order])) + 1])
            times = np.empty(len(units), dtype=np.int64)
            times[order] = np.arange(len(units)) - np.repeat(starts, np.diff([*starts, len(units)]))
        else:
            times = _times(data, time)
        panel = cls(units, times, int(units.max(initial=-1)) + 1, int(times.max(initial=-1)) + 1)
        repeated = len(data) - len(np.unique(units * max(panel.times, 1) + times))
        if repeated:
            raise SchemaError(
                f"{repeated} rows have the same {unit!r} and {time!r} as another row; name a time that differs between "
                "the rows of a unit"
            )
        return panel

    def series(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values by row and attribute as series: by unit, time and attribute; NaN where a unit has no row."""
        series = np.full((self.units, self.times, values.shape[1]), np.nan)
        series[self.unit, self.time] = values
        return series

    def rows(self, series: NDArray[np.float64]) -> NDArray[np.float64]:
        """Series by unit, time and attribute as values by row and attribute."""
        return np.asarray(series[self.unit, self.time], dtype=np.float64)

    def mean_of_units(self, figures: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean of a figure over the rows of each unit."""
        counts = np.bincount(self.unit, minlength=self.units)
        return np.asarray(np.bincount(self.unit, figures, minlength=self.units) / counts, dtype=np.float64)


def _times(data: Microdata, time: str) -> NDArray[np.int64]:
    """The number of each row's time among those that occur."""
    if not data.attribute(time).kind & Kind.ORDERED:
        raise SchemaError(f"{time!r} is {data.attribute(time).kind.title} and cannot be a time; declare it as ordered")
    if data.missing(time):
        raise SchemaError(f"{time!r} is missing in {data.missing(time)} rows; a time is needed for every row")
    return np.unique(data.codes([time])[:, 0], return_inverse=True)[1].astype(np.int64)
