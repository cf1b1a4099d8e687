"""Joint axes: combinations of numbers that a method which masks several at once leaves near to the record's own.

A method that groups records along one axis publishes means whose single attributes say little of a record, while their
combination along the axis says nearly everything. The axes are learned from replays: directions in which the masked
values are predicted best from the original ones by linear regression. Along an axis, a row is judged by how many
distinct masked values lie between it and the prediction, so that dense and sparse parts of the file are treated alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdckit.laws.blocks import UNKNOWN, Floats, Indices, Table

LEVELS = 1_000  # steps along an axis, at most
BACKGROUND = 1e-3  # share of the records that may be anywhere on the axis
FLAT = 1e-6  # of the largest variance: in directions with less nothing but rounding varies
AXES = 3  # of each kind, at most


@dataclass(frozen=True, eq=False)
class Scale:
    """Means and standard deviations by which the columns of a file are brought to one scale."""

    mean: Floats
    deviation: Floats

    @classmethod
    def of(cls, values: Floats) -> "Scale":
        """Those of a file with a column for each attribute."""
        deviation = np.nanstd(values, axis=0)
        return cls(np.nanmean(values, axis=0), np.where(deviation > 0, deviation, 1.0))

    def __call__(self, values: Floats) -> Floats:
        result: Floats = (values - self.mean) / self.deviation
        return result


@dataclass(frozen=True, eq=False)
class JointAxis:
    """One axis: the coefficients of the prediction and of the masked values, and how likely each distance is.

    `log_density` is that of a distance of 0, 1, 2, … distinct values.
    """

    names: tuple[str, ...]
    constant: float
    slope: Floats
    direction: Floats
    log_density: Floats

    def table(self, known: Floats, rows: Floats) -> Table:
        """The law of rows for records, both scaled; a record with a missing value is not judged."""
        predicted, levels, of_row = self.positions(known, rows)
        line = nearest_level(predicted, levels)
        distance = np.abs(np.arange(len(levels))[:, None] - np.arange(len(levels))[None, :])
        entries = self.log_density[np.minimum(distance, len(self.log_density) - 1)]
        share = np.bincount(of_row[of_row >= 0], minlength=len(levels)) / max(int((of_row >= 0).sum()), 1)
        entries = entries - np.log(np.exp(entries) @ share)[:, None]
        entries = np.column_stack([entries, np.zeros(len(levels))])
        return Table(self.names, entries, line, np.where(of_row < 0, len(levels), of_row), lift=True)

    def positions(self, known: Floats, rows: Floats) -> tuple[Floats, Floats, Indices]:
        """The prediction for each record, the levels of the axis, and the level of each row (−1: not known)."""
        predicted = self.constant + known @ self.slope
        values = rows @ self.direction
        seen = ~np.isnan(values)
        levels = np.unique(np.round(values[seen], 9))
        if len(levels) > LEVELS:
            levels = np.unique(levels[np.linspace(0, len(levels) - 1, LEVELS).astype(np.int64)])
        return predicted, levels, nearest_level(values, levels)


def nearest_level(values: Floats, levels: Floats) -> Indices:
    """The number of the level next to each value; −1 where it is missing or there is none."""
    if not len(levels):
        return np.full(len(values), UNKNOWN, dtype=np.int64)
    above = np.minimum(np.maximum(np.searchsorted(levels, np.nan_to_num(values)), 1), len(levels) - 1)
    below = np.maximum(above - 1, 0)
    nearer = np.nan_to_num(values) - levels[below] < levels[above] - np.nan_to_num(values)
    return np.where(np.isnan(values), UNKNOWN, np.where(nearer, below, above)).astype(np.int64)


class MaskedAgain(NamedTuple):
    """Scaled values of a replay: of the records before, after (NaN without a row), and of all masked rows."""

    before: Floats
    after: Floats
    rows: Floats


def joint_axes(names: tuple[str, ...], trials: Sequence[MaskedAgain]) -> list[JointAxis]:
    """The axes that trials show."""
    one, other = (np.concatenate(each) for each in ([t.before for t in trials], [t.after for t in trials]))
    complete = ~(np.isnan(one).any(axis=1) | np.isnan(other).any(axis=1))
    one, other = one[complete], other[complete]
    if len(one) <= 2 * len(names):
        return []
    design = np.column_stack([np.ones(len(one)), one])
    fit = np.linalg.lstsq(design, other, rcond=FLAT**0.5)[0]
    axes = []
    # A mean of several records is not drawn towards that of the file, as a regression would have it: both are tried.
    unchanged = np.vstack([np.zeros(len(names)), np.eye(len(names))])
    for coefficients in (unchanged, fit):
        rest = other - design @ coefficients
        for direction in _directions(rest.T @ rest / len(rest), np.atleast_2d(np.cov(other, rowvar=False))):
            constant, slope = float(coefficients[0] @ direction), coefficients[1:] @ direction
            axes.append(_with_density(JointAxis(names, constant, slope, direction, np.zeros(1)), trials))
    return axes


def _directions(rest: Floats, total: Floats) -> Floats:
    """Directions in which the rest is least beside the total, the least first, and that in which the total is largest.

    Where attributes are nearly proportional, the first kind is decided by what little is left beside the common size.
    """
    values, vectors = np.linalg.eigh(total)
    varied = values > FLAT * values.max(initial=0.0)
    whiten = vectors[:, varied] / np.sqrt(values[varied])
    directions: Floats = (whiten @ np.linalg.eigh(whiten.T @ rest @ whiten)[1]).T[:AXES]
    if varied.sum() < 2:
        return directions
    return np.vstack([directions, whiten[:, -1]])


def _with_density(axis: JointAxis, trials: Sequence[MaskedAgain]) -> JointAxis:
    """The axis with the density of the distances that records have from their rows in the trials."""
    distances, most = [], 1
    for before, after, rows in trials:
        predicted, levels, _ = axis.positions(before, rows)
        start, end = nearest_level(predicted, levels), nearest_level(after @ axis.direction, levels)
        both = (start != UNKNOWN) & (end != UNKNOWN)
        distances.append(np.abs(start - end)[both])
        most = max(most, len(levels))
    distance = np.concatenate(distances)
    # Steps double in width: far distances are rare, and their exact size matters little.
    edges = np.unique(np.concatenate([[0, 1, 2, 3], 3 + np.cumsum(2 ** np.arange(0, 12, 0.5)).astype(np.int64)]))
    edges = np.concatenate([edges[edges < most], [most]])
    counts = np.histogram(distance, bins=edges)[0] + 0.5
    density = counts / counts.sum() / np.diff(edges)
    at = np.arange(most)
    middle = (edges[:-1] + edges[1:] - 1) / 2
    smooth = np.exp(np.interp(at, middle, np.log(density)))
    smooth[1:] /= 2  # on either side
    mixed = (1 - BACKGROUND) * smooth / smooth.sum() + BACKGROUND / most
    return JointAxis(axis.names, axis.constant, axis.slope, axis.direction, np.log(mixed))
