"""The strongest relations of a file, before and after masking, as a table."""

from typing import TYPE_CHECKING

from sdckit.cli.scores import table_of
from sdckit.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


def say_relations(terminal: Terminal, strongest: "Sequence[Mapping[str, Any]]", by: str = "") -> None:
    """Print the association of each pair before and after; nothing where there is none."""
    if not terminal.chatty or not strongest:
        return
    from rich.markup import escape

    table = table_of("Strongest relations" + (f", {by}" if by else ""), ("before", "after"))
    table.add_column("association")
    for each in strongest:
        table.add_row(
            escape(f"{each['first']} – {each['second']}"),
            f"{each['before']:.2f}",
            f"[bold]{each['after']:.2f}[/]",
            f"[dim]{each['measure']}[/]",
        )
    terminal.say(table)
