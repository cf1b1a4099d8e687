"""Predictors: the attributes that synthetic values are conditional on, as the columns of a regression."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.microdata import Microdata, Role

BY_DEFAULT = (Role.KEY, Role.CONFIDENTIAL, Role.WEIGHT)
NEVER = (Role.IDENTIFIER, Role.HOUSEHOLD)


def predictor_names(
    method: str, data: Microdata, replaced: Sequence[str], given: Sequence[str] | None
) -> tuple[str, ...]:
    """The attributes named in `given`, checked; where it is None, the other keys, confidential ones and weights."""
    if given is None:
        others = [name for name in data.names(role=BY_DEFAULT) if name not in replaced]
        return tuple(name for name in others if data.missing(name) < len(data))
    for name in given:
        if data.attribute(name).role in NEVER:
            raise SchemaError(
                f"{method}: given names {name!r}, which is {data.attribute(name).role.value}; leave it out"
            )
        if data.missing(name) == len(data):
            raise SchemaError(f"{method}: {name!r}, named in given, has no values at all; leave it out")
        if name in replaced:
            raise SchemaError(f"{method}: {name!r} is replaced and cannot be among the given attributes; leave it out")
    repeated = [name for name in given if list(given).count(name) > 1]
    if repeated:
        raise SchemaError(f"{method}: given names {repeated[0]!r} twice; name it once")
    return tuple(given)


def predictor_columns(data: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
    """Numbers unchanged, and for a categorical attribute an indicator of each category that occurs but the first.

    A missing number counts as the mean and has an indicator of its own, so that a regression on these columns is one on
    the observed values; a missing category is a category.
    """
    columns: list[NDArray[np.float64]] = []
    for name in names:
        column = data.columns[name]
        if data.attribute(name).coded:
            columns += [(column == code).astype(np.float64) for code in np.unique(column)[1:]]
            continue
        absent = np.isnan(column)
        columns.append(np.where(absent, column[~absent].mean(), column) if absent.any() else column)
        if absent.any():
            columns.append(absent.astype(np.float64))
    return np.column_stack(columns) if columns else np.empty((len(data), 0))
