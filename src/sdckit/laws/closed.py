"""Closed laws: the distributions that a published method and its parameters give without any replay."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import HasLaw, HasRowLaw
from sdckit.intruder import AttackerView
from sdckit.kernels.row_constraints import present_values
from sdckit.laws.blocks import UNKNOWN, Block, Deviations, Equality, Floats, Intervals, Table
from sdckit.laws.release_law import RowClasses
from sdckit.likelihood import FactorLaw, NeighbourLaw, TransitionLaw, UniformLaw
from sdckit.masking import Masking
from sdckit.microdata import Microdata
from sdckit.normal_law import ClusterNormalLaw, NormalLaw, whitening

CELLS = 4_000_000  # pairs of distinct values up to which rounding and clipping are computed exactly
COARSE = 8.0  # units of rounding that a standard deviation has at least for rounding not to matter
ROUNDED = 1e-6  # probability that a sign or a zero changed by rounding


def closed_blocks(
    masking: Masking, view: AttackerView, masked: Sequence[str], rows: RowClasses
) -> tuple[list[Block], bool] | None:
    """The blocks of a masking's closed law, and whether they are exact; None where it has none for what is known."""
    names = [name for name in masked if name in view.attributes]
    if isinstance(masking, HasRowLaw) and (found := _about_rows(masking, view, masked, names, rows)) is not None:
        return found
    if not isinstance(masking, HasLaw) or not (masking.columnwise or len(names) == len(masked)):
        return None
    whole = view.everyone and view.exact
    law = masking.law(view.released.only(names), view.known.only(names) if whole else None)
    if isinstance(law, NormalLaw):
        return _normal(masking, law, view, names, rows)
    if isinstance(law, ClusterNormalLaw):
        if len(law.means) * len(rows.sizes) > CELLS:
            return None
        table = law.by_cluster(view.released.matrix(names)[rows.first])
        return [Table(tuple(names), table, law.of_record, np.arange(len(rows.sizes)))], False
    if isinstance(law, FactorLaw):
        return [block for name in names for block in _factor(law, view, name, rows)], False
    if isinstance(law, TransitionLaw):
        tables = zip(names, law.log_probability, strict=True)
        return [_transition(table, view, name, rows) for name, table in tables], whole and law.independent
    if isinstance(law, NeighbourLaw):
        return [block for name in names for block in _neighbours(law, view, name, rows)], True
    if isinstance(law, UniformLaw):
        fine = [_uniform(masking, view, name, width, rows) for name, width in zip(names, law.half_width, strict=True)]
        return [block for block, _ in fine], whole and all(exact for _, exact in fine)
    return None


def _normal(
    masking: Masking, law: NormalLaw, view: AttackerView, names: Sequence[str], rows: RowClasses
) -> tuple[list[Block], bool] | None:
    """Normal deviations; rounding and clipping are exact where values are few enough, or without effect."""
    before, after = view.known.matrix(names), view.released.matrix(names)[rows.first]
    image, row = np.nan_to_num(before - law.centre) @ law.slope, after - law.centre
    image[np.isnan(before)] = np.nan
    free = all(_free(masking, view.released, name) for name in names)
    if np.count_nonzero(law.noise - np.diag(np.diag(law.noise))):
        if np.isnan(before).any():
            return None
        whiten = whitening(law.noise)
        size = float(np.linalg.slogdet(whiten)[1]) + sum(_log_cell(masking, view.released, name) for name in names)
        return [Deviations(tuple(names), image @ whiten, row @ whiten, constant=size)], free
    deviation = np.sqrt(np.diag(law.noise))
    blocks: list[Block] = []
    exact = True
    for index, name in enumerate(names):
        mean = image[:, index] + law.centre[index]
        fine = _fine(masking, view.released, name, float(deviation[index]))
        if not fine:
            table = _rounded(masking, view.released, name, mean, after[:, index], float(deviation[index]))
            if table is not None:
                blocks.append(table)
                continue
        exact &= fine
        scaled = image[:, [index]] / deviation[index], row[:, [index]] / deviation[index]
        size = _log_cell(masking, view.released, name) - float(np.log(deviation[index]))
        blocks.append(Deviations((name,), *scaled, constant=size))
    return blocks, exact


