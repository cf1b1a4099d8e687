"""The edits of a file checked on its records, and on those of a masked file beside it."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sdckit.edits import BrokenEdit, EditComparison, Edits
from sdckit.microdata import Attribute, Kind, Microdata

ON_THE_GRID = 1e-6  # of a unit: a float that was rounded differs from a multiple of the unit by less


def broken_edits(data: Microdata) -> tuple[BrokenEdit, ...]:
    """The edits that records of a file break, and how many records."""
    names = attributes_of(data.edits, data)
    return data.edits.broken({name: numbers(data, name) for name in names}, rounding_units(data, names))


def compare_edits(original: Microdata, masked: Microdata) -> tuple[EditComparison, ...]:
    """Each edit of the original whose attributes were released, with the records that break it before and after."""
    names = [name for name in attributes_of(original.edits, original) if name in masked]
    before, after = ({name: numbers(file, name) for name in names} for file in (original, masked))
    return original.edits.compared(before, after, rounding_units(original, names), rounding_units(masked, names))


def attributes_of(edits: Edits, data: Microdata) -> tuple[str, ...]:
    """The attributes of a file that edits name, each once."""
    return tuple(dict.fromkeys(name for edit in edits for name in edit.terms if name in data))


def numbers(data: Microdata, name: str) -> NDArray[np.float64]:
    """A column as numbers: NaN where a value is missing, or is a category that is not a number, such as an interval."""
    categories = data.attribute(name).categories
    if categories is None:
        return data.columns[name]
    values = np.array([*map(_as_number, categories), np.nan])
    column: NDArray[np.float64] = values[data.columns[name]]
    return column


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


def _as_number(category: object) -> float:
    return float(category) if isinstance(category, int | float) and not isinstance(category, bool) else np.nan
