"""Progress on stderr: a bar on a terminal, elsewhere a plain line every few seconds."""

import sys
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sdckit.formatting import printable

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

SECONDS_BETWEEN_LINES = 10.0


class LineProgress:
    """A line such as `measuring 12/40: distance-linkage (35 s)` for every few seconds of work; none for quick work.

    With `time_left`, the pieces take about as long as each other, and the line says how long the rest will take.
    """

    cancelled = False

    def __init__(self, title: str, total: int | None = None, *, time_left: bool = False) -> None:
        self.title, self.total, self.time_left = title, total, time_left
        self.pieces, self.label = 0, ""
        self.start = monotonic()
        self._ended = Event()
        self._thread = Thread(target=self._print_now_and_then, daemon=True)

    def begin(self, total: int | None = None) -> None:
        """Work of this many pieces starts."""
        self.total, self.pieces = total, 0

    def advance(self, label: str = "") -> None:
        """The piece of this name starts."""
        self.pieces += 1
        self.label = label

    def line(self) -> str:
        """What is being done now, and for how long."""
        number = "" if not self.pieces else f" {self.pieces}/{self.total}" if self.total else f" {self.pieces}"
        label = f": {self.label}" if self.label else ""
        seconds = monotonic() - self.start
        left = ""
        if self.time_left and self.total and self.pieces > 1:
            rest = seconds / (self.pieces - 1) * max(self.total - self.pieces + 1, 0)
            left = f", about {rest:.0f} s left" if rest < 100 else f", about {rest / 60:.0f} min left"
        return f"{self.title}{number}{label} ({seconds:.0f} s{left})"

    def _print_now_and_then(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LINES):
            print(printable(self.line()), file=sys.stderr, flush=True)

    def __enter__(self) -> "LineProgress":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()


class BarProgress:
    """A bar that vanishes when the work is done; a spinner where the number of pieces is not known."""

    cancelled = False

    def __init__(self, title: str, total: int | None = None, *, time_left: bool = False) -> None:
        self.title, self.pieces = title, 0
        self.bar: Any = _bar(total is not None or time_left, time_left)
        self.task = self.bar.add_task(title, total=total)

    def begin(self, total: int | None = None) -> None:
        """Work of this many pieces starts."""
        self.pieces = 0
        self.bar.reset(self.task, total=total)

    def advance(self, label: str = "") -> None:
        """The piece of this name starts."""
        self.bar.update(self.task, description=f"{self.title}: {label}" if label else self.title, completed=self.pieces)
        self.pieces += 1

    def __enter__(self) -> "BarProgress":
        self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.stop()


def _bar(known: bool, time_left: bool) -> Any:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from sdckit.cli.safe_console import safe_console

    columns: list[ProgressColumn] = [SpinnerColumn(), TextColumn("{task.description}")]
    columns += [BarColumn(bar_width=24)] if known else []
    columns += [MofNCompleteColumn(), TimeRemainingColumn()] if time_left else [TimeElapsedColumn()]
    return Progress(*columns, console=safe_console(stderr=True), transient=True)
