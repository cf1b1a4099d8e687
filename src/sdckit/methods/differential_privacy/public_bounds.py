"""Bounds of attributes that are public: from the parameters or the declared ranges, never from the values."""

from collections.abc import Sequence

import numpy as np

from sdckit.errors import ParameterError, SchemaError
from sdckit.microdata import Microdata

LOWER = "smallest possible value of each attribute, in the order named; none: as declared by the edits of the schema"
UPPER = "largest possible value of each attribute, in the order named; none: as declared by the edits of the schema"


def public_bounds(
    method: str, data: Microdata, names: Sequence[str], lower: Sequence[float], upper: Sequence[float]
) -> dict[str, tuple[float, float]]:
    """The bounds of each attribute; an error that names the cure where there are none, or the values cannot be used."""
    bounds = {}
    for index, name in enumerate(names):
        categories = data.attribute(name).categories
        if categories is not None:  # positions of public categories
            bounds[name] = (0.0, max(len(categories) - 1.0, 1.0))
            continue
        declared = data.edits.bound(name)
        low = _given(method, "lower", lower, index, len(names), declared[0])
        high = _given(method, "upper", upper, index, len(names), declared[1])
        if not (np.isfinite(low) and np.isfinite(high)):
            raise SchemaError(
                f"{method} needs public bounds of {name!r}, which must not be read off the data: give lower and upper, "
                f"or declare an edit such as '0 <= {name} <= 100'"
            )
        if low >= high:
            raise ParameterError(f"{method}: the bounds of {name!r} are {low:g} to {high:g}; lower must be below upper")
        bounds[name] = (float(low), float(high))
    return bounds


def _given(method: str, which: str, values: Sequence[float], index: int, attributes: int, declared: float) -> float:
    """The value for an attribute: its own, the one for all of them, or the declared one."""
    if not values:
        return declared
    if len(values) == 1:
        return values[0]
    if len(values) != attributes:
        raise ParameterError(
            f"{method}: {which} has {len(values)} values for {attributes} attributes; give one for each, or one for all"
        )
    return values[index]
