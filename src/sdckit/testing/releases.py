"""Releases that every risk and loss must measure or decline."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.edits import Edit, Edits
from sdckit.errors import SdcError
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release, protect
from sdckit.rows import NOBODY, Correspondence, Sampled, Unknown, Unrelated
from sdckit.testing.files import odd_files, ordinary

SEED = 20


def untouched(data: Microdata) -> Release:
    """The file released unchanged."""
    return Release.in_order(data, data.without(data.names(role=Role.IDENTIFIER)))


@lru_cache(maxsize=1)
def file_with_edits_and_households() -> Microdata:
    """The ordinary file, whose rent is a tenth of the income, with who lives together."""
    data = ordinary()
    household = Attribute("household", Kind.DISCRETE, Role.HOUSEHOLD, integral=True)
    numbers = np.random.default_rng(SEED).integers(0, len(data) // 2, len(data)).astype(float)
    return replace(
        data,
        attributes=(*data.attributes, household),
        columns={**data.columns, "household": numbers},
        edits=Edits((Edit({"yearly income": 1.0, "rent": -10.0}, -5.0, 5.0),)),
    )


@lru_cache(maxsize=1)
def ordinary_release() -> Release:
    """The ordinary file, rank swapped."""
    return protect(file_with_edits_and_households(), "rank-swapping:window=0.1", seed=SEED)


@lru_cache(maxsize=1)
def synthesised_releases() -> tuple[tuple[str, Release], ...]:
    """Releases of which no row belongs to a record, for attacks on one sort of synthesis alone."""
    return (("synthesised by trees", protect(ordinary(), "sequential-trees", seed=SEED)),)


@lru_cache(maxsize=1)
def odd_releases() -> tuple[tuple[str, Release], ...]:
    """Releases that a measure must measure or decline: of odd files, and of a part of the records."""
    plain = ordinary_release()
    half = plain.masked.take(np.arange(0, len(plain.masked), 2))
    made = [
        ("microaggregated", protect(ordinary(), "mdav", seed=SEED)),
        ("untouched", untouched(ordinary())),
        ("half of the rows", Release(plain.original, half, plain.recipe)),
        ("one row", Release(plain.original, plain.masked.take(np.array([7])), plain.recipe)),
        (
            "rows that belong to no record",
            Release(plain.original, half, plain.recipe, Sampled(np.full(len(half), NOBODY))),
        ),
        *changed_releases().items(),
    ]
    for label, data in odd_files().items():
        try:
            made.append((label, protect(data, "rank-swapping:window=0.4", seed=SEED)))
        except SdcError:
            made.append((label, untouched(data)))
    return tuple(made)


@lru_cache(maxsize=1)
def changed_releases() -> Mapping[str, Release]:
    """The ordinary file with its distributions moved both ways, with values lost, and with records dropped."""
    data = file_with_edits_and_households()
    plain = data.without(data.names(role=Role.IDENTIFIER))
    columns = {name: data.columns[name] for name in plain.names(role=(Role.KEY, Role.CONFIDENTIAL))}
    numbers = {name: column for name, column in columns.items() if not data.attribute(name).coded}
    codes = {name: column for name, column in columns.items() if data.attribute(name).coded}
    some = np.arange(len(data)) % 3 == 0

    def moved(step: int) -> dict[str, NDArray[Any]]:
        """Numbers moved by a number of standard deviations, categories by as many codes."""
        last = {name: len(data.attribute(name).categories or ()) - 1 for name in codes}
        shifted = {name: np.clip(column + step, 0, last[name]) for name, column in codes.items()}
        return {name: column + step * column.std() for name, column in numbers.items()} | shifted

    def stretched(factor: float) -> dict[str, NDArray[Any]]:
        return {name: column.mean() + factor * (column - column.mean()) for name, column in numbers.items()}

    lost = {name: np.where(some, np.nan, column) for name, column in numbers.items()}
    lost |= {name: np.where(some, -1, column) for name, column in codes.items()}
    made = {
        "values moved up": moved(1),
        "values moved down": moved(-1),
        "values spread out": stretched(2.0),
        "values drawn together": stretched(0.5),
        "a third of the values lost": lost,
    }
    releases = {label: Release.in_order(data, plain.with_columns(changed)) for label, changed in made.items()}
    releases["post codes generalised"] = Release.in_order(data, generalised(plain, "post code"))
    low = np.argsort(data.columns["yearly income"])[: len(data) * 2 // 3]
    return releases | {"records of high income dropped": Release(data, plain.take(np.sort(low)))}


def generalised(data: Microdata, name: str) -> Microdata:
    """The file with the values of an attribute one level up their hierarchy."""
    attribute = data.attribute(name)
    assert attribute.hierarchy is not None
    above = [attribute.hierarchy.ancestors(category)[1] for category in attribute.categories or ()]
    categories = tuple(dict.fromkeys(above))
    codes = np.array([categories.index(node) for node in above])[data.columns[name]]
    return data.with_columns({name: codes}, [replace(attribute, categories=categories)])


def with_rows(release: Release, rows: Correspondence) -> Release:
    """The same files with another correspondence."""
    return Release(release.original, replace(release.masked, lineage=None), release.recipe, rows)


def without_correspondence() -> Iterator[tuple[str, Release, Release]]:
    """Releases whose correspondence is known, and the same where it is not or where there is none."""
    plain = ordinary_release()
    half = next(release for label, release in odd_releases() if label == "half of the rows")
    for label, release in (("an ordinary release", plain), ("half of the rows", half)):
        yield f"{label}, rows unknown", release, with_rows(release, Unknown("nobody says"))
        yield f"{label}, rows synthesised", release, with_rows(release, Unrelated())
