"""`sdckit reproduce`: the experiments of the literature, run again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.inputs import refuse_to_overwrite
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.terminal import Terminal

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.published.reproduction import Reproduction

PICTURES = (".svg", ".png")


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Which one; without it, they are listed.", show_default=False)
    ] = None,
    records: Annotated[
        list[int] | None, typer.Option(help="Sizes of the generated files instead of the source's; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed draws other files.")] = 1,
    out: Annotated[Path | None, typer.Option(help="The folder to leave the figures in, as SVG and PNG.")] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a published experiment again and show our figures beside what its source reports."""
    from sdckit import published

    terminal = Terminal(json, quiet)
    if name is None:
        found = {each: published.title(each) for each in published.names()}
        terminal.say(*(f"[cyan]{each}[/]  {told}" for each, told in found.items()))
        terminal.result(found, "\n".join(found))
        return
    experiment = published.experiment(name)
    asked: dict[str, Any] = {"records": tuple(records)} if records else {}
    with terminal.progress("running the experiment"):
        done: Reproduction = experiment.reproduce(seed=seed, **asked)
    pictures = drawn(done, out, force) if out is not None else []
    say(terminal, published.title(name), done)
    for picture in pictures:
        terminal.say(f"[dim]drawn:[/] {picture}")
    bare = "\n".join(f"{'shown' if each.holds else 'NOT SHOWN'}\t{each.where}\t{each.said}" for each in done.findings)
    terminal.result(done.to_dict() | {"pictures": [str(picture) for picture in pictures]}, bare)


def drawn(done: "Reproduction", out: Path, force: bool) -> list[Path]:
    """The figures, drawn into a folder."""
    from sdckit.charts.picture import write_picture

    out.mkdir(parents=True, exist_ok=True)
    places = {out / f"{name}{ending}": chart for name, chart in done.charts.items() for ending in PICTURES}
    for place in places:
        refuse_to_overwrite(place, force)
    for place, chart in places.items():
        write_picture(chart, place)
    return list(places)


def say(terminal: Terminal, title: str, done: "Reproduction") -> None:
    """The figures in a table, then what the source reports."""
    from rich.markup import escape

    from sdckit.references import citation

    terminal.say(f"[bold]{escape(title)}[/]", f"[dim]{escape(citation(done.reference))}[/]", _table(done))
    terminal.say("[bold]What the source reports[/]")
    for finding in done.findings:
        mark = "[green]shown[/]" if finding.holds else "[red]not shown[/]"
        terminal.say(f"  {mark}  {escape(finding.said)} [dim]({escape(finding.where)})[/]")


def _table(done: "Reproduction") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="bold")
    for heading, value in done.rows[0].items():
        table.add_column(heading, justify="left" if isinstance(value, str) else "right", no_wrap=True)
    for row in done.rows:
        table.add_row(*(_shown(value) for value in row.values()))
    return table


def _shown(value: object) -> str:
    """A value to four digits.

    >>> _shown(0.123456), _shown(1000), _shown("Age")
    ('0.1235', '1,000', 'Age')
    """
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
