"""Closed laws: the distributions that a published method and its parameters give without any replay."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Level
from sdckit.capabilities import HasLaw, HasMixtureLaw, HasRowLaw
from sdckit.intruder import AttackerView
from sdckit.kernels.row_constraints import present_values
from sdckit.laws.blocks import UNKNOWN, Block, Deviations, Equality, Floats, Indices, Intervals, Table
from sdckit.laws.household_files import needed, with_known_households
from sdckit.laws.normal_blocks import CELLS, is_fine, normal_blocks, varying_noise_blocks
from sdckit.laws.release_law import RowClasses
from sdckit.likelihood import (
    FactorLaw,
    Law,
    NeighbourLaw,
    RecordTableLaw,
    RecordTransitionLaw,
    TableLaw,
    TransitionLaw,
    UniformLaw,
    VaryingNoise,
)
from sdckit.masking import Masking
from sdckit.normal_law import ClusterNormalLaw, NormalLaw, whitening

EXACT = 2_000  # records up to which noise that depends on the record has an exact table
ROUNDED = 1e-6  # probability that a sign or a zero changed by rounding


def closed_blocks(
    masking: Masking, view: AttackerView, masked: Sequence[str], rows: RowClasses, *, sampled: bool = False
) -> tuple[list[Block], bool] | None:
    """The blocks of a masking's closed law, and whether they are exact; None where it has none for what is known.

    Where the file was `sampled` before, what depends on the file that entered is estimated from the release.
    """
    names = [name for name in masked if name in view.attributes]
    if isinstance(masking, HasRowLaw) and (found := _about_rows(masking, view, masked, names, rows)) is not None:
        return found
    if isinstance(masking, HasMixtureLaw) and len(names) == len(masked) and not view.error:
        found_mixture = _mixture(masking, view, masked, rows, sampled=sampled)
        if found_mixture is not None:
            return found_mixture
    if not isinstance(masking, HasLaw) or not (masking.columnwise or len(names) == len(masked)):
        return None
    whole = view.everyone and view.exact and not sampled
    also = [name for name in needed(masking, view, tuple(masked)) if name not in names]
    whole &= set(also) <= set(view.attributes) and not (also and view.holes)
    together = masking.acts_on is Level.HOUSEHOLD
    known = with_known_households(view) if together and whole else view.known
    original = masking.read_by_law(known, [*names, *also]) if whole else None
    law = masking.law(masking.read_by_law(view.released, names), original)
    blocks = _blocks_of(law, masking, view, names, rows, whole=whole)
    return (blocks[0], False) if blocks is not None and together else blocks  # members of a household change together


def _blocks_of(
    law: Law | None, masking: Masking, view: AttackerView, names: Sequence[str], rows: RowClasses, *, whole: bool
) -> tuple[list[Block], bool] | None:
    """The blocks of a law, and whether they are exact; `whole` says that the file that entered is known."""
    if isinstance(law, NormalLaw):
        return normal_blocks(masking, law, view, names, rows)
    if isinstance(law, VaryingNoise):
        return varying_noise_blocks(masking, law, view, names, rows), whole and len(view) <= EXACT
    if isinstance(law, ClusterNormalLaw):
        if len(law.means) * len(rows.sizes) > CELLS:
            return None
        table = law.by_cluster(view.released.matrix(names)[rows.first])
        return [Table(tuple(names), table, law.of_record, np.arange(len(rows.sizes)))], False
    if isinstance(law, TransitionLaw):
        tables = zip(names, law.log_probability, strict=True)
        return [_transition(table, view, name, rows) for name, table in tables], whole and law.independent
    if isinstance(law, RecordTransitionLaw):
        by_class = zip(names, law.log_probability, strict=True)
        return [_transition_by_class(each, law.class_of, view, name, rows) for name, each in by_class], False
    if isinstance(law, RecordTableLaw):
        own = np.arange(len(view))
        return [Table(each.names, each.log_probability, own, each.of_row[rows.first]) for each in law.parts], True
    if view.error:  # the laws below are of values that are known exactly
        return None
    if isinstance(law, FactorLaw):
        return [block for name in names for block in _factor(law, view, name, rows)], False
    if isinstance(law, NeighbourLaw):
        return [block for name in names for block in _neighbours(law, view, name, rows)], True
    if isinstance(law, UniformLaw):
        fine = [_uniform(masking, view, name, width, rows) for name, width in zip(names, law.half_width, strict=True)]
        return [block for block, _ in fine], whole and all(exact for _, exact in fine)
    if isinstance(law, TableLaw) and not masking.columnwise:
        tables_of = law.tables(view.known.matrix(names), view.released.matrix(names)[rows.first])
        return [Table(tuple(names), *each) for each in tables_of], False
    return None


def _about_rows(
    masking: HasRowLaw, view: AttackerView, masked: Sequence[str], names: Sequence[str], rows: RowClasses
) -> tuple[list[Block], bool] | None:
    """Normal deviations of the record about a point of each row; rows that look the same share their mean point."""
    law = masking.row_law(view.released, masked, view.known.only(names))
    known = view.known.matrix(names)
    if law is None or np.isnan(known).any():
        return None
    index = [list(masked).index(name) for name in names]
    points = np.column_stack([np.bincount(rows.of, each) for each in law.means[:, index].T]) / rows.sizes[:, None]
    whiten = whitening(law.noise[np.ix_(index, index)])
    centre = points.mean(axis=0)
    return [Deviations(tuple(names), (known - centre) @ whiten, (points - centre) @ whiten)], False


def _mixture(
    masking: HasMixtureLaw, view: AttackerView, masked: Sequence[str], rows: RowClasses, *, sampled: bool
) -> tuple[list[Block], bool] | None:
    """A table of every record and class of rows; the rows of a class share their mean likelihood."""
    known = view.known.matrix(masked)
    if len(known) * len(view.released) > CELLS or np.isnan(known).any():
        return None
    read = {*masked, *masking.also_reads(view.released, masked)} if isinstance(masking, Masking) else set(masked)
    whole = view.everyone and view.exact and not sampled and read <= set(view.attributes) and not view.holes
    law = masking.mixture_law(view.released, masked, view.known, view.known if whole else None)
    if law is None:
        return None
    table = law.log_likelihood(known)
    if len(rows.sizes) < len(rows.of):
        order = np.argsort(rows.of, kind="stable")
        starts = np.concatenate([[0], np.cumsum(rows.sizes)[:-1]])
        table = np.logaddexp.reduceat(table[:, order], starts, axis=1) - np.log(rows.sizes)
    else:
        table = table[:, rows.first]
    return [Table(tuple(masked), table, np.arange(len(known)), np.arange(len(rows.sizes)))], False


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
    return Intervals((name,), *ends, present_values(released[:, None], None)), is_fine(
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


def _transition_by_class(tables: Floats, class_of: Indices, view: AttackerView, name: str, rows: RowClasses) -> Table:
    """The same with a table for each class of records, one below the other."""
    size = tables.shape[1]
    block = _transition(tables.reshape(-1, tables.shape[2]), view, name, rows)
    return replace(block, of_record=np.where(block.of_record < 0, UNKNOWN, class_of * size + block.of_record))
