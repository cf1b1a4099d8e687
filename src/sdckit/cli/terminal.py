"""Output: tables for a person, JSON for a program, the bare result with `--quiet`; progress goes to stderr."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdckit.formatting import CONTROL, printable
from sdckit.json_text import to_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from sdckit.progress import Progress

EIGHTHS = " ▏▎▍▌▋▊▉"


@dataclass(frozen=True)
class Terminal:
    """Where a verb prints: `--json` prints the result as JSON, `--quiet` the bare result, else tables are printed."""

    json: bool = False
    quiet: bool = False

    @cached_property
    def console(self) -> "Console":
        """Where tables go."""
        from sdckit.cli.safe_console import safe_console

        return safe_console(highlight=False)

    @property
    def private_too(self) -> bool:
        """Whether the output may show values of records: on a terminal, not in a pipe or file, which is kept.

        Not the console's answer: `FORCE_COLOR`, which workflows set, makes it take a pipe for a terminal.
        """
        return sys.stdout is not None and sys.stdout.isatty()

    @property
    def chatty(self) -> bool:
        """Whether the output is for a person."""
        return not (self.json or self.quiet)

    def say(self, *parts: "RenderableType") -> None:
        """Show something to a person."""
        if self.chatty:
            for part in parts:
                self.console.print(part)

    def line(self, markup: str) -> None:
        """Show one line without wrapping it, so that a path or a command in it can be copied."""
        if self.chatty:
            self.console.print(markup, soft_wrap=True)

    def result(self, value: Any, bare: str = "") -> None:
        """The result for a program: as JSON, or bare for `--quiet`."""
        if self.json:
            print(json_text(value))
        elif self.quiet and bare:
            print(printable(bare))

    def warn(self, message: str) -> None:
        """Print what the user should know before relying on the result."""
        if not self.quiet:
            print(f"warning: {printable(message)}", file=sys.stderr)

    def note(self, message: str) -> None:
        """Something about the result that a person should read with it."""
        from rich.markup import escape

        self.say(f"[yellow]note:[/] {escape(message)}.")

    @contextmanager
    def progress(self, title: str, total: int | None = None, *, time_left: bool = False) -> Iterator["Progress"]:
        """Show on stderr what the block is doing: a bar on a terminal, else a line every few seconds."""
        from sdckit.cli.progress import BarProgress, LineProgress
        from sdckit.kernels.compiled import compilations
        from sdckit.progress import NoProgress

        compilations.before_first = None if self.quiet else _say_compiling
        try:
            if self.quiet:
                yield NoProgress()
            elif sys.stderr.isatty() and not self.json:
                with BarProgress(title, total, time_left=time_left) as bar:
                    yield bar
            else:
                with LineProgress(title, total, time_left=time_left) as lines:
                    yield lines
        finally:
            compilations.before_first = None


def _say_compiling() -> None:
    """Say why the first run takes longer."""
    print("compiling the kernels once; later runs start at once", file=sys.stderr, flush=True)


def json_text(value: Any) -> str:
    """A value as JSON; characters that would command a terminal are escaped, which JSON reads as the same text."""
    return CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", to_json(value, indent=2))


def count(number: int, noun: str = "") -> str:
    """A number with its noun, in the plural where needed.

    >>> count(1, "record"), count(12000, "record")
    ('1 record', '12,000 records')
    """
    return f"{number:,}" + (f" {noun}{'' if number == 1 else 's'}" if noun else "")


def listed(names: Iterable[str]) -> str:
    """Names separated by commas; one that contains a comma is in quotes.

    >>> listed(["age", "income, net"])
    "age, 'income, net'"
    """
    return ", ".join(repr(name) if "," in name else name for name in names)


def bar(value: float, before: float | None = None, width: int = 12) -> str:
    """A share as a bar: the share now is solid, the share before is light.

    >>> bar(0.25, 0.5, width=8), bar(0.3, width=4)
    ('██░░', '█▎')
    """
    eighths = round(min(max(value, 0.0), 1.0) * width * 8)
    whole, part = divmod(eighths, 8)
    solid = "█" * whole + (EIGHTHS[part] if part else "")
    light = round(min(max(before or 0.0, 0.0), 1.0) * width) - len(solid)
    return solid + "░" * max(light, 0)
