"""`sdckit describe`: guess what the columns of a file mean, and summarise it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from sdckit.cli.by_engine import chosen_engine, print_line, refuse_with_engine
from sdckit.cli.command import Argument, Option
from sdckit.cli.graph_structure import describe_graph, say_edge_list
from sdckit.cli.inputs import refuse_to_overwrite, schema_of, sheet_option, write_text
from sdckit.cli.options import EngineOption, Force, Json, MemoryOption, Quiet, SchemaFile, Sheet
from sdckit.cli.outputs import Output
from sdckit.cli.tables import say_tables
from sdckit.cli.terminal import Terminal, bar, count, listed
from sdckit.cli.verb import Verb
from sdckit.engines.engine_name import EngineName
from sdckit.formatting import on_one_line

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.engines.choose import Choice
    from sdckit.files.describe import AttributeDescription, Description
    from sdckit.files.frequency_tables import Tables
    from sdckit.files.infer_schema import Guess
    from sdckit.microdata import Microdata
    from sdckit.schema import Schema

ROLE_STYLES = {"identifier": "red", "key": "yellow", "confidential": "magenta", "other": "dim"}


def describe(
    file: Annotated[Path, Argument(metavar="FILE", help="The file to describe.")],
    schema_out: Annotated[
        Path | None,
        Option(help="Write the guessed schema to this TOML file, to be edited and used as --schema."),
        Output(),
    ] = None,
    schema: SchemaFile = None,
    sheet: Sheet = None,
    tables: Annotated[
        bool,
        Option(
            "--tables",
            help="Also print the frequency table of each column, and cross-tables of the keys: not to be published.",
        ),
    ] = False,
    engine: EngineOption = EngineName.AUTO,
    memory: MemoryOption = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Describe a file and guess what its columns mean.

    Shows the guessed kind and role of each column with the reasons, missing values, outliers, and sample uniques.

    Example: sdckit describe survey.csv --schema-out schema.toml
    """
    from sdckit.errors import ParameterError
    from sdckit.files import read
    from sdckit.files.describe import describe as describe_file
    from sdckit.files.frequency_tables import tables_of
    from sdckit.graph import Graph

    terminal = Terminal(json, quiet)
    if schema_out is not None:
        refuse_to_overwrite(schema_out, force)
    declared = schema_of(schema)
    choice = chosen_engine(terminal, engine, memory, file)
    if choice is not None:
        refuse_with_engine(choice, tables=tables, sheet=sheet)
        described, draft = describe_by_engine(terminal, choice, file, declared)
        print_description(terminal, file, described, draft, schema_out, force)
        return
    with terminal.progress("reading"):
        data = read(file, declared, **sheet_option(sheet))
    structure: dict[str, Any] = {}
    if isinstance(data, Graph):
        if schema_out is not None and not data.node_attributes:
            raise ParameterError("the nodes of this graph have no attributes, so there is no schema to write")
        structure = describe_graph(terminal, file, data)
        if not data.node_attributes:
            return
    with terminal.progress("reading"):
        guess = guess_of(data, declared)
        description = describe_file(data, guess)
        shown = [each.name for each in description.attributes if each.role != "identifier"] if tables else []
        counted = tables_of(data, shown, description.keys) if tables else None
    print_description(
        terminal, file, description, completed(data, declared), schema_out, force, counted, structure, sheet
    )


def describe_by_engine(
    terminal: Terminal, choice: "Choice", file: Path, declared: "Schema | None"
) -> tuple["Description", "Guess"]:
    """The description of a file that does not fit into memory; kinds and roles are guessed from a sample."""
    from sdckit.engines.declare import declare
    from sdckit.engines.describe import SAMPLE, sample_of
    from sdckit.engines.describe import describe as describe_parts
    from sdckit.engines.ingest import ingest
    from sdckit.engines.part_size import part_size
    from sdckit.engines.source import source_of
    from sdckit.engines.start import start
    from sdckit.files.temporary import temporary_in_system_folder
    from sdckit.schema import Schema

    plain = declared or Schema()
    plain = replace(plain, attributes={name: replace(each, role=None) for name, each in plain.attributes.items()})
    with temporary_in_system_folder() as folder, terminal.progress("describing") as progress:
        running = start(choice, folder)
        try:
            source = source_of(file, plain)
            header = declare(source)
            size = part_size(len(header.attributes), choice.memory)
            parts = ingest(source, header, folder, size, running, progress, "original")
            sample = _with_declared_roles(sample_of(parts), declared)
            guess = guess_of(sample, declared)
            description = describe_parts(parts, running, guess, memory=choice.memory)
        finally:
            running.close()
    if header.records > SAMPLE:
        print_line(
            terminal,
            f"kinds and roles are guessed from a sample of {count(SAMPLE, 'record')}; all figures are exact",
        )
    return description, completed(sample, declared)


def _with_declared_roles(data: "Microdata", declared: "Schema | None") -> "Microdata":
    """The data with the roles of a schema, which were left out to read identifiers as well."""
    from sdckit.microdata import Role

    if declared is None or all(each.role is None for each in declared.attributes.values()):
        return data
    return data.with_roles(
        **{
            each.name: (entry.role if entry else None) or Role.OTHER
            for each in data.attributes
            for entry in [declared.attributes.get(each.name)]
        }
    )


