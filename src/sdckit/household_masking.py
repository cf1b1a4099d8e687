"""Household masking: a masking that masks one row of each household and gives the result to all its members.

`on_households(masking)` is the masking on household level, of a class that is made from the masking's own: same name,
same parameters. Household attributes stay equal within each household, whatever the method draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from sdckit.attribute import Attribute, Level, Role
from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.households import (
    declared_or_equal,
    given_to_members,
    household_attributes,
    members_of,
    one_row_each,
    refuse_differing,
    require_households,
)
from sdckit.likelihood import FactorLaw, Law, NeighbourLaw, TransitionLaw, UniformLaw
from sdckit.masking import Locality, Masking
from sdckit.microdata import Microdata
from sdckit.normal_law import NormalLaw
from sdckit.rows import Rows

PAIR_LAWS = (NormalLaw, TransitionLaw, FactorLaw, NeighbourLaw, UniformLaw)  # a row given one record, and no other
_CLASSES: dict[type[Masking], type[Masking]] = {}
RECORD_LEVEL = (  # what a method offers of its records does not hold of the members of households
    "fit",
    "row_law",
    "mixture_law",
    "corrected_moments",
    "corrected_counts",
    "drawn_counts",
    "design",
    "preserved_design",
    "donor_leaves",
    "privacy",
)


class HouseholdMasking(Masking):
    """A masking on household level: what its class adds to that of the masking.

    The law of one released row given one known record is the method's own, with what it estimates computed from one
    row of each household. Members change together, so rows are not independent, and no figure by this law is a bound.
    """

    acts_on = Level.HOUSEHOLD
    plain_class: ClassVar[type[Masking]]

    @property
    def plain(self) -> Masking:
        """The masking on record level."""
        return self.plain_class(**self.parameters())

    def __reduce__(self) -> tuple[Any, ...]:
        return on_households, (self.plain,)

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes named, else every key of a suitable kind that describes the household."""
        names = self.plain.chosen(data, attributes)
        if attributes or self.rows is Rows.SAMPLED:
            return names
        found = household_attributes(data)
        return tuple(name for name in names if name in found)

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        require_households(data, self.name)
        names = self.chosen(data, attributes)
        if not names:
            raise SchemaError(
                f"{self.name} on household level: no key of a suitable kind is equal within every household; name the "
                'attributes, or declare level = "household" in the schema'
            )
        names = self.plain.applicable(data, names)
        if self.rows is Rows.KEPT:
            refuse_differing(data, names, self.name)
        return names

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        units = data.units()
        before = one_row_each(data, units, names if self.rows is Rows.KEPT else ())
        own = replace(draws.child("household"), records=None)
        masked = self.plain.protect(before, names, draws=own)
        if self.rows is Rows.SAMPLED:
            return members_of(data, units, before, masked)
        return given_to_members(data, units, before, masked, names)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """What a map of values leaves possible, which holds of each member; of other methods nothing is excluded."""
        if self.rows is Rows.SAMPLED or _maps_values(self.plain_class):
            return self.plain.candidates(replace(known, complete=False), released)
        return None

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        if self.rows is Rows.SAMPLED or _maps_values(self.plain_class):
            return self.plain.image(replace(known, complete=False), attributes)
        return None

    def read_by_law(self, data: Microdata, names: Sequence[str]) -> Microdata:
        """The masked attributes and the households."""
        return data.only([*names, *(name for name in data.names(role=Role.HOUSEHOLD) if name not in names)])

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        read = [*self.plain.also_reads(data, attributes), *data.names(role=Role.HOUSEHOLD)]
        return tuple(dict.fromkeys(name for name in read if name not in attributes))

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """Which attributes were found to be those of households, and the method's own notes on one row of each."""
        notes = []
        if hasattr(self.plain_class, "privacy"):
            notes.append(
                f"{self.name} on household level is not differentially private: all members get one draw, and equal "
                "values show who lives together, whatever the noise"
            )
        found = [name for name, declared in declared_or_equal(original).items() if not declared and name in attributes]
        if found and self.rows is Rows.KEPT:
            listed = ", ".join(repr(name) for name in found)
            are, they = ("are", "they are") if len(found) > 1 else ("is", "it is")
            notes.append(
                f"{listed} {are} masked on household level: {they} equal within every household of the original, and "
                "the schema declares no level"
            )
        if self.rows is Rows.KEPT and len(original) == len(masked) and masked.lineage is None:
            units = original.units()
            files = [
                one_row_each(file, units, [name for name in attributes if name in file]) for file in (original, masked)
            ]
            notes += self.plain.notes(files[0], files[1], attributes)
        return notes


def household_law(self: HouseholdMasking, released: Microdata, original: Microdata | None = None) -> Law | None:
    """The method's law, computed from one row of each household; None where that depends on other records."""
    if not released.names(role=Role.HOUSEHOLD):
        return None
    files = [None if file is None else _of_law(file) for file in (released, original)]
    law: Law | None = self.plain.law(*files)  # type: ignore[attr-defined]  # only a class whose masking has a law gets this
    return law if isinstance(law, PAIR_LAWS) else None


def _of_law(file: Microdata) -> Microdata:
    households = file.names(role=Role.HOUSEHOLD)
    names = [each.name for each in file.attributes if each.name not in households]
    return one_row_each(file, file.units(), names).without(households)


def on_households(masking: Masking) -> Masking:
    """The masking on household level.

    >>> from sdckit.catalogue import build
    >>> on_households(build("masking", "pram")).acts_on.value
    'household'
    """
    if isinstance(masking, HouseholdMasking):
        return masking
    if masking.domain is not Microdata:
        raise ParameterError(f"{masking.name} masks no records, so it has no household level; leave out level")
    if masking.rows is Rows.SYNTHESISED:
        raise ParameterError(
            f"{masking.name} makes new rows, which belong to no household of the file; leave out level"
        )
    return _household_class(type(masking))(**masking.parameters())


def _household_class(plain: type[Masking]) -> type[Masking]:
    """The class of a masking on household level, made once, so that equal maskings are of one class."""
    if plain not in _CLASSES:
        _CLASSES[plain] = _made_class(plain)
    return _CLASSES[plain]


def _made_class(plain: type[Masking]) -> type[Masking]:
    members: dict[str, Any] = {name: None for name in RECORD_LEVEL if hasattr(plain, name)}
    members |= {"plain_class": plain, "__doc__": plain.__doc__, "__module__": plain.__module__}
    if hasattr(plain, "law"):
        members["law"] = household_law
    if hasattr(plain, "preserves"):
        members["preserves"] = frozenset()
    if not _maps_values(plain):
        members["locality"] = Locality.GLOBAL
        members["reads_a_part"] = plain.reads_a_part and plain.rows is Rows.SAMPLED
    return type(plain.__name__, (HouseholdMasking, plain), members)


def _maps_values(plain: type[Masking]) -> bool:
    """Whether a method maps each value by itself."""
    return plain.locality is Locality.ROW and not plain.draws_values and not plain.suppresses
