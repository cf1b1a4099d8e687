"""Global recoding by breaks: publish the band that a number, an ordered category or a date falls into."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from sdckit.bands import DASH, Bands, bands_at
from sdckit.date_units import AGE, UNITS, day_from_text
from sdckit.errors import ParameterError, SchemaError, near_miss, private_text
from sdckit.masking import masking
from sdckit.methods.category_trees import texts_of
from sdckit.methods.recoding.band_masking import BandMasking, only_whole
from sdckit.methods.recoding.date_bands import date_bands, ticks_per_day
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param

Break = int | float | str


@masking("global-recoding-breaks", kind=Kind.ORDERED, reference="hundepool2012")
class GlobalRecodingBreaks(BandMasking):
    """Replace each value by the band that it falls into.

    A band begins at each break and ends before the next one; the last one is open. Bands are written as people write
    them, 0–14 or 65+ for whole numbers and 10 to under 20 for others, or by labels of your own. In an ordered category
    a break is the category at which a band begins. A date is recoded to a unit, such as its year or quarter, or to the
    age at a day; years and ages can be recoded to bands in the same step. A missing value stays missing.

    Formula: x′ = [bᵢ, bᵢ₊₁) with bᵢ ≤ x < bᵢ₊₁

    Use it when a number is finer than its users need, such as ages in years, incomes or dates of birth.
    """

    example: ClassVar[Mapping[str, Any]] = {"breaks": (30, 50, "high")}

    breaks: tuple[Break, ...] = param((), "where each band begins: numbers, or categories of an ordered category")
    labels: tuple[str, ...] = param((), "what the bands are called, in their order, instead of 0–14 or 65+")
    unit: str = param("", "what a date is recoded to: month, quarter, half-year, year, decade, century or age")
    at: str = param("", "the day at which age is counted, as 2026-01-01")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unit and self.unit not in (*UNITS, AGE):
            raise ParameterError(f"{self.name}: there is no unit {self.unit!r}{near_miss(self.unit, [*UNITS, AGE])}")
        if (self.unit == AGE) != bool(self.at):
            raise ParameterError(f"{self.name}: unit=age needs the day at which it is counted, as at=2026-01-01")
        if self.at:
            day_from_text(self.at, f"{self.name}: at")
        if self.unit not in ("", "year", AGE) and self.breaks:
            raise ParameterError(f"{self.name}: breaks are of years or ages; leave them out with unit={self.unit}")
        numbers = [each for each in self.breaks if not isinstance(each, str)]
        if numbers:
            bands_at(numbers, whole=True, labels=self.labels if len(numbers) == len(self.breaks) else ())

    def bands_of(self, data: Microdata, name: str) -> Bands:
        attribute = data.attribute(name)
        if not self.breaks and not self.unit:
            raise ParameterError(
                f"{self.name} needs breaks, as in breaks=0+15+25+65, or for dates a unit, as unit=year"
            )
        if attribute.coded:
            return _category_bands(attribute, self.breaks, self.labels, self.name)
        numbers = [each for each in self.breaks if not isinstance(each, str)]
        if ticks_per_day(data, name) is not None:
            return date_bands(data, name, self.unit, self.at, numbers, self.labels, self.name)
        if self.unit:
            raise SchemaError(f"{self.name}: {name!r} is not a date, so it has no {self.unit}; leave out unit")
        if not numbers:
            raise SchemaError(f"{self.name}: {name!r} is a number; give breaks that are numbers, as 0+15+25+65")
        return bands_at(numbers, whole=only_whole(data, name), labels=self.labels)

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        names = super().applicable(data, attributes)
        known = {text for name in names for text in texts_of(data.attribute(name))}
        for each in self.breaks:
            if isinstance(each, str) and each not in known:
                hint = private_text(near_miss(each, known))
                raise SchemaError(f"{self.name}: no masked attribute has the category {each!r}{hint}")
        return names


def _category_bands(attribute: Attribute, breaks: Sequence[Break], labels: Sequence[str], owner: str) -> Bands:
    """The bands of neighbouring categories; a break is the first category of a band."""
    texts = texts_of(attribute)
    first = sorted({0, *(code for each in breaks if (code := _position(texts, each)) is not None)})
    if len(first) < 2 and not any(_position(texts, each) == 0 for each in breaks):
        raise SchemaError(
            f"{owner}: none of the breaks is a category of {attribute.name!r}; name the category at which each band "
            "begins"
        )
    ends = [*first[1:], len(texts)]
    named: list[str | None] = [
        texts[low] if high - low == 1 else f"{texts[low]} {DASH} {texts[high - 1]}"
        for low, high in zip(first, ends, strict=True)
    ]
    if labels:
        if len(labels) != len(named):
            raise ParameterError(f"{owner}: {attribute.name!r} has {len(named)} bands; give as many labels")
        named = list(labels)
    middle = tuple(float((low + high - 1) // 2) for low, high in zip(first, ends, strict=True))
    edges = (-np.inf, *(code - 0.5 for code in first[1:]), np.inf)
    return Bands(edges, middle, tuple(named))


def _position(texts: Sequence[str], at: Break) -> int | None:
    """The code of the first category of a band; a number is the least category of at least that size."""
    if isinstance(at, str):
        return texts.index(at) if at in texts else None
    try:
        sizes = [float(text) for text in texts]
    except ValueError:
        return None
    return next((code for code, size in enumerate(sizes) if size >= at), None)
