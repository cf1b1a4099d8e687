"""A console on which no text from a file can command the terminal."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sdckit.formatting import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment


def safe_console(**options: Any) -> "Console":
    """A console of rich that shows control characters in what is printed, and obeys only its own; `:name:` is text."""
    from rich.console import Console
    from rich.segment import Segment

    class SafeConsole(Console):
        def render(self, renderable: "RenderableType", options: "ConsoleOptions | None" = None) -> "Iterable[Segment]":
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(printable(segment.text), segment.style)

    return SafeConsole(emoji=False, **options)
