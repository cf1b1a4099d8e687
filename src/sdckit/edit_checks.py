"""The edits of a file checked on its records, and on those of a masked file beside it."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.edits import BrokenEdit, CategoryColumn, EditColumns, EditComparison, Edits, RecordCondition, numbers_of
from sdckit.microdata import Attribute, Kind, Microdata

ON_THE_GRID = 1e-6  # of a unit: a float that was rounded differs from a multiple of the unit by less


def broken_edits(data: Microdata) -> tuple[BrokenEdit, ...]:
    """The edits that records of a file break, and how many records."""
    names = attributes_of(data.edits, data)
    return data.edits.broken(edit_columns(data, names), rounding_units(data, names))


def compare_edits(original: Microdata, masked: Microdata) -> tuple[EditComparison, ...]:
    """Each edit of the original whose attributes were released, with the records that break it before and after."""
    names = [name for name in attributes_of(original.edits, original) if name in masked]
    before, after = (edit_columns(file, names) for file in (original, masked))
    return original.edits.compared(before, after, rounding_units(original, names), rounding_units(masked, names))


def violations(edits: Iterable[RecordCondition], data: Microdata) -> NDArray[np.bool_]:
    """Which records break which edits, one column per edit, all of whose attributes the file has."""
    edits = tuple(edits)
    names = attributes_of(Edits(edits), data)
    columns, units = edit_columns(data, names), rounding_units(data, names)
    broken = np.zeros((len(data), len(edits)), dtype=bool)
    for index, edit in enumerate(edits):
        broken[:, index] = edit.violations(columns, units=units)
    return broken


def edit_columns(data: Microdata, names: Iterable[str]) -> EditColumns:
    """Columns as edits read them: numbers, or categories with their order."""
    return {name: _column(data, name) for name in names}


def _column(data: Microdata, name: str) -> NDArray[Any] | CategoryColumn:
    attribute = data.attribute(name)
    if attribute.categories is None:
        return data.columns[name]
    return CategoryColumn(data.columns[name], attribute.categories, bool(attribute.kind & Kind.ORDERED))


def attributes_of(edits: Edits, data: Microdata) -> tuple[str, ...]:
    """The attributes of a file that edits name, each once."""
    return tuple(dict.fromkeys(name for edit in edits for name in edit.attributes if name in data))


def numbers(data: Microdata, name: str) -> NDArray[np.float64]:
    """A column as numbers: NaN where a value is missing, or is a category that is not a number, such as an interval."""
    return numbers_of(_column(data, name))


def rounding_units(data: Microdata, names: Iterable[str]) -> dict[str, float]:
    """The unit of each attribute that is rounded: continuous, with declared decimals or integers, and on that grid.

    A discrete attribute is a count and therefore exact: members = adults + children is broken if it is off by one.
    """
    units = {}
    for name in names:
        unit = _declared_unit(data.attribute(name))
        if unit is not None:
            multiples = data.columns[name][~data.absent(name)] / unit
            if bool((np.abs(multiples - np.rint(multiples)) < ON_THE_GRID).all()):
                units[name] = unit
    return units


def _declared_unit(attribute: Attribute) -> float | None:
    if attribute.coded or not attribute.kind & Kind.CONTINUOUS:
        return None
    decimals = 0 if attribute.integral else attribute.decimals
    return None if decimals is None else 10.0**-decimals
