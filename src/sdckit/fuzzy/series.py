"""Repeated measurements of one unit as a series, and distances between series as values that a recipe can write.

With a share s of the changes, two series are at the squared distance (1 − s) Σ (x − y)² + s Σ (Δx − Δy)²
(Möller-Levet and others 2003). It is that of points with levels and changes as coordinates, so that any fuzzy
clustering clusters series. With time warping they are aligned first.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.named_values import NamedValue
from sdckit.fuzzy.time_warping import Warping


@dataclass(frozen=True)
class SeriesDistance(NamedValue):
    """A distance between series; as text `levels-and-changes(0.5)`, of which the share may be written alone."""

    noun = "distance between series"
    numeric = "levels-and-changes"
    in_words: ClassVar[str] = "a distance between series, such as levels-and-changes(0.5) or time-warping(2)"

    def points(self, series: NDArray[np.float64]) -> NDArray[np.float64]:
        """The points that a clustering clusters, of series by times by attributes; a missing value stays missing."""
        raise TypeError(f"{type(self).__name__} must define points")

    def series(self, points: NDArray[np.float64], times: int, attributes: int) -> NDArray[np.float64]:
        """The series of points as `points` makes them."""
        raise TypeError(f"{type(self).__name__} must define series")

    def metric(self, times: int, attributes: int) -> Warping | None:
        """The distance between points; None for that of their coordinates."""
        return None


@dataclass(frozen=True)
class LevelsAndChanges(SeriesDistance):
    """Squared differences of levels, and of changes between consecutive measurements with a share of the weight."""

    title = "levels-and-changes"

    change_share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.change_share < 1:
            raise ValueError(f"the share of changes is at least 0 and below 1, not {self.change_share:g}")

    def points(self, series: NDArray[np.float64]) -> NDArray[np.float64]:
        """Levels times √(1 − s) and changes between consecutive measurements times √s.

        >>> LevelsAndChanges(0.0).points(np.array([[[1.0], [3.0], [2.0]]]))
        array([[1., 3., 2.]])
        """
        levels = series.reshape(len(series), -1)
        if self.change_share == 0 or series.shape[1] < 2:
            return np.asarray(levels, dtype=np.float64)
        changes = np.diff(series, axis=1).reshape(len(series), -1)
        return np.column_stack([np.sqrt(1 - self.change_share) * levels, np.sqrt(self.change_share) * changes])

    def series(self, points: NDArray[np.float64], times: int, attributes: int) -> NDArray[np.float64]:
        levels = points[:, : times * attributes]
        scale = np.sqrt(1 - self.change_share) if times > 1 else 1.0
        return np.asarray(levels / scale, dtype=np.float64).reshape(-1, times, attributes)


@dataclass(frozen=True)
class TimeWarping(SeriesDistance):
    """Squared differences after aligning the series; a measurement is moved by at most `window` times."""

    title = "time-warping"

    window: float = np.inf

    def __post_init__(self) -> None:
        if not self.window >= 0 or (np.isfinite(self.window) and self.window != int(self.window)):
            raise ValueError(f"the window of time warping is a whole number of times or inf, not {self.window:g}")

    def points(self, series: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(series.reshape(len(series), -1), dtype=np.float64)

    def series(self, points: NDArray[np.float64], times: int, attributes: int) -> NDArray[np.float64]:
        return points.reshape(-1, times, attributes)

    def metric(self, times: int, attributes: int) -> Warping:
        return Warping(times, attributes, int(min(self.window, times)))
