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
        if name in replaced:
            raise SchemaError(f"{method}: {name!r} is replaced and cannot be among the given attributes; leave it out")
    repeated = [name for name in given if list(given).count(name) > 1]
    if repeated:
        raise SchemaError(f"{method}: given names {repeated[0]!r} twice; name it once")
    return tuple(given)


def refuse_missing_predictors(method: str, data: Microdata, names: Sequence[str]) -> None:
    """Raise an error that names a predictor with missing values."""
    for name in names:
        if data.missing(name):
            raise SchemaError(
                f"{method} cannot condition on {name!r}: {data.missing(name)} of its {len(data)} values are missing; "
                "list the other attributes in given, or fill or drop them first"
            )


def predictor_columns(data: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
    """Numbers unchanged, and for a categorical attribute an indicator of each category that occurs but the first."""
    columns: list[NDArray[np.float64]] = []
    for name in names:
        column = data.columns[name]
        if data.attribute(name).coded:
            columns += [(column == code).astype(np.float64) for code in np.unique(column)[1:]]
        else:
            columns.append(column)
    return np.column_stack(columns) if columns else np.empty((len(data), 0))