def print_description(
    terminal: Terminal,
    file: Path,
    description: "Description",
    draft: "Guess",
    schema_out: Path | None,
    force: bool,
    tables: "Tables | None" = None,
    structure: Mapping[str, Any] = MappingProxyType({}),
    sheet: str | None = None,
) -> None:
    """Write the guessed schema where asked for, and print the description, with tables where there are some.

    The structure of a graph, which is printed before, is a part of the JSON.
    """
    if schema_out is not None:
        write_text(schema_out, draft.schema.to_toml(draft.reasons), force=force)
    if terminal.chatty:
        say_description(terminal, file.name, description, "node" if structure else "record")
        if tables is not None:
            say_tables(terminal, tables, description.records)
        say_edge_list(terminal, file, description)
        say_next(terminal, file, schema_out, sheet)
    lines = "\n".join(f"{on_one_line(each.name)}\t{each.kind}\t{each.role}" for each in description.attributes)
    more: dict[str, Any] = {"schema_path": str(schema_out) if schema_out else None}
    more |= {"tables": tables.to_dict()} if tables is not None else {}
    terminal.result({**structure, **description.to_dict(), **more}, lines)


def guess_of(data: "Microdata", declared: "Schema | None") -> "Guess":
    """Kinds and roles as every verb uses them: guessed without a schema, else as the schema declares them.

    A column to which the schema gives no role has the one that `protect` and `assess` use; the guess is in the reason.
    """
    from sdckit.files.describe import GUESSED_ROLE
    from sdckit.files.infer_schema import Guess, infer_schema

    guess = infer_schema(data)
    if declared is None:
        return guess
    attributes, reasons = {}, {}
    for each in data.attributes:
        attributes[each.name] = replace(
            guess.schema.attributes[each.name], role=each.role, kind=each.kind, hierarchy=each.hierarchy
        )
        entry = declared.attributes.get(each.name)
        if entry is not None and entry.role is not None:
            reasons[each.name] = ["declared in the schema"]
            continue
        looks = guess.schema.attributes[each.name].role
        why = "; ".join(guess.reasons[each.name])
        listed = "not listed in the schema: `protect` refuses to release it unmasked"
        listed = listed if entry is None else "the schema declares no role"
        reasons[each.name] = [f"{listed}; {GUESSED_ROLE} {looks.value if looks else 'other'} ({why})"]
    return Guess(replace(guess.schema, attributes=attributes), reasons)


def completed(data: "Microdata", declared: "Schema | None") -> "Guess":
    """The draft of a schema: what is declared, and guesses for the rest."""
    from sdckit.files.infer_schema import Guess, infer_schema

    guess = infer_schema(data)
    if declared is None:
        return guess
    attributes, reasons = dict(guess.schema.attributes), dict(guess.reasons)
    for name, attribute in declared.attributes.items():
        changes: dict[str, Any] = {"role": attribute.role} if attribute.role else {}
        if attribute.kind:
            changes |= {"kind": attribute.kind, "hierarchy": data.attribute(name).hierarchy}
        if attribute.level:
            changes |= {"level": attribute.level}
        missing = tuple(dict.fromkeys([*attribute.missing, *attributes[name].missing]))
        attributes[name] = replace(attributes[name], missing=missing, **changes)
        if attribute.role:
            reasons[name] = ["declared in the schema"]
    return Guess(replace(guess.schema, attributes=attributes), reasons)


def say_description(terminal: Terminal, title: str, description: "Description", unit: str = "record") -> None:
    """Print the description in tables."""
    from rich.markup import escape

    columns = count(len(description.attributes), "column")
    terminal.say(f"[bold]{escape(title)}[/]  {count(description.records, unit)}, {columns}")
    terminal.say(_meanings(description), _contents(description))
    if description.keys:
        uniques = f"[bold]{count(description.uniques)}[/] of {count(description.records, unit)}"
        verb = "is" if description.uniques == 1 else "are"
        share = f"{100 * description.uniques_share:.0f}%"
        terminal.say(
            f"{uniques} ({share}) {verb} unique on {escape(listed(description.keys))}", _combinations(description)
        )
    if description.duplicates:
        verb = "duplicates" if description.duplicates == 1 else "duplicate"
        records = count(description.duplicates, unit)
        terminal.say(f"{records} {verb} another {unit} in every column except identifiers.")
    for edit, broken in description.edits_broken.items():
        verb = "breaks" if broken == 1 else "break"
        terminal.say(f"[red]{count(broken, unit)} {verb} the edit {escape(edit)}[/]")
    for problem in description.edit_problems:
        terminal.say(f"[red]{escape(problem[0].upper() + problem[1:])}[/]")


def say_next(terminal: Terminal, file: Path, schema_out: Path | None, sheet: str | None = None) -> None:
    """Print the command to run next."""
    from rich.markup import escape

    source = quote(str(file))
    options = f" --sheet {quote(sheet)}" if sheet is not None else ""
    if schema_out is None:
        command = f"sdckit describe {source}{options} --schema-out schema.toml"
        terminal.line("\nTo correct a guess, write the schema to a file and edit it:")
    else:
        schema = quote(str(schema_out))
        command = f"sdckit protect {source} OUT{options} --schema {schema} --method mdav:group_size=3"
        terminal.line(f"\nThe schema is in [bold]{escape(schema)}[/]. Correct wrong guesses there, then run:")
    terminal.line(f"[green]$ {escape(command)}[/]")


def _meanings(description: "Description") -> "Table":
    from rich.markup import escape

    table = _table("Column", "role", "kind")
    table.add_column("why")
    for each in description.attributes:
        table.add_row(
            escape(on_one_line(each.name)),
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
        name, values = escape(on_one_line(each.name)), f"[dim]{escape(_values(each))}[/]"
        table.add_row(name, missing, f"{each.distinct:,}", outliers, values)
    return table


def _values(each: "AttributeDescription") -> str:
    if each.identifies:
        return "not shown"
    if each.minimum is not None:
        return f"{_number(each.minimum)} to {_number(each.maximum)}, median {_number(each.median)}"
    shown = ", ".join(f"{on_one_line(category)} ×{times:,}" for category, times in each.top[:3])
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
