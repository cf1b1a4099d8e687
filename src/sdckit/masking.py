"""Masking: the contract ρ: X → X′, and what a published ρ lets an intruder exclude.

Most methods define only `transform`, on a matrix of numbers, and `candidates`. A method that masks record by record is
a `RowMasking`; one that works on other things than a matrix overrides `protect`. What else a masking can offer is
listed in `capabilities`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Level
from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.parameters import Component, param
from sdckit.read_only import seal
from sdckit.rows import Rows

M = TypeVar("M", bound="Masking")
EVERYTHING = (-np.inf, np.inf)
HALF_A_UNIT = 0.5 + 1e-6  # how far rounding to whole units moves a value, and a little for floating point


class Locality(Enum):
    """How much of a file a masking has to see in order to mask one record."""

    ROW = "row"  # the record and a small summary of the file
    SORT = "sort"  # the records next to it in the order of the values
    BLOCK = "block"  # the records of its group or stratum
    GLOBAL = "global"  # all records


class Masking(Component):
    """A function from a file to a file.

    `domain`         the kind of data set that it masks
    `kinds`          which attributes it can mask
    `locality`       how much of the file it has to see in order to mask one record
    `columnwise`     each attribute is masked by itself, on its observed values alone; missing ones stay missing
    `keeps_missing`  `transform` gets NaN and leaves it where it is; otherwise missing values are refused
    `draws_values`   new values are drawn, so whole numbers are rounded again and declared ranges kept
    `suppresses`     values may go missing; otherwise exactly those that were missing are
    `leaves_out`     it changes no value: some records or values are left out, the others are released unchanged
    `reads_a_part`   its `candidates` are true also where later steps left records or values out of the released file
    `seeded`         False where it draws from the operating system alone: no seed repeats it
    `requires`       packages that it needs beyond those of a plain installation
    `adds`           attributes of its own that it releases, computed from masked values
    `example`        values of the parameters without which it masks no file; the checks of its contract take these
    `rows`           what it does to the rows: kept, sampled or synthesised; where they do not stay in order, `lineage`
                     says to which record each belongs
    `acts_on`        whether records are masked one by one, or households as a whole (`at_level`)
    """

    domain: ClassVar[type] = Microdata
    kinds: ClassVar[Kind] = Kind.ORDERED
    locality: ClassVar[Locality] = Locality.GLOBAL
    columnwise: ClassVar[bool] = False
    keeps_missing: ClassVar[bool] = False
    draws_values: ClassVar[bool] = False
    suppresses: ClassVar[bool] = False
    leaves_out: ClassVar[bool] = False
    reads_a_part: ClassVar[bool] = False
    seeded: ClassVar[bool] = True
    requires: ClassVar[tuple[str, ...]] = ()
    adds: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[Mapping[str, Any]] = {}
    rows: ClassVar[Rows] = Rows.KEPT
    acts_on: ClassVar[Level] = Level.RECORD

    def at_level(self, level: str | Level) -> "Masking":
        """The masking on the level of records, or of households: one value for all members of each.

        >>> from sdckit.methods import Pram
        >>> Pram(stay=0.9).at_level("household").acts_on.value
        'household'
        """
        from sdckit.household_masking import HouseholdMasking, on_households

        try:
            found = Level.named(level)
        except SchemaError as problem:
            if "levels" in self.parameters():
                raise SchemaError(f"{problem}; for levels of a hierarchy, write levels={level}") from None
            raise
        if found is Level.HOUSEHOLD:
            return on_households(self)
        return self.plain if isinstance(self, HouseholdMasking) else self

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        """The masked matrix: same rows, same columns."""
        raise TypeError(f"{type(self).__name__} must define transform or protect")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        """The masked file; with no attributes named, every key of a suitable kind is masked."""
        names = self.applicable(data, attributes)
        draws = draws.over(len(data))
        if self.columnwise:
            columns = data.matrix(names, order="F")
            masked = by_columns(columns, names, draws, lambda _, values, own: self.transform(values, own))
        else:
            if not self.keeps_missing:
                self.refuse_missing(data, names)
            masked = self.transform(data.matrix(names), draws)
        return data.with_matrix(names, seal(self.published(data, names, masked)))

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """What the published method and parameters leave possible in the released file; None: everything.

        `released` has the attributes that were masked, in the order they were named. It is None where a later step of
        the recipe changed them or the set of records again, so that nobody can see the file which this masking made.
        """
        return None

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """What the method and its parameters leave possible in a file that nobody can see; None: everything.

        `attributes` declare the released columns: categories keep their codes from one step to the next. A masking
        that maps values by a published rule says here what becomes of them, so that no later step hides the rule.
        """
        return self.candidates(known, None)

    def possible(self, known: Candidates, released: Microdata, *, hidden: bool = False) -> Candidates | None:
        """`candidates`, allowing for rounding errors and for what publishing does: rounding and clipping."""
        slack = {
            each.name: HALF_A_UNIT * 10.0**-decimals
            for each in released.attributes
            if not self.leaves_out and (decimals := self.decimals(each)) is not None
        }
        # Drawn values are rounded after the draw; others are compared with what was rounded, such as ranks and means.
        entering = known if self.draws_values else known.widened(slack)
        declared = {each.name: each for each in released.attributes}
        possible = self.image(entering, declared) if hidden else self.candidates(entering, released)
        if possible is not None:
            ranges = {each.name: (0.0, len(each.categories) - 1.0) for each in released.attributes if each.categories}
            drawn = {name: released.edits.bound(name) for name in possible.lower} if self.draws_values else {}
            possible = possible.clipped(
                {name: ranges.get(name, drawn.get(name, EVERYTHING)) for name in possible.lower}
            )
        return None if possible is None else possible.widened(slack).with_rounding_error(entering)

    def read_by_law(self, data: Microdata, names: Sequence[str]) -> Microdata:
        """The part of a file from which a law of these attributes is computed."""
        return data.only(names)

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """Attributes beside the masked ones that decide what becomes of them, such as those that govern an edit."""
        return ()

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """Notes on this masking of this file for the data protector; private, as both files are used."""
        return []

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes to mask, checked: they exist, are of a suitable kind and have values."""
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
        """The attributes named, else every key of a suitable kind."""
        fitting = data.names(kind=self.kinds, role=Role.KEY)
        return tuple(attributes) or tuple(
            name for name in fitting if self.kinds & Kind.CATEGORICAL or data.attribute(name).bands is None
        )

    def _check(self, data: Microdata, attribute: Attribute) -> None:
        if attribute.role is Role.IDENTIFIER:
            raise SchemaError(f"{attribute.name!r} is an identifier: every release drops it, so leave it out")
        if not attribute.kind & self.kinds:
            raise SchemaError(
                f"{self.name} masks {self.kinds.title} attributes and {attribute.name!r} is {attribute.kind.title}; "
                "leave it out or declare another kind in the schema"
            )
        if attribute.bands is not None and not self.kinds & Kind.CATEGORICAL:
            raise SchemaError(
                f"{self.name} computes with numbers, and {attribute.name!r} was recoded to bands by an earlier step; "
                "put this step before the recoding, or leave the attribute out"
            )
        if data.missing(attribute.name) == len(data):
            raise SchemaError(f"{attribute.name!r} has no values at all; leave it out or give it the role 'other'")

    def refuse_missing(self, data: Microdata, names: Sequence[str]) -> None:
        """Raise an error that names the attribute with missing values, for a method that cannot keep them."""
        for name in names:
            if data.missing(name):
                raise SchemaError(
                    f"{self.name} cannot mask {name!r}: {data.missing(name)} of its {len(data)} values are missing; "
                    "leave it out, or fill or drop them first"
                )

    def refuse_few_values(self, data: Microdata, names: Sequence[str], group_size: int) -> None:
        """Raise an error that names an attribute with too few values for one group: an average gives them away."""
        for name in names:
            present = len(data) - data.missing(name)
            if present < group_size:
                raise SchemaError(
                    f"{self.name} cannot mask {name!r}: it has {present} values, too few for a group of {group_size}; "
                    "leave it out, or use a smaller group_size"
                )

    def decimals(self, attribute: Attribute) -> int | None:
        """The decimals that values are published to; None: all they have. Positions of categories are whole."""
        if attribute.coded or (attribute.integral and self.draws_values):
            return 0
        return attribute.mean_decimals if attribute.decimals is None else attribute.decimals

    def published(self, data: Microdata, names: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values rounded to the declared decimals; drawn ones whole and in range where they have to be.

        Where nothing is to be changed, they may be the array that was given.
        """
        changes = [(index, *self._publication(data, name)) for index, name in enumerate(names)]
        changes = [each for each in changes if each[1:] != (*EVERYTHING, None)]
        if not changes:
            columns_follow = values.dtype == np.float64 and values.strides[0] == values.itemsize
            return values if columns_follow else np.array(values, dtype=float, order="F")
        out = np.array(values, dtype=float, order="F")
        for index, low, high, decimals in changes:
            if (low, high) != EVERYTHING:
                out[:, index] = np.clip(out[:, index], low, high)
            if decimals is not None:
                out[:, index] = np.round(out[:, index], decimals)
        return out

    def _publication(self, data: Microdata, name: str) -> tuple[float, float, int | None]:
        """The range that values of an attribute are clipped to, and the decimals that they are rounded to."""
        decimals = self.decimals(data.attribute(name))
        low, high = data.edits.bound(name) if self.draws_values else EVERYTHING
        if decimals is not None:  # the outermost values in the range that have these decimals
            unit = 10.0**decimals
            low, high = np.ceil(low * unit - 1e-9) / unit, np.floor(high * unit + 1e-9) / unit
        return low, high, decimals


def by_columns(
    values: NDArray[np.float64],
    names: Sequence[str],
    draws: Draws,
    mask: Callable[[int, NDArray[np.float64], Draws], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Each column masked by itself, under draws of its own; what is missing stays missing.

    `mask` gets the position of the column, its observed values as a matrix of one column, and their draws.
    """
    masked = np.empty_like(values, order="F")
    for index, name in enumerate(names):
        column, own, seen = values[:, index], draws.child(name), ~np.isnan(values[:, index])
        if seen.all():
            masked[:, index] = mask(index, column[:, None], own)[:, 0]
        else:
            masked[~seen, index] = column[~seen]
            masked[seen, index] = mask(index, column[seen][:, None], own.among(seen))[:, 0]
    return masked


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def masking(
    name: str, *, kind: Kind = Kind.ORDERED, reference: str, domain: type = Microdata
) -> Callable[[type[M]], type[M]]:
    """Enter a masking into the catalogue under its name in the literature."""

    def enter(component: type[M]) -> type[M]:
        component.name, component.kinds, component.reference, component.domain = name, kind, reference, domain
        return dataclass(frozen=True, kw_only=True)(component)

    return enter
