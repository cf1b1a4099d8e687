"""Household numbers: in a file that leaves the house they show who lives together, and nothing else.

The number of a household is often that of a register, which identifies it, or counts through the original, so that it
puts shuffled rows back in order and links two releases.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Role
from sdckit.microdata import Microdata


def renumbered(data: Microdata) -> Microdata:
    """The file with its households numbered anew, from 1 in the order of its rows.

    >>> import polars
    >>> frame = polars.DataFrame({"home": ["H77", "H12", "H77"], "age": [31, 52, 8]})
    >>> renumbered(Microdata.from_frame(frame, roles={"home": "household"})).values("home").tolist()
    ['1', '2', '1']
    """
    names = data.names(role=Role.HOUSEHOLD)
    found = {name: new_numbers(data.attribute(name), data.columns[name]) for name in names}
    columns = {name: column for name, (column, _) in found.items()}
    return data.with_columns(columns, [attribute for _, attribute in found.values()]) if names else data


def new_numbers(attribute: Attribute, column: NDArray[Any]) -> tuple[NDArray[Any], Attribute]:
    """A column of household numbers with new ones in the order of the rows, and what it means now."""
    absent = column < 0 if attribute.coded else np.isnan(column)
    order = order_of_appearance(column[~absent])
    bare = replace(attribute, hierarchy=None, value_labels={}, bands=None, decimals=None)
    if attribute.categories is None:
        numbers = np.full(len(column), np.nan)
        numbers[~absent] = order + 1
        return numbers, bare
    codes = np.full(len(column), -1, dtype=np.int32)
    codes[~absent] = order
    counted = range(1, int(order.max(initial=-1)) + 2)
    as_text = any(isinstance(each, str) for each in attribute.categories)
    return codes, replace(bare, categories=tuple(map(str, counted) if as_text else counted))


def order_of_appearance(values: NDArray[Any]) -> NDArray[np.int64]:
    """For each value the number, from 0, of its kind in the order in which kinds appear.

    >>> order_of_appearance(np.array([7, 3, 7, 9])).tolist()
    [0, 1, 0, 2]
    """
    _, first, of = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[of]