def _about_rows(
    masking: HasRowLaw, view: AttackerView, masked: Sequence[str], names: Sequence[str], rows: RowClasses
) -> tuple[list[Block], bool] | None:
    """Normal deviations of the record about a point of each row; rows that look the same share their mean point."""
    law = masking.row_law(view.released, masked)
    known = view.known.matrix(names)
    if law is None or np.isnan(known).any():
        return None
    index = [list(masked).index(name) for name in names]
    points = np.column_stack([np.bincount(rows.of, each) for each in law.means[:, index].T]) / rows.sizes[:, None]
    whiten = whitening(law.noise[np.ix_(index, index)])
    centre = points.mean(axis=0)
    return [Deviations(tuple(names), (known - centre) @ whiten, (points - centre) @ whiten)], False


def _log_cell(masking: Masking, released: Microdata, name: str) -> float:
    """The log of what turns the exponential of −½ of a square into the probability of a published value."""
    decimals = masking.decimals(released.attribute(name))
    return -0.5 * float(np.log(2 * np.pi)) - (0.0 if decimals is None else decimals * float(np.log(10)))


def _free(masking: Masking, released: Microdata, name: str) -> bool:
    """Whether values are published as drawn: neither rounded nor clipped."""
    low, high = released.edits.bound(name)
    return masking.decimals(released.attribute(name)) is None and np.isinf(low) and np.isinf(high)


def _fine(masking: Masking, released: Microdata, name: str, deviation: float) -> bool:
    """Whether rounding is too fine to matter and nothing is clipped."""
    low, high = released.edits.bound(name)
    decimals = masking.decimals(released.attribute(name))
    unit = 0.0 if decimals is None else 10.0**-decimals
    return deviation >= COARSE * unit and bool(np.isinf(low) and np.isinf(high))


def _rounded(
    masking: Masking, released: Microdata, name: str, mean: Floats, after: Floats, deviation: float
) -> Table | None:
    """The probability of each rounded and clipped value; None where there are too many values."""
    from scipy.special import log_ndtr, ndtr

    decimals = masking.decimals(released.attribute(name))
    means, of_record = np.unique(mean, return_inverse=True)
    values, of_row = np.unique(after, return_inverse=True)
    if decimals is None or len(means) * len(values) > CELLS:
        return None
    low, high = released.edits.bound(name)
    half = 0.5 * 10.0**-decimals
    upper = np.where(values + half > high, np.inf, values + half)
    lower = np.where(values - half < low, -np.inf, values - half)
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = ((edge[None, :] - means[:, None]) / max(deviation, 1e-300) for edge in (lower, upper))
        a, b = np.where(a > 0, -b, a), np.where(a > 0, -a, b)  # in the lower tail nothing cancels
        entries = np.where(ndtr(b) > ndtr(a), log_ndtr(b) + np.log1p(-np.exp(log_ndtr(a) - log_ndtr(b))), -np.inf)
    entries[:, np.isnan(values)] = -np.inf
    return Table((name,), entries, np.where(np.isnan(mean), UNKNOWN, of_record), of_row)


def _factor(law: FactorLaw, view: AttackerView, name: str, rows: RowClasses) -> list[Block]:
    """Normal deviations of the logarithm, and an equal sign."""
    known, released = view.known.columns[name], view.released.columns[name][rows.first]
    deviation = max(np.sqrt(law.variance), 1e-6)
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after = (np.log(np.abs(column)) / deviation for column in (known, released))
    before, after = before - np.sqrt(law.variance) / 2, after
    signs = [np.where(np.isnan(column), UNKNOWN, np.sign(np.nan_to_num(column)) + 1) for column in (known, released)]
    points = np.where(np.isinf(before), np.nan, before)[:, None], np.where(np.isinf(after), 0.0, after)[:, None]
    size = Deviations((name,), *points, constant=-float(np.log(deviation)))
    doubt = np.full(len(released), np.log(ROUNDED))
    return [size, Equality((name,), signs[0].astype(np.int64), signs[1].astype(np.int64), doubt)]


