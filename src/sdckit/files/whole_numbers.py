"""Whole numbers of a file: the decimals to which means of them are published, decision 0003."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute
from sdckit.edits import Edits
from sdckit.files.infer_schema import is_temporal
from sdckit.microdata import Microdata, Role

UNITS = 10  # of the last digit in a standard deviation, at least: rounding then adds less than 0.1 % to the variance
FINEST = 6  # decimals
NEVER_AVERAGED = (Role.IDENTIFIER, Role.HOUSEHOLD)


def with_decimals_of_means(data: Microdata) -> Microdata:
    """The file with the decimals of each column of whole numbers, where no others are declared."""
    whole = [
        replace(each, mean_decimals=decimals_of_means(deviation_of(data.columns[each.name])))
        for each in data.attributes
        if is_rounded(each, data.edits) and not is_temporal(data, each.name)
    ]
    return data.with_columns({}, whole) if whole else data


def is_rounded(attribute: Attribute, edits: Edits) -> bool:
    """Whether means of a column are rounded: whole numbers without declared decimals that no edit binds to others."""
    plain = attribute.integral and not attribute.coded and attribute.decimals is None
    bound = any(attribute.name in edit.attributes for edit in edits if len(edit.attributes) > 1)
    return plain and not bound and attribute.role not in NEVER_AVERAGED


def deviation_of(values: NDArray[np.float64]) -> float:
    """The standard deviation of the values that are not missing."""
    present = values[~np.isnan(values)]
    return float(present.std()) if len(present) else 0.0


def decimals_of_means(deviation: float) -> int:
    """The decimals to which means of whole numbers are rounded: none where the numbers differ by tens.

    >>> decimals_of_means(18.0), decimals_of_means(1.2), decimals_of_means(0.0)
    (0, 1, 0)
    """
    return next((digits for digits in range(FINEST) if deviation * 10**digits >= UNITS), FINEST) if deviation else 0
