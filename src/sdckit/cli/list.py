"""`sdckit list`: what there is."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.catalogue import Entry

TITLES = {"masking": "Maskings", "risk": "Risks", "loss": "Losses"}


def list_entries(
    kind: Annotated[
        str | None, typer.Argument(metavar="[masking|risk|loss]", help="Only these.", show_default=False)
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the maskings, risks and losses there are.

    Example: sdckit list risk
    """
    from sdckit.catalogue import entries

    terminal = Terminal(json, quiet)
    found = entries(kind)
    for each, of_kind in groupby(found, key=lambda entry: entry.kind):
        terminal.say(f"[bold]{TITLES[each]}[/]", _table(list(of_kind)), "")
    terminal.say("[dim]`sdckit show NAME` tells the definition, the parameters and the reference.[/]")
    terminal.result([told(entry) for entry in found], "\n".join(entry.name for entry in found))


def _table(found: "Sequence[Entry]") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for family, members in groupby(found, key=lambda entry: entry.family):
        table.add_row(f"  [dim]{family.replace('_', ' ')}[/]")
        for entry in members:
            table.add_row(f"    [cyan]{entry.name}[/]", escape(entry.summary))
    return table


def told(entry: "Entry") -> dict[str, Any]:
    """An entry as plain values."""
    from sdckit.measure import plain
    from sdckit.references import citation

    return {
        "kind": entry.kind,
        "name": entry.name,
        "family": entry.family,
        "summary": entry.summary,
        "description": entry.description,
        "excludes": excludes(entry) if entry.kind == "masking" else None,
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


def excludes(entry: "Entry") -> str:
    """What a masking lets an intruder exclude, in the words of its `candidates`, or why it excludes nothing."""
    from inspect import getdoc

    from sdckit.masking import Masking

    own = getattr(entry.component, "candidates", Masking.candidates)
    if own is not Masking.candidates:
        return " ".join((getdoc(own) or "").split())
    why = [part for part in entry.description.split("\n\n") if part.startswith("Excludes nothing")]
    return " ".join(why[0].split()) if why else "Nothing."


VERB = Verb(list_entries, group="Look things up and try them out", order=50)
