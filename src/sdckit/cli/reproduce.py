"""`sdckit reproduce`: experiments of the literature, repeated."""

from csv import DictWriter
from inspect import signature
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import refuse_to_overwrite, write_text
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rich.table import Table

    from sdckit.published.comparison import Verdict
    from sdckit.published.reproduction import Reproduction

PICTURES = (".svg", ".png")


def reproduce(
    name: Annotated[
        str | None,
        Argument(metavar="[NAME]", help="The experiment; without it, all are listed."),
    ] = None,
    records: Annotated[
        list[int] | None, Option(help="Sizes of the generated files instead of those of the source. Repeatable.")
    ] = None,
    quick: Annotated[bool, Option("--quick", help="Run only a part of the experiment, in seconds.")] = False,
    seed: Annotated[int, Option(help="Seed of the generated files.")] = 1,
    out: Annotated[
        Path | None,
        Option(metavar="DIR", help="Folder for the figures as CSV, and as pictures, SVG and PNG."),
        Output(),
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Repeat a published experiment and compare the figures.

    Example: sdckit reproduce mdav-benchmark
    """
    from rich.markup import escape

    from sdckit import published

    terminal = Terminal(json, quiet)
    if name is None:
        found = {each: published.title(each) for each in published.names()}
        terminal.say(*(f"[cyan]{each}[/]  {title}" for each, title in found.items()))
        terminal.result(found, "\n".join(found))
        return
    experiment = published.experiment(name)
    asked: dict[str, Any] = ({"records": tuple(records)} if records else {}) | ({"quick": True} if quick else {})
    refuse_what_it_does_not_take(name, experiment.reproduce, asked)
    if out is not None and "folder" in signature(experiment.reproduce).parameters:
        asked["folder"] = out  # finished points are kept there, and the same command continues
    if out is not None and out.exists():
        refuse_to_overwrite(out / f"{name}.csv", force)
    with terminal.progress("running the experiment"):
        done: Reproduction = experiment.reproduce(seed=seed, **asked)
    written = write_results(name, done, out, force) if out is not None else []
    say(terminal, published.title(name), done)
    if quick:
        terminal.say("[dim]This is a part of the table (--quick); the statements are about that part.[/]")
    for path in written:
        terminal.line(f"[dim]{'written':14}[/][bold]{escape(str(path))}[/]")
    lines = [f"{verdict.outcome}\t{verdict.part}\t{verdict.deviation:.4g}" for verdict in verdicts(done)]
    lines += [f"{'shown' if each.holds else 'NOT SHOWN'}\t{each.where}\t{each.statement}" for each in done.findings]
    bare = "\n".join(lines)
    terminal.result(done.to_dict() | {"quick": quick, "written": [str(path) for path in written]}, bare)


def refuse_what_it_does_not_take(name: str, reproduce: "Callable[..., Reproduction]", asked: dict[str, Any]) -> None:
    """Refuse sizes for an experiment that has none to choose, and --quick where there is no quicker part."""
    from sdckit.errors import ParameterError

    for option in asked:
        if option not in signature(reproduce).parameters:
            raise ParameterError(f"{name} takes no --{option}; leave it out")


def write_results(name: str, done: "Reproduction", out: Path, force: bool) -> list[Path]:
    """Write the figures into a folder, as a CSV file and as pictures."""
    from sdckit.charts.picture import write_picture
    from sdckit.files.atomic import replacing

    out.mkdir(parents=True, exist_ok=True)
    table = out / f"{name}.csv"
    pictures = {out / f"{title}{ending}": chart for title, chart in done.charts.items() for ending in PICTURES}
    for path in (table, *pictures):
        refuse_to_overwrite(path, force)
    write_text(table, csv_of(done.table()), force=force)
    for path, chart in pictures.items():
        with replacing(path, force=force) as temporary:
            write_picture(chart, temporary)
    return [table, *pictures]


def csv_of(rows: "Sequence[Mapping[str, Any]]") -> str:
    """Rows as the text of a CSV file."""
    text = StringIO()
    table = DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()


def say(terminal: Terminal, title: str, done: "Reproduction") -> None:
    """Print the figures in a table, then what the source reports or asks."""
    from rich.markup import escape

    from sdckit.references import citation

    terminal.say(f"[bold]{escape(title)}[/]", f"[dim]{escape(citation(done.reference))}[/]")
    terminal.say(*_tables(done.rows, terminal.console.width))
    if done.convention:
        terminal.say("[bold]How our figures were computed[/]", f"  {escape(done.convention)}")
    _say_verdicts(terminal, done)
    if done.findings:
        terminal.say(f"[bold]{done.findings_title}[/]")
    for finding in done.findings:
        mark = "[green]shown[/]" if finding.holds else "[red]not shown[/]"
        terminal.say(f"  {mark}  {escape(finding.statement)} [dim]({escape(finding.where)})[/]")
    if done.notes:
        terminal.say("[bold]Notes[/]", *(f"  {escape(note)}" for note in done.notes))


def verdicts(done: "Reproduction") -> "tuple[Verdict, ...]":
    """The verdicts on the parts of a printed table; none where the source prints no figures."""
    from sdckit.published.comparison import Comparison

    return done.verdicts if isinstance(done, Comparison) else ()


def _say_verdicts(terminal: Terminal, done: "Reproduction") -> None:
    from rich.markup import escape

    from sdckit.published.comparison import LIMITS, Comparison, Outcome

    if not isinstance(done, Comparison):
        return
    tones = {Outcome.REPRODUCED: "green", Outcome.NOT: "red"}
    terminal.say("[bold]Which parts are reproduced[/]", f"  [dim]{escape(LIMITS)}[/]")
    for each in done.verdicts:
        why = f" [dim]({escape(each.why)})[/]" if each.why else ""
        terminal.say(
            f"  [{tones[each.outcome]}]{each.outcome}[/]  {escape(each.part)}: {escape(each.description)}{why}"
        )
    if done.readings:
        terminal.say(
            "[bold]Readings of what the source leaves open[/] [dim](mean absolute deviation from the printed cells)[/]",
            *_tables(done.readings, terminal.console.width),
        )


def _tables(rows: "Sequence[Mapping[str, Any]]", width: int) -> "Iterator[Table]":
    for headings in columns_that_fit(rows, width):
        yield _table([{heading: row[heading] for heading in headings} for row in rows])


def columns_that_fit(rows: "Sequence[Mapping[str, Any]]", width: int) -> list[list[str]]:
    """The columns in as many parts as the width of the terminal asks for, each after the columns that name a row.

    >>> columns_that_fit([{"masking": "mdav", "IL1": 0.25, "IL2": 0.5, "IL3": 1.5}], 22)
    [['masking', 'IL1', 'IL2'], ['masking', 'IL3']]
    """
    room = {heading: 2 + max(len(heading), *(len(_shown(row[heading])) for row in rows)) for heading in rows[0]}
    names = [*takewhile(lambda heading: isinstance(rows[0][heading], str), room)]
    parts = [names]
    for heading in [*room][len(names) :]:
        if parts[-1] != names and 1 + sum(room[each] for each in [*parts[-1], heading]) > width:
            parts.append(names)
        parts[-1] = [*parts[-1], heading]
    return parts


def _table(rows: "Sequence[Mapping[str, Any]]") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for heading, value in rows[0].items():
        widest = max(len(_shown(row[heading])) for row in rows)
        table.add_column(heading, justify="left" if isinstance(value, str) else "right", min_width=widest)
    for row in rows:
        table.add_row(*(_shown(value) for value in row.values()))
    return table


def _shown(value: object) -> str:
    """A value to five digits.

    >>> _shown(0.123456), _shown(14.156), _shown(1000), _shown("Age")
    ('0.12346', '14.156', '1,000', 'Age')
    """
    if isinstance(value, float):
        return f"{value:.5g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


VERB = Verb(reproduce, group="Look things up and try them out", order=53)
