"""Intruder: what an attacker knows. The defaults are the worst case: every key of every record, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.external import External
from sdckit.kernels.standardisation import standardise_like
from sdckit.knowledge import Knowledge
from sdckit.microdata import Kind, Microdata, Role
from sdckit.randomness import child, generator
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.rows import Unknown


@dataclass(frozen=True, eq=False)
class OtherRelease:
    """Another release of the same file that the intruder has too.

    `row_of` gives its row for each row of the release that is attacked (−1: none), where a common identifier shows it.
    Left out, the rows were released apart: the intruder looks whether both files are in the same order, and otherwise
    links them by the attributes that both have.
    """

    masked: Microdata
    recipe: Recipe | None = None
    row_of: NDArray[np.int64] | None = field(default=None, repr=False)

    @classmethod
    def in_order(cls, masked: Microdata, recipe: Recipe | None = None) -> "OtherRelease":
        """A release that lists the same people in the same order."""
        return cls(masked, recipe, np.arange(len(masked)))

    def linked(self, rows: int) -> NDArray[np.int64] | None:
        """The row of this release for each row of the one attacked; None where that is not known."""
        if self.row_of is None:
            return None
        links = np.asarray(self.row_of, dtype=np.int64)
        if len(links) != rows or links.max(initial=-1) >= len(self.masked) or links.min(initial=-1) < -1:
            raise ParameterError(
                f"the links must name one of the {len(self.masked)} rows of the other release for each of the {rows}"
            )
        return links


@dataclass(frozen=True, eq=False)
class AttackerView:
    """What an attacker sees of a release: everything but which row belongs to which record.

    `attributes`  the known attributes that the release still has
    `records`     the number in the original of each known record, −1 where it is none of them; links are scored by it
    `known`       the known attributes of the known records, with the attacker's errors
    `released`    the masked file
    `original`    the original file, for what an attacker is assumed to know of its distribution: ranges, means, ranks
    `ordered`     the ordered attributes that both files have, in the order of the original
    `recipe`      how the file was masked, where the attacker knows it
    `exact`       whether known values are those of the original, without error
    `error`       the standard deviation of the errors in known numbers, as a share of the attribute's
    `holes`       whether values are not known that the original has
    `also`        the views of other releases of the file, with the row of each that belongs to each row here, or None
    """

    attributes: tuple[str, ...]
    records: NDArray[np.int64]
    known: Microdata
    released: Microdata
    original: Microdata
    ordered: tuple[str, ...]
    recipe: Recipe | None = None
    exact: bool = True
    error: float = 0.0
    holes: bool = False
    also: "tuple[tuple[AttackerView, NDArray[np.int64] | None], ...]" = ()

    def __len__(self) -> int:
        """The number of known records."""
        return len(self.records)

    @property
    def everyone(self) -> bool:
        """Whether all records of the original are known."""
        return len(self.records) == len(self.original)

    @property
    def published_recipe(self) -> Recipe:
        """The recipe; an error where the attacker does not know it."""
        if self.recipe is None:
            raise NotApplicableError("the intruder does not know how the file was masked; give the recipe")
        return self.recipe

    def names(self, kind: Kind) -> tuple[str, ...]:
        """The known attributes, or those of them that are ordered."""
        return self.attributes if kind is Kind.ANY else tuple(name for name in self.attributes if name in self.ordered)

    def only(self, attributes: Sequence[str]) -> "AttackerView":
        """The same with fewer attributes known."""
        return replace(self, attributes=tuple(attributes), known=self.known.only(attributes))

    def take(self, positions: NDArray[np.int64]) -> "AttackerView":
        """The same with some of the known records."""
        return replace(self, records=self.records[positions], known=self.known.take(positions))

    def matrices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Known and released values of the known attributes, which are ordered, in their own units."""
        return self.known.matrix(self.attributes), self.released.matrix(self.attributes)

    def standardised(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same, each file standardised by its own mean and standard deviation: attributes have equal weight."""
        known, released = self.matrices()
        # Summed up by size, two files of the same values standardise alike, to the last bit, whatever their order.
        original = np.sort(self.original.matrix(self.attributes), axis=0)
        return standardise_like(known, original), standardise_like(released, np.sort(released, axis=0))


@dataclass(frozen=True)
class Intruder:
    """An attacker who knows some attributes of some records, and perhaps how the file was masked.

    `attributes`    the ones known; none named means every key, or all that are in the intruder's own file
    `records`       the ones known, as a share drawn at random or as record numbers; none named means all
    `noise`         error on known numbers, as a share of their standard deviation
    `missing`       share of the known values that the intruder does not have after all
    `knows_method`  whether method and parameters are public
    `knowledge`     the sets of these attributes over which a linkage is averaged; by default, all at once
    `file`          a file of the intruder's own, of which `records` are then the rows; by default, the original itself
    `also`          other releases of the same file

    Records and errors are drawn from the seed, 0 where none is given: what one intruder knows stays the same from one
    question to the next.
    """

    attributes: Sequence[str] | None = None
    records: float | tuple[int, ...] | None = None
    noise: float = 0.0
    missing: float = 0.0
    knows_method: bool = True
    knowledge: Knowledge = Knowledge()
    file: External | None = None
    also: tuple[OtherRelease, ...] = ()

    def __post_init__(self) -> None:
        if self.attributes is not None:
            names = (self.attributes,) if isinstance(self.attributes, str) else tuple(self.attributes)
            object.__setattr__(self, "attributes", names)
        if isinstance(self.records, Sequence | np.ndarray):
            object.__setattr__(self, "records", tuple(int(record) for record in self.records))
        elif self.records is not None and not 0 < self.records <= 1:
            raise ParameterError(
                f"the intruder's share of records is {self.records:g}; use a share in 0..1 or a list of records"
            )
        if not 0 <= self.missing <= 1:
            raise ParameterError(f"the intruder's share of unknown values is {self.missing:g}; use 0 to 1")
        if not 0 <= self.noise < np.inf:
            raise ParameterError(
                f"the intruder's noise is {self.noise:g}; use 0 or more (a share of the standard deviation)"
            )

    def source_file(self, release: Release) -> Microdata:
        """The file that the intruder's knowledge comes from, with the original's names and codes."""
        return release.original if self.file is None else self.file.in_terms_of(release.original)

    def known_attributes(self, release: Release, kind: Kind = Kind.ANY) -> tuple[str, ...]:
        """The attributes of a kind that the intruder knows and the release still has."""
        source = self.source_file(release)
        if self.attributes is not None:
            requested = tuple(self.attributes)
        else:
            requested = source.names(role=Role.KEY) if self.file is None else source.names()
        forms = {name: source.attribute(name).coded for name in requested}
        return tuple(
            name
            for name in requested
            if name in release.shared_attributes(kind) and release.original.attribute(name).coded == forms[name]
        )

    def known_rows(self, release: Release, seed: int | None = None) -> NDArray[np.int64]:
        """The rows of the source file that the intruder knows."""
        n = len(self.source_file(release))
        if self.records is None:
            return np.arange(n)
        if isinstance(self.records, tuple):
            known = np.array(self.records, dtype=np.int64)
            if len(known) == 0 or known.min() < 0 or known.max() >= n:
                raise ParameterError(f"the intruder's records must be numbers from 0 to {n - 1}, at least one")
            return np.unique(known)
        size = max(1, round(self.records * n))
        return np.sort(child(generator(seed or 0), "intruder", "records").choice(n, size, replace=False))

    def known_records(self, release: Release, seed: int | None = None) -> NDArray[np.int64]:
        """The records of the original file that the known rows are; −1 where a row of the own file is none of them."""
        rows = self.known_rows(release, seed)
        return rows if self.file is None else self.file.records(release.original)[rows]

    def view(self, release: Release, *, seed: int | None = None) -> AttackerView:
        """What this intruder sees of a release; the correspondence of rows and records is not in it."""
        names = self.known_attributes(release)
        if not names:
            raise NotApplicableError("the intruder knows no attribute that the release still has")
        return AttackerView(
            names,
            self.known_records(release, seed),
            self.known_file(release, seed=seed).as_records(),
            replace(release.masked.as_records(), lineage=None),
            release.original.as_records(),
            release.shared_attributes(Kind.ORDERED),
            release.recipe if self.knows_method else None,
            exact=not self.noise and self.file is None,
            error=self.noise,
            holes=bool(self.missing),
            also=tuple(view for each in self.also for view in self._other_views(release, each, seed)),
        )

    def _other_views(
        self, release: Release, other: OtherRelease, seed: int | None
    ) -> list[tuple[AttackerView, NDArray[np.int64] | None]]:
        """What this intruder sees of another release, and its row for each row of the release attacked, if known.

        None where it has no attribute that the intruder knows: it then says nothing about the known records.
        """
        beside = Release(release.original, other.masked, other.recipe, Unknown("it is seen beside another release"))
        links, alone = other.linked(len(release.masked)), replace(self, also=())
        return [(alone.view(beside, seed=seed), links)] if alone.known_attributes(beside) else []

    def known_file(self, release: Release, *, seed: int | None = None) -> Microdata:
        """The known attributes of the known records, numbers disturbed by the noise."""
        source = self.source_file(release).only(self.known_attributes(release))
        rows = self.known_rows(release, seed)
        file = source.take(rows)
        # Drawn by attribute and for all rows: what is known of a record does not depend on what else is known.
        columns = {each.name: file.columns[each.name] for each in file.attributes}
        for each in file.attributes:
            draws = child(generator(seed or 0), "intruder", each.name)
            if self.noise and not each.coded:
                deviation = np.nanstd(release.original.columns[each.name])
                columns[each.name] = (
                    columns[each.name] + self.noise * deviation * draws.standard_normal(len(source))[rows]
                )
            if self.missing:
                lost = child(draws, "missing").random(len(source))[rows] < self.missing
                columns[each.name] = np.where(lost, -1 if each.coded else np.nan, columns[each.name])
        return file.with_columns(columns)

    def scenarios(
        self, view: AttackerView, kind: Kind = Kind.ANY, *, seed: int | None = None
    ) -> tuple[AttackerView, ...]:
        """The view once for each set of attributes of a kind that the rule of knowledge tries."""
        sets = self.knowledge.sets(view.names(kind), child(generator(seed or 0), "intruder", "knowledge"))
        return tuple(view.only(names) for names in sets)
