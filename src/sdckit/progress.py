"""Progress: how long-running work reports what it is doing, and is asked to stop.

Work that consists of pieces calls `begin` with their number, then `advance` with the name of each piece as it starts,
and stops where `cancelled` is true.
"""

from collections.abc import Callable
from typing import Protocol

from sdckit.errors import SdcError


class Progress(Protocol):
    """An observer of long work: a terminal, a web page, a notebook or none."""

    @property
    def cancelled(self) -> bool:
        """Whether the work should stop."""
        ...

    def begin(self, total: int | None = None) -> None:
        """Work of this many pieces starts; None where their number is not known."""
        ...

    def advance(self, label: str = "") -> None:
        """The piece of this name starts; the one before it is done."""
        ...


class Cancelled(SdcError):
    """The work was stopped on request."""


class NoProgress:
    """No observer: nothing is shown, and the work is never cancelled."""

    cancelled = False

    def begin(self, total: int | None = None) -> None:
        """Nothing is shown."""

    def advance(self, label: str = "") -> None:
        """Nothing is shown."""


def by_piece(progress: Progress, total: int | None = None) -> Callable[[str], None]:
    """The progress of a number of pieces as a function of the name of each piece that starts."""
    progress.begin(total)

    def start(label: str) -> None:
        if progress.cancelled:
            raise Cancelled("the work was cancelled")
        progress.advance(label)

    return start


def by_count(progress: Progress) -> Callable[[int, int, str], None]:
    """The progress as a function of how many pieces of how many are done, and of the name of the last one."""
    total_shown: int | None = None
    started = 0

    def finish(done: int, total: int, label: str) -> None:
        nonlocal total_shown, started
        if progress.cancelled:
            raise Cancelled("the work was cancelled")
        if total != total_shown:
            progress.begin(total)
            total_shown, started = total, 0
        while started <= min(done, total - 1):
            progress.advance(label)
            started += 1

    return finish
