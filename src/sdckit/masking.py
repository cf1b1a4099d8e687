"""Masking: the contract ρ: X → X′, and what a published ρ lets an intruder exclude.

Most methods write only `transform`, on a matrix of numbers, and `candidates`. A method that works on other things than
a matrix overrides `protect`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.likelihood import Law
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.parameters import Component, param
from sdckit.rows import Rows

M = TypeVar("M", bound="Masking")
HALF_A_UNIT = 0.5 + 1e-6  # how far rounding to whole units moves a value, and a little for floating point


class Masking(Component):
    """A function from a file to a file.

    `kinds`          which attributes it can mask
    `columnwise`     each attribute is masked by itself, on its observed values alone; missing ones stay in place
    `keeps_missing`  `transform` gets NaN and leaves it where it is; otherwise missing values are refused
    `draws_values`   new values are drawn, so whole numbers are rounded again and declared ranges kept
    `suppresses`     values may go missing; otherwise exactly those that were missing are
    `rows`           what it does to the rows: kept, sampled or synthesised; where they do not stay in order, `lineage`
                     says whose they are
    """

    kinds: ClassVar[Kind] = Kind.ORDERED
    columnwise: ClassVar[bool] = False
    keeps_missing: ClassVar[bool] = False
    draws_values: ClassVar[bool] = False
    suppresses: ClassVar[bool] = False
    rows: ClassVar[Rows] = Rows.KEPT

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        """The masked matrix: same rows, same columns."""
        raise TypeError(f"{type(self).__name__} must define transform or protect")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        """The masked file; with no attributes named, every key of a fitting kind is masked."""
        names = self.applicable(data, attributes)
        draws = draws.over(len(data))
        values = data.matrix(names)
        if self.columnwise:
            masked = values.copy()
            for place, name in enumerate(names):
                seen = ~np.isnan(values[:, place])
                masked[seen, place] = self.transform(values[seen, place][:, None], draws.child(name).among(seen))[:, 0]
        else:
            if not self.keeps_missing:
                self.refuse_missing(data, names)
            masked = self.transform(values, draws)
        return data.with_matrix(names, self.published(data, names, masked))

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """What the published method and parameters leave possible in the released file; None: everything.

        `released` holds the attributes that were masked, in the order they were named. It is None where a later step of
        the recipe changed them or the set of records again, so that the file which this masking made is not to be seen.
        """
        return None

    def possible(self, known: Candidates, released: Microdata, *, hidden: bool = False) -> Candidates | None:
        """`candidates`, allowing for what publishing does to the values: rounding and, for drawn ones, clipping."""
        slack = {
            each.name: HALF_A_UNIT * 10.0**-decimals
            for each in released.attributes
            if (decimals := self.decimals(each)) is not None
        }
        # Drawn values are rounded after the draw; others are compared with what was rounded, such as ranks and means.
        entering = known if self.draws_values else known.widened(slack)
        told = self.candidates(entering, None if hidden else released)
        if told is not None and self.draws_values:
            told = told.clipped({name: released.edits.bound(name) for name in told.lower})
        return None if told is None else told.widened(slack)

    def law(self, released: Microdata) -> Law | None:
        """The chance of a released row given a known record, where the published method fixes it; None: it does not.

        `released` holds the attributes that were masked, in the order they were named.
        """
        return None

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The original's means and covariances from the released file's, as far as the published method tells.

        What it does not tell is NaN. Several files may come at once, along leading axes.
        """
        return np.full_like(means, np.nan), np.full_like(covariances, np.nan)

    def corrected_counts(self, released: Microdata, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The original's counts of the categories of one attribute from the released file's; NaN: it does not tell."""
        return np.full_like(counts, np.nan)

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """What the steward should know of this masking of this file, in sentences; private, as it speaks of both."""
        return []

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes to mask, checked: they exist, are of a fitting kind and have values."""
        names = self.chosen(data, attributes)
        if not names:
            fitting = "" if self.kinds is Kind.ANY else f"{self.kinds.title} "
            raise SchemaError(
                f"{self.name}: the file has no {fitting}key; name the attributes to mask, or declare keys in the schema"
            )
        repeated = [name for name in names if names.count(name) > 1]
        if repeated:
            raise SchemaError(f"{self.name}: the attribute {repeated[0]!r} is named twice; name it once")
        for name in names:
            self._check(data, data.attribute(name))
        return names

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes named, else every key of a fitting kind."""
        return tuple(attributes) or data.names(kind=self.kinds, role=Role.KEY)

    def _check(self, data: Microdata, attribute: Attribute) -> None:
        if attribute.role is Role.IDENTIFIER:
            raise SchemaError(f"{attribute.name!r} is an identifier: every release drops it, so leave it out")
        if not attribute.kind & self.kinds:
            raise SchemaError(
                f"{self.name} masks {self.kinds.title} attributes and {attribute.name!r} is {attribute.kind.title}; "
                "leave it out or declare another kind in the schema"
            )
        if data.missing(attribute.name) == len(data):
            raise SchemaError(f"{attribute.name!r} has no values at all; leave it out or give it the role 'other'")

    def refuse_missing(self, data: Microdata, names: Sequence[str]) -> None:
        """Say which attribute has missing values, for a method that cannot keep them."""
        for name in names:
            if data.missing(name):
                raise SchemaError(
                    f"{self.name} cannot mask {name!r}: {data.missing(name)} of its {len(data)} values are missing; "
                    "leave it out, or fill or drop them first"
                )

    def decimals(self, attribute: Attribute) -> int | None:
        """To how many decimals values go out; None: as they are. Positions of categories are whole."""
        return 0 if attribute.coded or (attribute.integral and self.draws_values) else attribute.decimals

    def published(self, data: Microdata, names: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values as they go out: to the declared decimals; drawn ones whole and in range where they have to be."""
        out = np.array(values, dtype=float)
        for place, name in enumerate(names):
            decimals = self.decimals(data.attribute(name))
            if self.draws_values:
                low, high = data.edits.bound(name)
                if decimals is not None:  # the outermost values in the range that have these decimals
                    unit = 10.0**decimals
                    low, high = np.ceil(low * unit - 1e-9) / unit, np.floor(high * unit + 1e-9) / unit
                out[:, place] = np.clip(out[:, place], low, high)
            if decimals is not None:
                out[:, place] = np.round(out[:, place], decimals)
        return out


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def masking(name: str, *, kind: Kind = Kind.ORDERED, reference: str) -> Callable[[type[M]], type[M]]:
    """Enter a masking into the catalogue under its name in the literature."""

    def enter(component: type[M]) -> type[M]:
        component.name, component.kinds, component.reference = name, kind, reference
        return dataclass(frozen=True, kw_only=True)(component)

    return enter
