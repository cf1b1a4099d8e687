"""Holes: no masking fills a value that is missing, so a hole of the original is a hole of the record's row.

Where no step suppresses values of the attribute, a row has a hole only where its record has one. An intruder who knows
the original's values knows its holes too; one who merely lacks some values, or who has a file of another source, does
not know whether a hole is the original's.
"""

from collections.abc import Container

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Block, Equality
from sdckit.laws.release_law import RowClasses
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe

VALUE, HOLE = 0, 1


def knows_holes(view: AttackerView) -> bool:
    """Whether a value that the intruder does not have is one that the original does not have."""
    return not view.holes and (view.exact or bool(view.error))


def suppressed_attributes(recipe: Recipe, released: Microdata) -> set[str]:
    """The attributes of which a step of the recipe suppresses values."""
    return {
        name
        for step, names in zip(recipe.steps, recipe.touched(released), strict=True)
        for name in names
        if step.masking.suppresses
    }


def hole_blocks(view: AttackerView, rows: RowClasses, suppressed: Container[str] = ()) -> list[Block]:
    """For each attribute with missing values: a record's row has a hole, or a value, as the record has.

    Of the attributes in `suppressed`, a row may have a hole where its record has a value.
    """
    if not knows_holes(view):
        return []
    blocks: list[Block] = []
    for name in view.attributes:
        known, released = view.known.absent(name), view.released.absent(name)[rows.first]
        if not known.any() and not released.any():
            continue
        of_record = np.where(known, HOLE, UNKNOWN if name in suppressed else VALUE).astype(np.int64)
        of_row = np.where(released, HOLE, VALUE).astype(np.int64)
        blocks.append(Equality((name,), of_record, of_row, np.full(len(rows.sizes), -np.inf)))
    return blocks
