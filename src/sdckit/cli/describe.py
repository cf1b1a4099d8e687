"""`sdckit describe`: guess what the columns of a file mean, and summarise it."""

from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.inputs import refuse_to_overwrite, schema_of, write_text
from sdckit.cli.options import Force, Json, Quiet, SchemaFile
from sdckit.cli.outputs import Output
from sdckit.cli.tables import say_tables
from sdckit.cli.terminal import Terminal, bar, count, listed
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.files.describe import AttributeDescription, Description
    from sdckit.files.infer_schema import Guess
    from sdckit.graph import Graph
    from sdckit.microdata import Microdata
    from sdckit.schema import Schema

ROLE_STYLES = {"identifier": "red", "key": "yellow", "confidential": "magenta", "other": "dim"}


def describe(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to describe.", show_default=False)],
    schema_out: Annotated[
        Path | None,
        typer.Option(help="Write the guessed schema to this TOML file, to be edited and used as --schema."),
        Output(),
    ] = None,
    schema: SchemaFile = None,
    tables: Annotated[
        bool,
        typer.Option(
            "--tables", help="Also print the frequency table of each column, and cross-tables of the keys: private."
        ),
    ] = False,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Describe a file and guess what its columns mean.

    Shows the guessed kind and role of each column with the reasons, missing values, outliers, and sample uniques.

    Example: sdckit describe survey.csv --schema-out schema.toml
    """
    from sdckit.files import read
    from sdckit.files.describe import describe as describe_file
    from sdckit.files.frequency_tables import tables_of
    from sdckit.graph import Graph

    terminal = Terminal(json, quiet)
    if schema_out is not None:
        refuse_to_overwrite(schema_out, force)
    declared = schema_of(schema)
    with terminal.progress("reading"):
        data = read(file, declared)
    if isinstance(data, Graph):
        describe_graph(terminal, file, data)
        if not data.attributes:
            return
    with terminal.progress("reading"):
        guess = guess_of(data, declared)
        description = describe_file(data, guess)
        shown = [each.name for each in description.attributes if each.role != "identifier"] if tables else []
        counted = tables_of(data, shown, description.keys) if tables else None
    if schema_out is not None:
        write_text(schema_out, guess.schema.to_toml(guess.reasons), force=force)
    if terminal.chatty:
        say_description(terminal, file.name, description)
        if counted is not None:
            say_tables(terminal, counted, len(data))
        say_next(terminal, file, schema_out)
    lines = "\n".join(f"{each.name}\t{each.kind}\t{each.role}" for each in description.attributes)
    more: dict[str, Any] = {"schema_path": str(schema_out) if schema_out else None}
    more |= {"tables": counted.to_dict()} if counted is not None else {}
    terminal.result(description.to_dict() | more, lines)


def describe_graph(terminal: Terminal, file: Path, graph: "Graph") -> None:
    """Print the structure of a graph; the attributes of its nodes are described as those of any file."""
    from rich.markup import escape

    from sdckit.files.describe_graph import graph_description

    with terminal.progress("describing the graph"):
        description = graph_description(graph)
    if terminal.chatty:
        nodes, edges = count(description.nodes, "node"), count(description.edges, "edge")
        terminal.say(f"[bold]{escape(file.name)}[/]  {nodes}, {edges}")
        table = _table("Structure")
        table.add_column("", justify="right")
        for label, value in description.lines():
            table.add_row(label, value)
        terminal.say(table)
        for note in graph.cleaned.notes():
            terminal.note(note)
        if not graph.attributes:
            command = f"sdckit protect {quote(str(file))} OUT.edges --method k-degree-anonymity --key-out KEY"
            terminal.line(f"\nTo mask the edges, run:\n[green]$ {escape(command)}[/]")
    if not graph.attributes:
        bare = f"{description.nodes}\t{description.edges}"
        terminal.result(description.to_dict() | {"notes": list(graph.cleaned.notes())}, bare)


def guess_of(data: "Microdata", declared: "Schema | None") -> "Guess":
    """Kinds and roles as the schema declares them, guessed where it does not."""
    from sdckit.files.infer_schema import Guess, infer_schema

    guess = infer_schema(data)
    if declared is None:
        return guess
    attributes, reasons = dict(guess.schema.attributes), dict(guess.reasons)
    for name, attribute in declared.attributes.items():
        changes: dict[str, Any] = {"role": attribute.role} if attribute.role else {}
        if attribute.kind:
            changes |= {"kind": attribute.kind, "hierarchy": data.attribute(name).hierarchy}
        if changes:
            attributes[name] = replace(attributes[name], **changes)
            reasons[name] = ["declared in the schema"]
    return Guess(replace(guess.schema, attributes=attributes), reasons)


def say_description(terminal: Terminal, title: str, description: "Description") -> None:
    """Print the description in tables."""
    from rich.markup import escape

    columns = count(len(description.attributes), "column")
    terminal.say(f"[bold]{escape(title)}[/]  {count(description.records, 'record')}, {columns}")
    terminal.say(_meanings(description), _contents(description))
    if description.keys:
        uniques = f"[bold]{count(description.uniques)}[/] of {count(description.records, 'record')}"
        verb = "is" if description.uniques == 1 else "are"
        share = f"{100 * description.uniques_share:.0f}%"
        terminal.say(
            f"{uniques} ({share}) {verb} unique on {escape(listed(description.keys))}", _combinations(description)
        )
    if description.duplicates:
        verb = "duplicates" if description.duplicates == 1 else "duplicate"
        records = count(description.duplicates, "record")
        terminal.say(f"{records} {verb} another record in every column except identifiers.")
    for edit, broken in description.edits_broken.items():
        verb = "breaks" if broken == 1 else "break"
        terminal.say(f"[red]{count(broken, 'record')} {verb} the edit {escape(edit)}[/]")
    for problem in description.edit_problems:
        terminal.say(f"[red]{escape(problem[0].upper() + problem[1:])}[/]")


def say_next(terminal: Terminal, file: Path, schema_out: Path | None) -> None:
    """Print the command to run next."""
    from rich.markup import escape

    if schema_out is None:
        command = f"sdckit describe {quote(str(file))} --schema-out schema.toml"
        terminal.line("\nTo correct a guess, write the schema to a file and edit it:")
    else:
        schema, source = quote(str(schema_out)), quote(str(file))
        command = f"sdckit protect {source} OUT --schema {schema} --method mdav:group_size=3"
        terminal.line(f"\nThe schema is in [bold]{escape(schema)}[/]. Correct wrong guesses there, then run:")
    terminal.line(f"[green]$ {escape(command)}[/]")


def _meanings(description: "Description") -> "Table":
    from rich.markup import escape

    table = _table("Column", "role", "kind")
    table.add_column("why")
    for each in description.attributes:
        table.add_row(
            escape(each.name),
            f"[{ROLE_STYLES.get(each.role, 'blue')}]{each.role}[/]",
            each.kind,
            f"[dim]{escape('; '.join(each.reasons))}[/]",
        )
    return table


def _contents(description: "Description") -> "Table":
    from rich.markup import escape

    table = _table("Column")
    for heading in ("missing", "distinct", "outliers"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("values")
    for each in description.attributes:
        missing = f"{each.missing:,} [dim]{100 * each.missing_share:.0f}%[/]" if each.missing else "[dim]–[/]"
        outliers = f"{each.outliers:,}" if each.outliers else "[dim]–[/]"
        table.add_row(escape(each.name), missing, f"{each.distinct:,}", outliers, f"[dim]{escape(_values(each))}[/]")
    return table


def _values(each: "AttributeDescription") -> str:
    if each.role == "identifier":
        return "not shown"
    if each.minimum is not None:
        return f"{_number(each.minimum)} to {_number(each.maximum)}, median {_number(each.median)}"
    shown = ", ".join(f"{category} ×{times:,}" for category, times in each.top[:3])
    hierarchy = f"; {each.hierarchy}" if each.hierarchy else ""
    return shown + (", …" if each.distinct > 3 else "") + hierarchy


def _number(value: "float | str | None") -> str:
    """A number to six digits, with commas between thousands if it is large.

    >>> _number(1990), _number(1625.187), _number(1234567), _number("2024-01-31")
    ('1990', '1625.19', '1,234,570', '2024-01-31')
    """
    if value is None or isinstance(value, str):
        return str(value)
    short = float(f"{value:.6g}")
    return f"{short:,.10g}" if abs(short) >= 10000 else f"{short:.10g}"


def _combinations(description: "Description") -> "Table":
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style="red", no_wrap=True)
    sizes = dict(description.records_by_combination_size)
    rest = description.records - sum(sizes.values())
    largest = max(sizes)
    labels = {size: "unique" if size == 1 else f"groups of {size}" for size in sizes}
    rows = [*((labels[size], records) for size, records in sizes.items()), (f"groups of {largest + 1} or more", rest)]
    for label, records in rows:
        table.add_row(label, f"{records:,}", bar(records / description.records, width=30))
    return table


def _table(*headings: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, style="" if index else "cyan", no_wrap=bool(index), overflow="fold")
    return table


VERB = Verb(describe, group="Prepare and mask", order=10)
