"""Normal noise as blocks: deviations, or tables where rounding, clipping or the record decide.

The intruder's own error in a known value adds to the noise.
"""

from collections.abc import Sequence

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Block, Deviations, Floats, Indices, Table
from sdckit.laws.release_law import RowClasses
from sdckit.likelihood import VaryingNoise
from sdckit.masking import Masking
from sdckit.microdata import Microdata
from sdckit.normal_law import NormalLaw, whitening

CELLS = 4_000_000  # pairs of distinct values up to which a table has a line for each record and a column for each row
COARSE = 8.0  # units of rounding that a standard deviation has at least for rounding not to matter
MEANS, DEVIATIONS, ROWS = 300, 10, 1_000  # steps of a larger table: of known values, of deviations, of released values


def normal_blocks(
    masking: Masking, law: NormalLaw, view: AttackerView, names: Sequence[str], rows: RowClasses
) -> tuple[list[Block], bool] | None:
    """Normal deviations; rounding and clipping are exact where values are few enough, or without effect."""
    before, after = view.known.matrix(names), view.released.matrix(names)[rows.first]
    image, row = np.nan_to_num(before - law.centre) @ law.slope, after - law.centre
    image[np.isnan(before)] = np.nan
    noise = law.noise
    if view.error:  # of the values that the intruder knows
        error = np.diag([known_error(view, name) ** 2 for name in names])
        noise = noise + law.slope.T @ error @ law.slope
    free = all(_free(masking, view.released, name) for name in names)
    if np.count_nonzero(noise - np.diag(np.diag(noise))):
        if np.isnan(before).any():
            return None
        whiten = whitening(noise)
        size = float(np.linalg.slogdet(whiten)[1]) + sum(_log_cell(masking, view.released, name) for name in names)
        return [Deviations(tuple(names), image @ whiten, row @ whiten, constant=size)], free
    deviation = np.sqrt(np.diag(noise))
    blocks: list[Block] = []
    exact = True
    for index, name in enumerate(names):
        mean = image[:, index] + law.centre[index]
        fine = is_fine(masking, view.released, name, float(deviation[index]))
        if not fine:
            table = rounded_table(masking, view.released, name, mean, after[:, index], float(deviation[index]))
            if table is not None:
                blocks.append(table)
                continue
        exact &= fine
        scaled = image[:, [index]] / deviation[index], row[:, [index]] / deviation[index]
        size = _log_cell(masking, view.released, name) - float(np.log(deviation[index]))
        blocks.append(Deviations((name,), *scaled, constant=size))
    return blocks, exact


def _log_cell(masking: Masking, released: Microdata, name: str) -> float:
    """The log of what turns the exponential of −½ of a square into the probability of a published value."""
    decimals = masking.decimals(released.attribute(name))
    return -0.5 * float(np.log(2 * np.pi)) - (0.0 if decimals is None else decimals * float(np.log(10)))


def _free(masking: Masking, released: Microdata, name: str) -> bool:
    """Whether values are published as drawn: neither rounded nor clipped."""
    low, high = released.edits.bound(name)
    return masking.decimals(released.attribute(name)) is None and np.isinf(low) and np.isinf(high)


def is_fine(masking: Masking, released: Microdata, name: str, deviation: float) -> bool:
    """Whether rounding is too fine to matter and nothing is clipped."""
    low, high = released.edits.bound(name)
    decimals = masking.decimals(released.attribute(name))
    unit = 0.0 if decimals is None else 10.0**-decimals
    return deviation >= COARSE * unit and bool(np.isinf(low) and np.isinf(high))


def rounded_table(
    masking: Masking, released: Microdata, name: str, mean: Floats, after: Floats, deviation: float | Floats
) -> Table | None:
    """The probability of each rounded and clipped value; None where there are too many values."""
    decimals = masking.decimals(released.attribute(name))
    if decimals is None:
        return None
    low, high = released.edits.bound(name)
    half = 0.5 * 10.0**-decimals
    lower = np.where(after - half < low, -np.inf, after - half)
    upper = np.where(after + half > high, np.inf, after + half)
    return interval_table(name, mean, np.broadcast_to(deviation, mean.shape), lower, upper)


