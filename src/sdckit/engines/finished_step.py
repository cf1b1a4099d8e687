"""Finished step: what a run that goes on needs to know of a step whose parts are all written."""

import os
import pickle
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sdckit.attribute import Attribute
from sdckit.engines.parts import WorkingFile


@dataclass(frozen=True)
class FinishedStep:
    """The stage of each column that a step masked, what these columns mean now, and the notes on the step."""

    stage_of: dict[str, str]
    attributes: tuple[Attribute, ...]
    missing: dict[str, int]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, file: WorkingFile, names: tuple[str, ...], notes: tuple[str, ...]) -> "FinishedStep":
        """A step that gave this file."""
        return cls(
            {name: file.stage_of[name] for name in names},
            tuple(file.header.attribute(name) for name in names),
            {name: file.header.missing(name) for name in names},
            notes,
        )

    @classmethod
    def read(cls, path: Path) -> "FinishedStep | None":
        """The step that an earlier run finished; None where it did not."""
        try:
            found = pickle.loads(path.read_bytes())  # the working folder is of this user alone
        except Exception:  # none, or not whole
            return None
        return found if isinstance(found, cls) else None

    def write(self, path: Path) -> None:
        """Keep the step for a run that goes on; one that cannot be kept is done again."""
        with suppress(pickle.PicklingError, AttributeError, TypeError):
            write_whole(path, pickle.dumps(self))

    def after(self, file: WorkingFile) -> WorkingFile:
        """The file after the step."""
        for name, stage in self.stage_of.items():
            file = file.after(stage, [name])
        return file.after("", (), self.attributes, self.missing)


def write_whole(path: Path, content: bytes) -> None:
    """Write a small file that appears whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    os.replace(temporary, path)
