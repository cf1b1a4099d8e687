"""Household files: what an intruder masks again where a step of the recipe masks households as a whole.

An intruder who knows every record exactly is assumed to know who lives together. Otherwise, households of the sizes
that the release shows are formed at random from the records of the file that is masked again.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Kind, Level, Role
from sdckit.intruder import AttackerView
from sdckit.masking import Masking
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe

HOUSEHOLD = "household of a record"  # the column of a file whose release shows no households


def on_household_level(chain: Recipe) -> bool:
    """Whether a step masks households as a whole."""
    return any(step.masking.acts_on is Level.HOUSEHOLD for step in chain.steps)


def needed(masking: Masking, view: AttackerView, names: tuple[str, ...]) -> list[str]:
    """What a masking reads beside the masked attributes, other than who lives together where that is known."""
    known = view.original.names(role=Role.HOUSEHOLD) if masking.acts_on is Level.HOUSEHOLD else ()
    return [name for name in masking.also_reads(view.released, names) if name not in names and name not in known]


def with_known_households(view: AttackerView) -> Microdata:
    """The known records with their households, those of the original."""
    names = [name for name in view.original.names(role=Role.HOUSEHOLD) if name not in view.known]
    return _joined(view.known, view.original.only(names).take(view.records)) if names else view.known


def with_random_households(file: Microdata, view: AttackerView, chain: Recipe, rng: np.random.Generator) -> Microdata:
    """A file of records in random households of the sizes that the release shows, each with one value of its own."""
    shown = view.released if view.released.names(role=Role.HOUSEHOLD) else view.original
    sizes = np.bincount(shown.units())
    drawn = np.repeat(np.arange(len(file)), rng.choice(sizes, size=len(file)))[: len(file)]
    units = drawn[rng.permutation(len(file))]
    first = np.full(len(file), -1)
    first[units[::-1]] = np.arange(len(file))[::-1]
    source = first[units]
    names = {name for step in chain.steps if step.masking.acts_on is Level.HOUSEHOLD for name in step.attributes}
    columns: dict[str, NDArray[Any]] = {name: file.columns[name][source] for name in names if name in file}
    roles = dict.fromkeys(file.names(role=Role.HOUSEHOLD), Role.OTHER)
    alone = file.with_columns(columns).with_roles(**roles)
    number = Attribute(HOUSEHOLD, Kind.DISCRETE, Role.HOUSEHOLD, integral=True)
    return _joined(alone, Microdata((number,), {HOUSEHOLD: units}))


def _joined(file: Microdata, more: Microdata) -> Microdata:
    return replace(
        file, attributes=(*file.attributes, *more.attributes), columns={**file.columns, **more.columns}, lineage=None
    )
