"""Households: which attributes describe a household, one row for each household, and values that its members share.

The household of a record is given by the columns of the role household; a record without one is a household of its own.
An attribute is one of the household where the schema declares it (`level = "household"`), or where its values are equal
within every household that has two or more of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Level, Role
from sdckit.errors import SchemaError
from sdckit.microdata import Microdata

FEWEST = 5  # households with two values or more from which on equal values are no coincidence
DESCRIBING = (Role.KEY, Role.CONFIDENTIAL, Role.OTHER)  # roles of attributes that can describe a household


@dataclass(frozen=True)
class HouseholdValues:
    """How the values of one attribute agree within the households of a file.

    `several`    households in which two or more members have a value
    `differing`  those of them in which the values differ
    """

    several: int
    differing: int


def require_households(data: Microdata, method: str) -> None:
    """Refuse a file that does not show who lives together."""
    if not data.names(role=Role.HOUSEHOLD):
        raise SchemaError(
            f"{method} on household level: no column of the file has the role household; declare the household number "
            'in the schema (role = "household")'
        )


def agreement(data: Microdata, name: str, units: NDArray[np.int64] | None = None) -> HouseholdValues:
    """How the values of an attribute agree within households; a missing value agrees with any."""
    units = data.units() if units is None else units
    several, differing = _by_household(data, name, units)
    return HouseholdValues(int(several.sum()), int(differing.sum()))


def differs_within(data: Microdata, name: str, units: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The households in which two members have different values."""
    return _by_household(data, name, units)[1]


def _by_household(data: Microdata, name: str, units: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    present = ~data.absent(name)
    count = int(units.max(initial=-1)) + 1
    members = np.bincount(units[present], minlength=count)
    least = np.full(count, np.inf)
    most = np.full(count, -np.inf)
    values = data.columns[name].astype(np.float64)
    np.minimum.at(least, units[present], values[present])
    np.maximum.at(most, units[present], values[present])
    several = members > 1
    return several, several & (least < most)


def declared_or_equal(data: Microdata) -> dict[str, bool]:
    """The attributes of the households of a file, each with whether the schema declares it as one."""
    if not data.names(role=Role.HOUSEHOLD):
        return {}
    units = data.units()
    found = {}
    for each in data.attributes:
        if each.role not in DESCRIBING or each.level is Level.RECORD:
            continue
        if each.level is Level.HOUSEHOLD:
            found[each.name] = True
            continue
        values = agreement(data, each.name, units)
        if values.several >= FEWEST and not values.differing:
            found[each.name] = False
    return found


def household_attributes(data: Microdata) -> tuple[str, ...]:
    """The attributes of the households of a file: declared as such, or equal within every household."""
    return tuple(declared_or_equal(data))


def refuse_differing(data: Microdata, names: Sequence[str], method: str) -> None:
    """Refuse an attribute whose values differ within a household: there is no one value to mask."""
    units = data.units()
    for name in names:
        found = agreement(data, name, units)
        if found.differing:
            raise SchemaError(
                f"{method} on household level cannot mask {name!r}: its values differ within {found.differing:,} of "
                f"the {found.several:,} households that have several; mask it on record level, or make the values "
                "equal first"
            )


def one_row_each(data: Microdata, units: NDArray[np.int64], names: Sequence[str]) -> Microdata:
    """One row for each household: its first member, with the first value there is of each of these attributes."""
    first = np.unique(units, return_index=True)[1]
    columns: dict[str, NDArray[Any]] = {}
    for name in names:
        absent = data.absent(name)
        if absent.any():
            order = np.lexsort((np.arange(len(units)), absent, units))
            columns[name] = data.columns[name][order[np.searchsorted(units[order], np.arange(len(first)))]]
    return replace(data.take(first).with_columns(columns), lineage=None)


def given_to_members(
    data: Microdata, units: NDArray[np.int64], before: Microdata, masked: Microdata, names: Sequence[str]
) -> Microdata:
    """The file with the masked value of its household for each member; a member without a value stays without one."""
    columns: dict[str, NDArray[Any]] = {}
    attributes = []
    for each in masked.attributes:
        name = each.name
        old, new = before.columns[name], masked.columns[name]
        if name not in names and np.array_equal(old, new, equal_nan=not each.coded):
            continue
        columns[name] = np.where(data.absent(name), -1 if each.coded else np.nan, new[units])
        attributes.append(each)
    return data.with_columns(columns, attributes)


def members_of(data: Microdata, units: NDArray[np.int64], before: Microdata, sample: Microdata) -> Microdata:
    """The members of the sampled households, their weights multiplied as that of the household's row was."""
    if sample.lineage is None:
        return data
    row_of = np.full(len(before), -1)
    row_of[sample.lineage] = np.arange(len(sample))
    rows = np.flatnonzero(row_of[units] >= 0)
    drawn = data.take(rows)
    own = row_of[units[rows]]
    columns = {}
    for name in data.names(role=Role.WEIGHT):
        if not data.attribute(name).coded:
            old, new = before.columns[name][units[rows]], sample.columns[name][own]
            with np.errstate(divide="ignore", invalid="ignore"):
                factor = np.where((old != 0) & np.isfinite(new / old), new / old, 1.0)
            columns[name] = drawn.columns[name] * factor
    return drawn.with_columns(columns)
