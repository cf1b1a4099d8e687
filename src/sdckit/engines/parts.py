"""Parts: a file on disk as columns of numbers and codes, cut into parts of the same number of records.

Each stage of the work writes the columns that it changed; a column is read from the last stage that wrote it. A part is
written whole or not at all, so that work that was interrupted goes on at the part where it stopped.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
from numpy.typing import NDArray

from sdckit.attribute import Attribute
from sdckit.engines.header import Header
from sdckit.microdata import Microdata
from sdckit.read_only import seal


@dataclass(frozen=True)
class Cut:
    """A file of so many records in parts of so many."""

    records: int
    part_records: int

    def __len__(self) -> int:
        return -(-self.records // self.part_records)

    def span(self, part: int) -> tuple[int, int]:
        """The first record of a part, and the first after it."""
        start = part * self.part_records
        return start, min(start + self.part_records, self.records)

    def numbers(self, part: int) -> NDArray[np.int64]:
        """The numbers of the records of a part."""
        return np.arange(*self.span(part))


@dataclass(frozen=True, eq=False)
class WorkingFile:
    """A file in parts: what its columns mean now, and the stage that each column was last written by.

    `codes` are those of missing values by column, and `codes_stage` has, for each row, why its value was missing.
    """

    folder: Path
    cut: Cut
    header: Header
    stage_of: Mapping[str, str]
    codes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    codes_stage: str = ""

    def path(self, stage: str, part: int) -> Path:
        """The file of a part of a stage."""
        return self.folder / stage / f"part-{part:06d}.arrow"

    def columns(self, part: int, names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Some columns of a part."""
        found: dict[str, NDArray[Any]] = {}
        for stage in dict.fromkeys(self.stage_of[name] for name in names):
            own = [name for name in names if self.stage_of[name] == stage]
            table = feather.read_table(self.path(stage, part), columns=own, memory_map=False)
            found |= {name: table.column(name).to_numpy() for name in own}
        return {name: found[name] for name in names}

    def chunk(self, part: int, names: Sequence[str]) -> Microdata:
        """A part of the file with these columns."""
        return self.header.chunk(self.columns(part, names))

    def column(self, name: str) -> NDArray[Any]:
        """One column of all records, in memory."""
        out = np.empty(self.cut.records, np.int32 if self.header.attribute(name).coded else np.float64)
        for part in range(len(self.cut)):
            start, end = self.cut.span(part)
            out[start:end] = self.columns(part, [name])[name]
        return out

    def in_memory(self, names: Sequence[str]) -> Microdata:
        """Some columns of all records, in memory."""
        return self.header.chunk({name: seal(self.column(name)) for name in names})

    def write(self, stage: str, part: int, columns: Mapping[str, NDArray[Any]]) -> None:
        """Write some columns of a part under a stage, whole or not at all."""
        write_columns(self.path(stage, part), columns)

    def written(self, stage: str, part: int) -> bool:
        """Whether a part was written under a stage."""
        return self.path(stage, part).exists()

    def after(
        self,
        stage: str,
        names: Sequence[str],
        attributes: Sequence[Attribute] = (),
        missing: Mapping[str, int] | None = None,
    ) -> "WorkingFile":
        """The file whose columns of these names are those of a stage."""
        header = self.header.after(tuple(attributes), missing)
        return replace(self, header=header, stage_of={**self.stage_of, **dict.fromkeys(names, stage)})

    def batches(self, names: Sequence[str]) -> Iterator[dict[str, NDArray[Any]]]:
        """Some columns part by part, in the order of the records."""
        return (self.columns(part, names) for part in range(len(self.cut)))


def write_columns(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write columns to a file that appears whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    table = pa.table({name: np.ascontiguousarray(column) for name, column in columns.items()})
    try:
        feather.write_feather(table, temporary, compression="uncompressed")
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
