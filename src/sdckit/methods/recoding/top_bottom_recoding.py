"""Top and bottom recoding: publish the highest and the lowest values as one category each."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from sdckit.bands import Bands, band_label
from sdckit.errors import ParameterError, SchemaError
from sdckit.masking import masking
from sdckit.methods.category_trees import texts_of
from sdckit.methods.recoding.band_masking import BandMasking, only_whole
from sdckit.methods.recoding.date_bands import ticks_per_day
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param


@masking("top-bottom-recoding", kind=Kind.ORDERED, reference="hundepool2012")
class TopBottomRecoding(BandMasking):
    """Replace the values from a limit upwards by one category, such as 85+, and those below another limit by one.

    Values between the two limits are unchanged. Unlike top coding, which publishes the limit or a mean as a number, the
    file says that a value is a category. In an ordered category whose values are not numbers, a limit is a position,
    that of the first category being 1. A missing value stays missing.

    Formula: x′ = “t+” if x ≥ t, “under b” if x < b, else x

    Use it when only the extremes are recognisable, such as the ages of the very old.
    """

    example: ClassVar[Mapping[str, Any]] = {"top": 60.0, "bottom": 2.0}

    top: float = param(np.inf, "the lowest value of the top category, such as 85")
    bottom: float = param(-np.inf, "the lowest value above the bottom category, such as 16")
    top_label: str = param("", "what the top category is called, instead of 85+")
    bottom_label: str = param("", "what the bottom category is called, instead of under 16")

    def bands_of(self, data: Microdata, name: str) -> Bands:
        attribute = data.attribute(name)
        if (self.top, self.bottom) == (np.inf, -np.inf):
            raise ParameterError(f"{self.name} needs a limit, as in top=85 or bottom=16")
        if ticks_per_day(data, name) is not None:
            raise SchemaError(f"{self.name}: {name!r} is a date; use global-recoding-breaks with unit=year and breaks")
        top, bottom = (_limit(attribute, each) for each in (self.top, self.bottom))
        if bottom >= top:
            raise SchemaError(f"{self.name}: bottom is not below top in {name!r}; nothing would be left between them")
        whole = attribute.coded or only_whole(data, name)
        parts: list[tuple[float, float, str | None]] = [(-np.inf, 0.0, None)]
        if np.isfinite(bottom):  # a number below the limit is free to represent the category, as none is unchanged
            label = self.bottom_label or _text(attribute, -np.inf, bottom, whole=whole)
            parts = [(-np.inf, bottom - 1.0, label), (bottom, 0.0, None)]
        if np.isfinite(top):
            parts.append((top, top, self.top_label or _text(attribute, top, np.inf, whole=whole)))
        starts, numbers, labels = zip(*parts, strict=True)
        return Bands((*starts, np.inf), numbers, labels)


def _limit(attribute: Attribute, limit: float) -> float:
    """The limit as a number of the column: of an ordered category, the code of the category."""
    if not attribute.coded or np.isinf(limit):
        return limit
    texts = texts_of(attribute)
    try:
        sizes = [float(text) for text in texts]
    except ValueError:
        return float(np.clip(np.ceil(limit) - 1, 0, len(texts)))
    return float(next((code for code, size in enumerate(sizes) if size >= limit), len(sizes)))


def _text(attribute: Attribute, low: float, high: float, *, whole: bool) -> str:
    if not attribute.coded:
        return band_label(low, high, whole=whole)
    texts = texts_of(attribute)
    at = int(min(low if np.isfinite(low) else high, len(texts) - 1))
    return f"{texts[at]} and over" if np.isfinite(low) else f"under {texts[at]}"
