"""Intruder: what an attacker knows. The defaults are the worst case: every key of every record, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.external import External
from sdckit.kernels.standardisation import standardise_like
from sdckit.knowledge import Knowledge
from sdckit.microdata import Kind, Microdata, Role
from sdckit.randomness import child, generator
from sdckit.release import Release


@dataclass(frozen=True)
class View:
    """What an intruder holds against a release; `truth` is the true row of each known record, −1 where it has none."""

    names: tuple[str, ...]
    known: NDArray[np.float64]
    released: NDArray[np.float64]
    truth: NDArray[np.int64]
    records: NDArray[np.int64]


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

    def __post_init__(self) -> None:
        if self.attributes is not None:
            names = (self.attributes,) if isinstance(self.attributes, str) else tuple(self.attributes)
            object.__setattr__(self, "attributes", names)
        if isinstance(self.records, Sequence | np.ndarray):
            object.__setattr__(self, "records", tuple(int(record) for record in self.records))
        elif self.records is not None and not 0 < self.records <= 1:
            raise ParameterError(
                f"the intruder's share of records is {self.records:g}; take a share in 0..1 or a list of records"
            )
        if not 0 <= self.missing <= 1:
            raise ParameterError(f"the intruder's share of unknown values is {self.missing:g}; take 0 to 1")
        if not 0 <= self.noise < np.inf:
            raise ParameterError(f"the intruder's noise is {self.noise:g}; take 0 or more (a share of the spread)")

    def held_file(self, release: Release) -> Microdata:
        """The file that the intruder's knowledge comes from, in the terms of the original."""
        return release.original if self.file is None else self.file.in_terms_of(release.original)

    def known_attributes(self, release: Release, kind: Kind = Kind.ANY) -> tuple[str, ...]:
        """The attributes of a kind that the intruder knows and the release still has."""
        held = self.held_file(release)
        if self.attributes is not None:
            wanted = tuple(self.attributes)
        else:
            wanted = held.names(role=Role.KEY) if self.file is None else held.names()
        forms = {name: held.attribute(name).coded for name in wanted}
        return tuple(
            name
            for name in wanted
            if name in release.shared_attributes(kind) and release.original.attribute(name).coded == forms[name]
        )

    def known_rows(self, release: Release, seed: int | None = None) -> NDArray[np.int64]:
        """The rows of the held file that the intruder knows."""
        n = len(self.held_file(release))
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

    def view(self, release: Release, *, seed: int | None = None) -> View:
        """Known and released values of the ordered attributes, in their own units."""
        names = self.known_attributes(release, Kind.ORDERED)
        if not names:
            raise NotApplicableError("the intruder knows no ordered attribute that the release still has")
        records = self.known_records(release, seed)
        known = self.known_file(release, seed=seed).matrix(names)
        return View(names, known, release.masked.matrix(names), release.true_rows(records), records)

    def known_file(self, release: Release, *, seed: int | None = None) -> Microdata:
        """What the intruder holds: the known attributes of the known records, numbers disturbed by the noise."""
        held = self.held_file(release).only(self.known_attributes(release))
        rows = self.known_rows(release, seed)
        file = held.take(rows)
        # Drawn by attribute and for all rows: what is known of a record does not hang on what else is known.
        columns = {each.name: file.columns[each.name] for each in file.attributes}
        for each in file.attributes:
            draws = child(generator(seed or 0), "intruder", each.name)
            if self.noise and not each.coded:
                spread = np.nanstd(release.original.columns[each.name])
                columns[each.name] = columns[each.name] + self.noise * spread * draws.standard_normal(len(held))[rows]
            if self.missing:
                lost = child(draws, "missing").random(len(held))[rows] < self.missing
                columns[each.name] = np.where(lost, -1 if each.coded else np.nan, columns[each.name])
        return file.with_columns(columns)

    def scenarios(self, release: Release, kind: Kind = Kind.ANY, *, seed: int | None = None) -> "tuple[Intruder, ...]":
        """This intruder once for each set of attributes that the rule of knowledge tries."""
        names = self.known_attributes(release, kind)
        sets = self.knowledge.sets(names, child(generator(seed or 0), "intruder", "knowledge"))
        return tuple(replace(self, attributes=chosen, knowledge=Knowledge()) for chosen in sets)

    def standardised_view(self, release: Release, *, seed: int | None = None) -> View:
        """The same with each file standardised by its own mean and spread, so that attributes weigh alike."""
        view = self.view(release, seed=seed)
        # Summed up by size, two files of the same values standardise alike, to the last bit, whatever their order.
        original, released = np.sort(release.original.matrix(view.names), axis=0), np.sort(view.released, axis=0)
        known, masked = standardise_like(view.known, original), standardise_like(view.released, released)
        return View(view.names, known, masked, view.truth, view.records)
