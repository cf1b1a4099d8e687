"""`sdckit describe`: a first look at a file."""

from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.inputs import refuse_to_overwrite, schema_of, write_text
from sdckit.cli.options import Force, Json, Quiet, SchemaFile
from sdckit.cli.terminal import Terminal, bar, count, listed
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.files.describe import AttributeDescription, Description
    from sdckit.files.infer_schema import Guess
    from sdckit.microdata import Microdata
    from sdckit.schema import Schema

ROLE_STYLES = {"identifier": "red", "key": "yellow", "confidential": "magenta", "other": "dim"}
SIZES = {1: "alone", 2: "with one other", 3: "with two others", 4: "with three others", 5: "with four others"}


def describe(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to look at.", show_default=False)],
    schema_out: Annotated[
        Path | None, typer.Option(help="Write kinds and roles to this TOML file, to edit and to pass as --schema.")
    ] = None,
    schema: SchemaFile = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take a first look at a file.

    Kinds and roles are guessed, and why; then missing values, outliers, and who is alone with a combination of keys.

    Example: sdckit describe survey.csv --schema-out schema.toml
    """
    from sdckit.files import read
    from sdckit.files.describe import describe as described

    terminal = Terminal(json, quiet)
    if schema_out is not None:
        refuse_to_overwrite(schema_out, force)
    declared = schema_of(schema)
    with terminal.progress("reading"):
        data = read(file, declared)
        guess = guess_of(data, declared)
        told = described(data, guess)
    if schema_out is not None:
        write_text(schema_out, guess.schema.to_toml(guess.reasons), force=force)
    if terminal.chatty:
        say_description(terminal, file.name, told)
        say_next(terminal, file, schema_out)
    bare = "\n".join(f"{each.name}\t{each.kind}\t{each.role}" for each in told.attributes)
    terminal.result(told.to_dict() | {"schema_path": str(schema_out) if schema_out else None}, bare)


def guess_of(data: "Microdata", declared: "Schema | None") -> "Guess":
    """Kinds and roles as declared, guessed where nothing is."""
    from sdckit.files.infer_schema import Guess, infer_schema

    guess = infer_schema(data)
    if declared is None:
        return guess
    attributes, reasons = dict(guess.schema.attributes), dict(guess.reasons)
    for name, said in declared.attributes.items():
        changes: dict[str, Any] = {"role": said.role} if said.role else {}
        if said.kind:
            changes |= {"kind": said.kind, "hierarchy": data.attribute(name).hierarchy}
        if changes:
            attributes[name] = replace(attributes[name], **changes)
            reasons[name] = ["the schema says so"]
    return Guess(replace(guess.schema, attributes=attributes), reasons)


def say_description(terminal: Terminal, title: str, told: "Description") -> None:
    """The description set in tables."""
    from rich.markup import escape

    columns = count(len(told.attributes), "column")
    terminal.say(f"[bold]{escape(title)}[/]  {count(told.records, 'record')}, {columns}")
    terminal.say(_meanings(told), _contents(told))
    if told.keys:
        terminal.say(
            f"[bold]{count(told.uniques, 'record')}[/] of {count(told.records)} "
            f"({100 * told.uniques_share:.0f}%) {'is' if told.uniques == 1 else 'are'} alone with "
            f"{escape(listed(told.keys))}",
            _combinations(told),
        )
    if told.duplicates:
        terminal.say(f"{count(told.duplicates, 'record')} repeat another in every column but identifiers.")
    for edit, broken in told.edits_broken.items():
        terminal.say(f"[red]{count(broken, 'record')} break the edit {escape(edit)}[/]")


def say_next(terminal: Terminal, file: Path, schema_out: Path | None) -> None:
    """What to do with it."""
    from rich.markup import escape

    if schema_out is None:
        command = f"sdckit describe {quote(str(file))} --schema-out schema.toml"
        terminal.line("\nTo correct a guess, write the schema and edit it:")
    else:
        schema, source = quote(str(schema_out)), quote(str(file))
        command = f"sdckit protect {source} OUT --schema {schema} --method mdav:group_size=3"
        terminal.line(f"\nThe schema is in [bold]{escape(schema)}[/]. Edit it where a guess is wrong, then:")
    terminal.line(f"[green]$ {escape(command)}[/]")


def _meanings(told: "Description") -> "Table":
    from rich.markup import escape

    table = _table("Column", "role", "kind")
    table.add_column("why")
    for each in told.attributes:
        table.add_row(
            escape(each.name),
            f"[{ROLE_STYLES.get(each.role, 'blue')}]{each.role}[/]",
            each.kind,
            f"[dim]{escape('; '.join(each.reasons))}[/]",
        )
    return table


def _contents(told: "Description") -> "Table":
    from rich.markup import escape

    table = _table("Column")
    for heading in ("missing", "distinct", "outliers"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("values")
    for each in told.attributes:
        missing = f"{each.missing:,} [dim]{100 * each.missing_share:.0f}%[/]" if each.missing else "[dim]–[/]"
        outliers = f"{each.outliers:,}" if each.outliers else "[dim]–[/]"
        table.add_row(escape(each.name), missing, f"{each.distinct:,}", outliers, f"[dim]{escape(_values(each))}[/]")
    return table


def _values(each: "AttributeDescription") -> str:
    if each.role == "identifier":
        return "not shown"
    if each.minimum is not None:
        return f"{_number(each.minimum)} to {_number(each.maximum)}, half below {_number(each.median)}"
    shown = ", ".join(f"{category} ×{times:,}" for category, times in each.top[:3])
    told = f"; {each.hierarchy}" if each.hierarchy else ""
    return shown + (", …" if each.distinct > 3 else "") + told


def _number(value: "float | str | None") -> str:
    """Six digits, in thousands where there are many.

    >>> _number(1990), _number(1625.187), _number(1234567), _number("2024-01-31")
    ('1990', '1625.19', '1,234,570', '2024-01-31')
    """
    if value is None or isinstance(value, str):
        return str(value)
    short = float(f"{value:.6g}")
    return f"{short:,.10g}" if abs(short) >= 10000 else f"{short:.10g}"


def _combinations(told: "Description") -> "Table":
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style="red", no_wrap=True)
    sizes = dict(told.records_by_combination_size)
    rest = told.records - sum(sizes.values())
    for name, records in [*((SIZES[size], records) for size, records in sizes.items()), ("with more", rest)]:
        table.add_row(name, f"{records:,}", bar(records / told.records, width=30))
    return table


def _table(*headings: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for place, heading in enumerate(headings):
        table.add_column(heading, style="" if place else "cyan", no_wrap=bool(place), overflow="fold")
    return table


VERB = Verb(describe, group="Prepare and mask", order=10)