def _neighbours(law: NeighbourLaw, view: AttackerView, name: str, rows: RowClasses) -> list[Block]:
    """Only the two neighbouring multiples are possible, so that a table by their numbers modulo 3 says which is which.

    A table by the multiples themselves would have as many columns as these.
    """
    known, multiple = view.known.matrix([name])[:, 0], law.multiple(view.released.matrix([name])[:, 0][rows.first])
    below, up = law.position(known)
    categories = view.released.attribute(name).categories
    if categories is not None:
        return [_neighbouring_categories(law, known, view.released.columns[name][rows.first], len(categories), name)]
    ends = np.nan_to_num(below, nan=-np.inf)[:, None], np.nan_to_num(below + 1, nan=np.inf)[:, None]
    near = Intervals((name,), *ends, present_values(multiple[:, None], None))
    shares, of_record = np.unique(up, return_inverse=True)
    entries = np.full((len(shares), 3, 4), -np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        for start in range(3):
            entries[:, start, start] = np.log1p(-shares)
            entries[:, start, (start + 1) % 3] = np.log(shares)
    missing = np.isnan(known)
    line = np.where(missing, UNKNOWN, 3 * of_record + np.nan_to_num(below).astype(np.int64) % 3)
    column = np.where(np.isnan(multiple), 3, np.nan_to_num(multiple).astype(np.int64) % 3)
    return [near, Table((name,), entries.reshape(-1, 4), line, column)]


def _neighbouring_categories(
    law: NeighbourLaw, known: Floats, released: NDArray[np.generic], categories: int, name: str
) -> Table:
    """The probability of each category for each position: that of the nearest one to a multiple of the base."""
    positions, of_record = np.unique(known, return_inverse=True)
    below, up = law.position(positions)
    probability = np.zeros((len(positions), categories + 1))
    for step, share in ((0, 1 - up), (1, up)):
        nearest = np.clip(np.rint(np.nan_to_num((below + step) * law.base)), 0, categories - 1).astype(np.int64)
        probability[np.arange(len(positions)), nearest] += share
    with np.errstate(divide="ignore"):
        entries = np.log(probability)
    codes = released.astype(np.int64)
    return Table(
        (name,), entries, np.where(np.isnan(known), UNKNOWN, of_record), np.where(codes < 0, categories, codes)
    )


def _uniform(masking: Masking, view: AttackerView, name: str, width: float, rows: RowClasses) -> tuple[Block, bool]:
    """Equally likely within the width, and whether that is exact: values are neither coarse nor clipped."""
    known, released = view.known.matrix([name])[:, 0], view.released.matrix([name])[:, 0][rows.first]
    decimals = masking.decimals(view.released.attribute(name))
    reach = width * (1 + ROUNDED) + (0.0 if decimals is None else 0.5 * 10.0**-decimals)
    low, high = view.released.edits.bound(name)
    lower, upper = (np.clip(known + side * reach, low, high) for side in (-1, 1))
    missing = np.isnan(known)
    ends = np.where(missing, -np.inf, lower)[:, None], np.where(missing, np.inf, upper)[:, None]
    return Intervals((name,), *ends, present_values(released[:, None], None)), _fine(
        masking, view.released, name, width
    )


def _transition(table: Floats, view: AttackerView, name: str, rows: RowClasses) -> Table:
    """The probability that one category becomes another; a hole where the record has a value is impossible."""
    known = view.known.columns[name].astype(np.int64)
    released = view.released.columns[name].astype(np.int64)[rows.first]
    entries = np.pad(table, ((0, max(int(known.max(initial=0)) + 1 - len(table), 0)), (0, 0)))
    columns = max(int(released.max(initial=0)) + 1, table.shape[1])
    entries = np.pad(entries, ((0, 0), (0, columns + 1 - entries.shape[1])), constant_values=-np.inf)
    return Table((name,), entries, np.where(known < 0, UNKNOWN, known), np.where(released < 0, columns, released))
