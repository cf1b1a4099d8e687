"""Kept pieces: how many cells or partitions of a step are done, so that a run that goes on begins with the next one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.engines.finished_step import write_whole

KEPT_EVERY = 5.0  # seconds: what was done meanwhile is done again
SHARE = 0.1  # of the time, at most, that is spent on keeping


@dataclass(eq=False)
class KeptPieces:
    """The number of pieces that are done, and figures about them; the arrays are on disk before the number is."""

    path: Path
    arrays: Sequence[NDArray[Any]] = ()
    done: int = 0
    figures: dict[str, Any] = field(default_factory=dict)
    _due: float = field(default_factory=lambda: monotonic() + KEPT_EVERY)

    @classmethod
    def read(cls, path: Path) -> "KeptPieces":
        """What an earlier run kept; nothing where there was none."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return cls(path, (), int(found["done"]), dict(found["figures"]))
        except (OSError, ValueError, KeyError, TypeError):
            return cls(path)

    def add(self, figures: dict[str, Any]) -> None:
        """One more piece is done."""
        self.done += 1
        self.figures = figures
        if monotonic() >= self._due:
            self.keep()

    def keep(self) -> None:
        """Write what is done."""
        start = monotonic()
        for each in self.arrays:
            if isinstance(each, np.memmap):
                each.flush()
        write_whole(self.path, json.dumps({"done": self.done, "figures": self.figures}).encode())
        end = monotonic()
        self._due = end + max(KEPT_EVERY, (end - start) / SHARE)
