"""Released bands: a column of a masked file that has the texts of bands, read as the numbers that represent them."""

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute
from sdckit.bands import Bands
from sdckit.errors import SdcError
from sdckit.microdata import Microdata, same_value

if TYPE_CHECKING:
    from sdckit.recipe import Recipe


@runtime_checkable
class RecodesToBands(Protocol):
    """A masking that publishes the band of each value."""

    def bands_of(self, data: Microdata, name: str) -> Bands:
        """The bands of one attribute of the original."""
        ...


def banded(attribute: Attribute, bands: Bands) -> Attribute:
    """The attribute after recoding: its numbers represent bands, so they have neither decimals nor labels."""
    return replace(attribute, bands=bands, integral=False, decimals=None, mean_decimals=None, value_labels={})


def read_bands(masked: Microdata, original: Microdata, recipe: "Recipe") -> Microdata:
    """The masked file with numbers instead of the texts of bands, where the recipe says what the bands are.

    A column that has other texts, as after a change by hand, is left unchanged.
    """
    columns: dict[str, NDArray[Any]] = {}
    attributes = []
    for step, names in zip(recipe.steps, recipe.touched(original), strict=True):
        if not isinstance(step.masking, RecodesToBands):
            continue
        for name in names:
            if name not in masked or masked.attribute(name).bands is not None:
                continue
            with suppress(SdcError):  # the recipe is that of another file: the column is compared as it is
                bands = step.masking.bands_of(original, name)
                column = representing(masked.attribute(name), masked.columns[name], original.attribute(name), bands)
                if column is not None:
                    columns[name] = column
                    attributes.append(banded(original.attribute(name), bands))
    return masked.with_columns(columns, attributes) if attributes else masked


def representing(released: Attribute, column: NDArray[Any], original: Attribute, bands: Bands) -> NDArray[Any] | None:
    """The numbers of a column for its texts; None where a text is none of the bands and no value of the original."""
    codes = {same_value(category): code for code, category in enumerate(original.categories or ())}
    values, index = np.unique(column, return_inverse=True)
    numbers = []
    for each in values.tolist():
        if each < 0 if released.coded else np.isnan(each):
            numbers.append(-1.0 if original.coded else np.nan)
            continue
        text = same_value(released.categories[int(each)] if released.categories is not None else each)
        number = bands.number_of.get(text)
        if number is None and None in bands.labels:
            number = codes.get(text) if original.coded else _number(text)
        if number is None:
            return None
        numbers.append(number)
    found = np.array(numbers)[index]
    return found.astype(np.int32) if original.coded else found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
