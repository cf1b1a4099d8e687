"""Pair: the original and the masked file in parts, row i of one belonging to record i of the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdckit.attribute import Kind, Role
from sdckit.engines.parts import WorkingFile
from sdckit.errors import NotApplicableError
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import Release, aligned


@dataclass(frozen=True, eq=False)
class Pair:
    """A release in parts; the files have the same number of records, in the same order."""

    original: WorkingFile
    masked: WorkingFile
    recipe: Recipe | None = None

    @property
    def records(self) -> int:
        """The number of records."""
        return self.original.cut.records

    def chunks(self, part: int, names: Sequence[str]) -> tuple[Microdata, Microdata]:
        """Some columns of a part of both files, with codes that mean the same in both."""
        original = self.original.chunk(part, names)
        return original, aligned(self.masked.chunk(part, names), original)

    def evaluated(self, kind: Kind) -> tuple[str, ...]:
        """The attributes that a loss is measured on, as for a release in memory, with a value in the original."""
        return tuple(
            name for name in self.slim().evaluated_attributes(kind) if self.original.header.missing(name) < self.records
        )

    def keys(self) -> tuple[str, ...]:
        """The keys that the release still has; an error where there is none."""
        names = tuple(name for name in self.original.header.names(role=Role.KEY) if name in self.masked.header)
        if not names:
            raise NotApplicableError("the intruder knows no attribute that the release still has")
        return names

    def slim(self, records: int = 1) -> Release:
        """The first records of the release in memory: what its columns mean, and a sample to check the rows by."""
        original, masked = (first_records(file, records) for file in (self.original, self.masked))
        return Release.in_order(original, masked, self.recipe)


def first_records(file: WorkingFile, records: int) -> Microdata:
    """The first records of a file, in memory."""
    names = [each.name for each in file.header.attributes if each.name in file.stage_of]
    parts = range(-(-min(records, file.cut.records) // file.cut.part_records))
    pieces = [file.columns(part, names) for part in parts]
    return file.header.chunk({name: np.concatenate([each[name] for each in pieces])[:records] for name in names})
