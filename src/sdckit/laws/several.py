"""Several releases of one file: where it is known which rows belong to the same person, log-likelihoods add up."""

from dataclasses import replace

import numpy as np

from sdckit.laws.blocks import Block, Deviations, Equality, Indices, Intervals, Table
from sdckit.laws.release_law import ReleaseLaw, RowClasses

NO_ROW = -1


def joined(law: ReleaseLaw, other: ReleaseLaw, row_of: Indices) -> ReleaseLaw:
    """The law of a release beside another one; `row_of` gives the other's row of each row (−1: none, says nothing)."""
    theirs = np.where(row_of == NO_ROW, NO_ROW, other.rows.of[row_of])
    pairs, first, of, sizes = np.unique(
        np.column_stack([law.rows.of, theirs]), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    rows = RowClasses(of.ravel().astype(np.int64), sizes.astype(np.int64), first.astype(np.int64))
    blocks = [of_rows(block, pairs[:, 0]) for block in law.blocks]
    blocks += [of_rows(block, pairs[:, 1]) for block in other.blocks]
    exact, doubt = law.exact and other.exact, max(law.doubt, other.doubt)
    return replace(law, rows=rows, blocks=tuple(blocks), exact=exact, like=None, doubt=doubt)


def of_rows(block: Block, rows: Indices) -> Block:
    """The block for these classes of rows; −1 is a class that says nothing."""
    absent = rows == NO_ROW
    if isinstance(block, Table):
        column = block.entries.shape[1]
        entries = np.pad(block.entries, ((0, 0), (0, 1)))
        return replace(block, entries=entries, of_row=np.where(absent, column, block.of_row[rows]))
    if isinstance(block, Equality):
        unequal = np.where(absent, 0.0, block.unequal[rows])
        return replace(block, of_row=np.where(absent, NO_ROW, block.of_row[rows]), unequal=unequal)
    values = np.where(absent[:, None], np.nan, block.of_row[rows])
    if isinstance(block, Intervals) or not absent.any():
        return replace(block, of_row=values)
    return replace(block, of_row=values, hole=0.0) if isinstance(block, Deviations) else block
