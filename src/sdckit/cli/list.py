"""`sdckit list`: the methods and measures of the catalogue."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

from sdckit.cli.command import Argument
from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.catalogue import Entry, Listed

TITLES = {"masking": "Maskings", "risk": "Risks", "loss": "Losses"}


def list_entries(
    kind: Annotated[str | None, Argument(metavar="[masking|risk|loss]", help="List only this kind.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the maskings, risks and losses.

    Example: sdckit list risk
    """
    from sdckit.catalogue import entries, listing

    terminal = Terminal(json, quiet)
    if json:
        terminal.result([describe_entry(entry) for entry in entries(kind)])
        return
    listed = listing(kind)
    for each, of_kind in groupby(listed, key=lambda entry: entry.kind):
        terminal.say(f"[bold]{TITLES[each]}[/]", _table([*of_kind]), "")
    terminal.say("[dim]`sdckit show NAME` shows the definition, the parameters and the reference.[/]")
    terminal.result(None, "\n".join(entry.name for entry in listed))


def _table(listed: "Sequence[Listed]") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for family, members in groupby(listed, key=lambda entry: entry.family):
        table.add_row(f"  [dim]{family.replace('_', ' ')}[/]")
        for entry in members:
            table.add_row(f"    [cyan]{entry.name}[/]", escape(entry.summary))
    return table


def describe_entry(entry: "Entry") -> dict[str, Any]:
    """An entry as plain values for JSON."""
    from sdckit.measure import plain
    from sdckit.references import citation
    from sdckit.sections import one_line

    return {
        "kind": entry.kind,
        "name": entry.name,
        "family": entry.family,
        "summary": entry.summary,
        "description": entry.description,
        "excludes": one_line(entry.exclusions) or "Nothing." if entry.kind == "masking" else None,
        "parameters": [
            {
                "name": declared.name,
                "type": declared.type_name,
                "default": plain(declared.default),
                "help": declared.help,
                "low": declared.low,
                "high": declared.high,
                "grid": plain(declared.grid),
            }
            for declared in entry.parameters
        ],
        "reference": citation(entry.reference),
    }


VERB = Verb(list_entries, group="Look things up and try them out", order=50)
