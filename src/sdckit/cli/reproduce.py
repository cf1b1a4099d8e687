"""`sdckit reproduce`: the experiments of the literature, run again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.inputs import refuse_to_overwrite
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from sdckit.published.comparison import Verdict
    from sdckit.published.reproduction import Reproduction

PICTURES = (".svg", ".png")


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Which one; without it, they are listed.", show_default=False)
    ] = None,
    records: Annotated[
        list[int] | None, typer.Option(help="Sizes of the generated files instead of the source's; may be repeated.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A part of it, in seconds.")] = False,
    seed: Annotated[int, typer.Option(help="Another seed draws other files.")] = 1,
    out: Annotated[Path | None, typer.Option(help="The folder to leave the figures in, as SVG and PNG.")] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a published experiment again and show our figures beside what its source reports.

    Example: sdckit reproduce mdav-benchmark
    """
    from sdckit import published

    terminal = Terminal(json, quiet)
    if name is None:
        found = {each: published.title(each) for each in published.names()}
        terminal.say(*(f"[cyan]{each}[/]  {told}" for each, told in found.items()))
        terminal.result(found, "\n".join(found))
        return
    experiment = published.experiment(name)
    asked: dict[str, Any] = ({"records": tuple(records)} if records else {}) | ({"quick": True} if quick else {})
    refuse_what_it_does_not_take(name, experiment.reproduce, asked)
    with terminal.progress("running the experiment"):
        done: Reproduction = experiment.reproduce(seed=seed, **asked)
    pictures = drawn(done, out, force) if out is not None else []
    say(terminal, published.title(name), done)
    for picture in pictures:
        terminal.say(f"[dim]drawn:[/] {picture}")
    lines = [f"{verdict.outcome}\t{verdict.part}\t{verdict.deviation:.4g}" for verdict in verdicts(done)]
    lines += [f"{'shown' if each.holds else 'NOT SHOWN'}\t{each.where}\t{each.said}" for each in done.findings]
    bare = "\n".join(lines)
    terminal.result(done.to_dict() | {"pictures": [str(picture) for picture in pictures]}, bare)


def refuse_what_it_does_not_take(name: str, reproduce: "Callable[..., Reproduction]", asked: dict[str, Any]) -> None:
    """Not every experiment has sizes to choose, or a part that is quicker."""
    from inspect import signature

    from sdckit.errors import ParameterError

    for option in asked:
        if option not in signature(reproduce).parameters:
            raise ParameterError(f"{name} takes no --{option}; leave it out")


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
    _say_verdicts(terminal, done)
    if done.findings:
        terminal.say("[bold]What the source reports[/]")
    for finding in done.findings:
        mark = "[green]shown[/]" if finding.holds else "[red]not shown[/]"
        terminal.say(f"  {mark}  {escape(finding.said)} [dim]({escape(finding.where)})[/]")


def verdicts(done: "Reproduction") -> "tuple[Verdict, ...]":
    """What is said of the parts of a printed table; nothing where the source prints no figures."""
    from sdckit.published.comparison import Comparison

    return done.verdicts if isinstance(done, Comparison) else ()


def _say_verdicts(terminal: Terminal, done: "Reproduction") -> None:
    from rich.markup import escape

    from sdckit.published.comparison import Comparison, Outcome

    if not isinstance(done, Comparison):
        return
    tones = {Outcome.REPRODUCED: "green", Outcome.CLOSE: "yellow", Outcome.NOT: "red"}
    terminal.say("[bold]How it was computed[/]", f"  {escape(done.convention)}", "[bold]How near it comes[/]")
    for each in done.verdicts:
        place = ", ".join(f"{key} = {value}" for key, value in each.furthest.place.items() if isinstance(value, int))
        told = f"off by {each.deviation:.3g} on average (saying the mean everywhere: {each.baseline:.3g})"
        told += f", most at {place}: {each.furthest.deviation:+.3g}"
        why = f" [dim]({escape(each.why)})[/]" if each.why else ""
        terminal.say(f"  [{tones[each.outcome]}]{each.outcome}[/]  {escape(each.part)}: {told}{why}")


def _table(done: "Reproduction") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
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
