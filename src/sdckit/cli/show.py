"""`sdckit show`: one method or measure in full."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from sdckit.cli.command import Argument
from sdckit.cli.list import describe_entry
from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.catalogue import Entry
    from sdckit.evaluation.known_law import KnownLaw


def show(
    name: Annotated[str, Argument(metavar="NAME", help="A name that `sdckit list` shows.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show one method or measure in full.

    Its definition and formula, when to use it, its parameters, what an intruder can exclude and compute, and the
    reference.

    Example: sdckit show mdav
    """
    from sdckit.catalogue import find
    from sdckit.evaluation.known_law import known_laws

    terminal = Terminal(json, quiet)
    entry = find(None, name)
    laws = known_laws(entry)
    if terminal.chatty:
        _print(terminal, entry, laws)
    computes = {"computes": [asdict(law) | {"sentence": law.sentence} for law in laws]} if laws else {}
    terminal.result(describe_entry(entry) | computes, entry.summary)


def _print(terminal: Terminal, entry: "Entry", laws: "Sequence[KnownLaw]") -> None:
    from rich.markup import escape
    from rich.padding import Padding

    from sdckit.references import citation
    from sdckit.sections import one_line

    def section(title: str, *paragraphs: str) -> None:
        lines = [Padding(escape(one_line(text)), (0, 0, 0, 2)) for text in paragraphs if text]
        if lines:
            terminal.say("", f"[bold]{title}[/]", *lines)

    sections = entry.sections
    terminal.say(f"[bold cyan]{entry.name}[/]  [dim]{entry.kind} · {entry.family.replace('_', ' ')}[/]")
    section("Definition", sections.definition, *sections.remarks)
    section("Formula", sections.formula)
    section("When", sections.use)
    section("What the intruder knows and does", sections.intruder)
    if entry.parameters:
        terminal.say("", "[bold]Parameters[/]", _parameters(entry))
    if entry.kind == "masking":
        section("What an intruder who knows the method can exclude", entry.exclusions or "Nothing.")
        section("What an intruder can compute", *(law.sentence for law in laws))
    section("Reference", citation(entry.reference))
    section("Use", _use(entry))


def _parameters(entry: "Entry") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    longest = max(len(declared.name) for declared in entry.parameters)
    table.add_column("  name", style="cyan", no_wrap=True, min_width=longest + 2)
    table.add_column("default", max_width=16, overflow="fold")
    table.add_column("meaning")
    for declared in entry.parameters:
        grid = ", ".join(_value(each) for each in declared.grid)
        limits = "; ".join(filter(None, (declared.range, f"swept: {grid}" if grid else "")))
        table.add_row(
            f"  {declared.name}",
            _value(declared.default),
            escape(declared.help) + (f" [dim]({escape(limits)})[/]" if limits else ""),
        )
    return table


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}"
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _use(entry: "Entry") -> str:
    first = next(iter(entry.parameters), None)
    value = first and (first.written or _value(first.grid[0] if first.grid else first.default))
    setting = f":{first.name}={value}" if first else ""
    if entry.kind == "masking":
        return f"sdckit protect IN.csv OUT.csv --method {entry.name}{setting}"
    recipe = " --recipe recipe.toml" if entry.family == "transparency" else ""
    return f"sdckit assess ORIGINAL.csv MASKED.csv{recipe} --measure {entry.name}{setting}"


VERB = Verb(show, group="Look things up and try them out", order=51)
