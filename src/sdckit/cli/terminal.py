"""What the person or the program at the other end sees: tables, JSON or next to nothing; progress goes to stderr."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

EIGHTHS = " ▏▎▍▌▋▊▉"


@dataclass(frozen=True)
class Terminal:
    """One end of a verb: `--json` prints the result as JSON, `--quiet` the bare result, else it is set in tables."""

    json: bool = False
    quiet: bool = False

    @cached_property
    def console(self) -> "Console":
        """Where tables go."""
        from rich.console import Console

        return Console(highlight=False)

    @property
    def chatty(self) -> bool:
        """Whether a person reads along."""
        return not (self.json or self.quiet)

    def say(self, *parts: "RenderableType") -> None:
        """Show something to a person."""
        if self.chatty:
            for part in parts:
                self.console.print(part)

    def line(self, markup: str) -> None:
        """Show one line as it is, for paths and commands that are to be copied: only the terminal itself wraps it."""
        if self.chatty:
            self.console.print(markup, soft_wrap=True)

    def result(self, value: Any, bare: str = "") -> None:
        """The result for a program: as JSON, or bare for `--quiet`."""
        if self.json:
            print(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=str))
        elif self.quiet and bare:
            print(bare)

    def warn(self, message: str) -> None:
        """Something the user should know before relying on the result."""
        if not self.quiet:
            print(f"warning: {message}", file=sys.stderr)

    @contextmanager
    def progress(self, title: str, total: int | None = None) -> Iterator[Callable[[str], None]]:
        """A bar (or a spinner, with no total) while the block runs; call it with the name of each piece begun."""
        if not (self.chatty and sys.stderr.isatty()):
            yield lambda piece: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = [SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()]
        if total is not None:
            columns.insert(2, BarColumn(bar_width=24))
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(title, total=total)
            begun = 0

            def begin(piece: str) -> None:
                nonlocal begun
                bar.update(task, description=f"{title}: {piece}", completed=begun)
                begun += 1

            yield begin

    @contextmanager
    def countdown(self, title: str) -> Iterator[Callable[[int, int, str], None]]:
        """A bar with the time left; call it with how many pieces of how many are done, and what the last one was."""
        if not (self.chatty and sys.stderr.isatty()):
            yield lambda done, total, piece: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = [TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn()]
        with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(title, total=None)
            begun = False

            def tell(done: int, total: int, piece: str) -> None:
                nonlocal begun
                if not begun:  # what was done before tells nothing of the pace
                    bar.reset(task, total=total, completed=done)
                    begun = True
                bar.update(task, description=f"{title}: {piece}" if piece else title, completed=done, total=total)

            yield tell


def count(number: int, noun: str = "") -> str:
    """A number with its noun, in the plural where it has to be.

    >>> count(1, "record"), count(12000, "record")
    ('1 record', '12,000 records')
    """
    return f"{number:,}" + (f" {noun}{'' if number == 1 else 's'}" if noun else "")


def listed(names: Iterable[str]) -> str:
    """Names in a row; one that has a comma itself is set in quotes.

    >>> listed(["age", "income, net"])
    "age, 'income, net'"
    """
    return ", ".join(repr(name) if "," in name else name for name in names)


def bar(value: float, before: float | None = None, width: int = 12) -> str:
    """A share as a bar: what is left is solid, what was there before is light.

    >>> bar(0.25, 0.5, width=8), bar(0.3, width=4)
    ('██░░', '█▎')
    """
    eighths = round(min(max(value, 0.0), 1.0) * width * 8)
    whole, part = divmod(eighths, 8)
    solid = "█" * whole + (EIGHTHS[part] if part else "")
    light = round(min(max(before or 0.0, 0.0), 1.0) * width) - len(solid)
    return solid + "░" * max(light, 0)