def interval_table(name: str, mean: Floats, deviation: Floats, lower: Floats, upper: Floats) -> Table | None:
    """The probability that a normal value of each record lies in the interval of each row; None for too many pairs.

    A mean that is not known says nothing, and no value lies in an interval that is NaN.
    """
    from scipy.special import log_ndtr, ndtr

    points, of_record = _distinct(mean, deviation)
    ends, of_row = _distinct(lower, upper)
    if len(points) * len(ends) > CELLS:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.maximum(points[:, 1], 1e-300)[:, None]
        a, b = ((ends[:, side][None, :] - points[:, :1]) / scale for side in (0, 1))
        a, b = np.where(a > 0, -b, a), np.where(a > 0, -a, b)  # in the lower tail nothing cancels
        entries = np.where(ndtr(b) > ndtr(a), log_ndtr(b) + np.log1p(-np.exp(log_ndtr(a) - log_ndtr(b))), -np.inf)
    entries[:, np.isnan(ends).any(axis=1)] = -np.inf
    return Table((name,), entries, np.where(np.isnan(mean), UNKNOWN, of_record), of_row)


def varying_noise_blocks(
    masking: Masking, law: VaryingNoise, view: AttackerView, names: Sequence[str], rows: RowClasses
) -> list[Block]:
    """Normal noise whose standard deviation depends on the record, with the intruder's own error; exact if small."""
    before, after = view.known.matrix(names), view.released.matrix(names)[rows.first]
    deviations = law.deviations(before)
    blocks: list[Block] = []
    for index, name in enumerate(names):
        deviation = np.hypot(deviations[:, index], known_error(view, name))
        mean, row = before[:, index], after[:, index]
        coarse = not is_fine(masking, view.released, name, float(deviation.min(initial=np.inf)))
        table = rounded_table(masking, view.released, name, mean, row, deviation) if coarse else None
        blocks.append(_density_table(name, mean, deviation, row) if table is None else table)
    return blocks


def _density_table(name: str, mean: Floats, deviation: Floats, after: Floats) -> Table:
    """The density of each row for each record; in a large file near values share a line or a column."""
    points, of_record = _distinct(mean, deviation)
    values, of_row = np.unique(after, return_inverse=True)
    if len(points) * len(values) > CELLS:
        line = _step(mean, MEANS) * DEVIATIONS + _step(deviation, DEVIATIONS)
        used, of_record = np.unique(line, return_inverse=True)
        points = np.column_stack([_mean_by(each, of_record, len(used)) for each in (mean, deviation)])
        used, of_row = np.unique(_step(after, ROWS), return_inverse=True)
        values = _mean_by(after, of_row, len(used))
        values[np.bincount(of_row[np.isnan(after)], minlength=len(used)) > 0] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):  # the line of records without a value
        entries = -0.5 * ((values[None, :] - points[:, :1]) / points[:, 1:]) ** 2 - np.log(points[:, 1:])
    entries[:, np.isnan(values)] = -np.inf
    return Table((name,), entries, np.where(np.isnan(mean), UNKNOWN, of_record), of_row)


def known_error(view: AttackerView, name: str) -> float:
    """The standard deviation of the error in known values of an attribute; categories have none."""
    if not view.error or view.released.attribute(name).coded:
        return 0.0
    # The known values have the variance of the original's and that of the error.
    return view.error / float(np.sqrt(1 + view.error**2)) * float(np.nanstd(view.known.columns[name]))


def _distinct(one: Floats, other: Floats) -> tuple[Floats, Indices]:
    """The distinct pairs, and which of them each is."""
    values, of_one = np.unique(one, return_inverse=True)
    others, of_other = np.unique(other, return_inverse=True)
    pairs, of = np.unique(of_one.ravel() * len(others) + of_other.ravel(), return_inverse=True)
    return np.column_stack([values[pairs // len(others)], others[pairs % len(others)]]), of.ravel().astype(np.int64)


def _step(values: Floats, steps: int) -> Indices:
    """The number of the step of equally many values; a missing one is a step of its own."""
    seen = np.sort(values[~np.isnan(values)])
    ends = np.unique(seen[np.linspace(0, len(seen) - 1, steps + 1).astype(np.int64)]) if len(seen) else seen
    return np.where(np.isnan(values), steps, np.clip(np.searchsorted(ends, values, side="right") - 1, 0, steps - 1))


def _mean_by(values: Floats, of: Indices, count: int) -> Floats:
    seen = ~np.isnan(values)
    times = np.bincount(of[seen], minlength=count)
    return np.bincount(of[seen], weights=values[seen], minlength=count) / np.maximum(times, 1)
