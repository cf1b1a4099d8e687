"""`sdckit hierarchy`: build the hierarchy of a column, show its levels with counts, and write it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sdckit.cli.command import Argument, Option
from sdckit.cli.describe import guess_of
from sdckit.cli.inputs import refuse_to_overwrite, schema_of, write_text
from sdckit.cli.options import Force, Json, Quiet, SchemaFile
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb
from sdckit.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from sdckit.level_counts import LevelCount

SHOWN = 30  # values of a level
LISTED = ("redaction", "order", "priority")


def hierarchy(
    file: Annotated[Path, Argument(metavar="FILE", help="The file that has the column.")],
    column: Annotated[str, Argument(metavar="COLUMN", help="The column.")],
    breaks: Annotated[
        list[str] | None,
        Option(metavar="NUMBER,…", help="Bands that begin at these numbers: 0,15,25,65. Repeat for each level."),
    ] = None,
    labels: Annotated[
        list[str] | None,
        Option(metavar="TEXT,…", help="What the bands are called, in their order. Repeat for each level."),
    ] = None,
    groups: Annotated[
        list[str] | None,
        Option(metavar="A|B=NAME", help="Values to put together in a group of this name. Repeatable."),
    ] = None,
    others: Annotated[str | None, Option(metavar="NAME", help="The group of all values that are in no other.")] = None,
    intervals: Annotated[
        str | None, Option(metavar="WIDTH,…", help="Intervals of these widths, one for each level: 5,10.")
    ] = None,
    date: Annotated[
        str | None, Option(metavar="UNIT,…", help="Units of dates, one for each level: month,year; or age.")
    ] = None,
    at: Annotated[str | None, Option(metavar="DAY", help="The day at which age is counted: 2026-01-01.")] = None,
    prefix: Annotated[
        str | None, Option(metavar="NUMBER,…", help="How many trailing characters each level hides: 1,2,3.")
    ] = None,
    redaction: Annotated[
        str | None, Option(metavar="NUMBER,…", help="How many characters of one side each level hides: 1,2,3.")
    ] = None,
    side: Annotated[str | None, Option(metavar="left|right", help="The side that --redaction hides first.")] = None,
    order: Annotated[
        str | None, Option(metavar="VALUE,…", help="The values in their order, neighbours of which are joined.")
    ] = None,
    joined: Annotated[
        str | None, Option(metavar="NUMBER,…", help="How many neighbours of --order each level joins: 2,2.")
    ] = None,
    priority: Annotated[
        str | None, Option(metavar="VALUE,…", help="The values that are kept longest, the most important first.")
    ] = None,
    kept: Annotated[
        str | None, Option(metavar="NUMBER,…", help="How many values of --priority each level keeps: 5,2.")
    ] = None,
    schema: SchemaFile = None,
    out: Annotated[
        Path | None, Option(help="Write the hierarchy as CSV, one row per value, as ARX reads it."), Output()
    ] = None,
    schema_out: Annotated[
        Path | None, Option(help="Write the schema with this hierarchy, to be used as --schema."), Output()
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build the hierarchy of a column and show how many records each of its values has.

    Without an option that builds one, the hierarchy that the schema declares is shown. `global-recoding` publishes a
    column at a level of its hierarchy.

    Example: sdckit hierarchy survey.csv age --breaks 0,15,25,45,65 --breaks 0,25,65 --schema-out schema.toml
    """
    from sdckit.files import read
    from sdckit.level_counts import level_counts
    from sdckit.microdata import Kind
    from sdckit.schema import Declared, Schema

    terminal = Terminal(json, quiet)
    for path in filter(None, (out, schema_out)):
        refuse_to_overwrite(path, force)
    options = {"breaks": breaks, "groups": groups, "intervals": intervals, "date": date, "prefix": prefix}
    options |= {"redaction": redaction, "order": order, "priority": priority}
    declaration = declared_by(options, labels, others, at) or listed_by(options, side, joined, kept)
    declared = schema_of(schema)
    with terminal.progress("reading"):
        plain = read(file, declared)
        if column not in plain:
            raise UnknownNameError("column", column, [each.name for each in plain.attributes])
        known = declared or Schema()
        before = known.attributes.get(column, Declared())
        tree = declaration or before.hierarchy
        if tree is None:
            raise ParameterError(
                f"{column!r} has no hierarchy in the schema; build one, as with --breaks 0,15,25,65, --groups, "
                "--intervals, --date, --prefix, --redaction, --order or --priority"
            )
        own = replace(before, kind=Kind.PARTIALLY_ORDERED, hierarchy=tree, categories=None)
        data = read(file, Schema({**known.attributes, column: own}, known.edits))
        levels = level_counts(data, column)
    attribute = data.attribute(column)
    assert attribute.hierarchy is not None
    if out is not None:
        from sdckit.files.atomic import replacing

        with replacing(out, force=force) as temporary:
            attribute.hierarchy.to_csv(temporary)
    if schema_out is not None:
        guess = guess_of(plain, declared)
        attributes = dict(guess.schema.attributes)
        attributes[column] = replace(attributes[column], kind=Kind.PARTIALLY_ORDERED, hierarchy=tree, categories=None)
        written = Schema({**known.attributes, column: own} if declared else attributes, known.edits)
        write_text(schema_out, written.to_toml({} if declared else guess.reasons), force=force)
    missing = data.missing(column)
    if terminal.chatty:
        say_levels(terminal, column, levels, missing, out, schema_out)
    terminal.result(
        {
            "column": column,
            "missing": missing,
            "levels": [each.to_dict() for each in levels],
            "path": None if out is None else str(out),
            "schema_path": None if schema_out is None else str(schema_out),
        },
        "\n".join(f"{each.level}\t{value}\t{records}" for each in levels for value, records in each.values),
    )


def declared_by(
    options: dict[str, Any], labels: list[str] | None, others: str | None, at: str | None
) -> dict[str, Any] | None:
    """The declaration that the options make, as a schema would have it; None where none of them builds one."""
    from sdckit.methods.recoding.global_recoding_groups import parted

    given = [name for name, value in options.items() if value]
    if not given:
        return None
    if given not in ([each] for each in options) and given != ["breaks", "date"]:
        raise ParameterError(f"--{given[0]} and --{given[1]} both build a hierarchy; give one of them")
    made: dict[str, Any] = {}
    if given[0] in LISTED:
        return None
    if options["date"]:
        made["date"] = _parts(options["date"])
    if options["breaks"]:
        rows = [_numbers(text, "--breaks") for text in options["breaks"]]
        made["breaks"] = rows[0] if len(rows) == 1 else rows
    if options["intervals"]:
        made["intervals"] = _numbers(options["intervals"], "--intervals")
    if options["prefix"]:
        made["prefix"] = _integers(options["prefix"], "--prefix")
    if options["groups"]:
        made["groups"] = {group: members for members, group in map(parted, options["groups"])}
    if labels:
        names = [_parts(text) for text in labels]
        made["labels"] = names[0] if len(names) == 1 else names
    return made | ({"others": others} if others else {}) | ({"at": at} if at else {})


def listed_by(options: dict[str, Any], side: str | None, joined: str | None, kept: str | None) -> dict[str, Any] | None:
    """The declaration of a hierarchy by redaction, order or priority; None where none of these options is given."""
    if options["redaction"]:
        return {"redaction": _integers(options["redaction"], "--redaction")} | ({"side": side} if side else {})
    if options["order"]:
        return {"order": _parts(options["order"]), "groups": _integers(joined or "2", "--joined")}
    if options["priority"]:
        first = _parts(options["priority"])
        return {"priority": first, "kept": _integers(kept, "--kept") if kept else [len(first)]}
    return None


def _integers(text: str, option: str) -> list[int]:
    return [int(each) for each in _numbers(text, option)]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str, option: str) -> list[float]:
    try:
        return [int(part) if part.lstrip("-").isdigit() else float(part) for part in _parts(text)]
    except ValueError:
        raise ParameterError(f"{option} {text}: write numbers separated by commas, as 0,15,25,65") from None


def say_levels(
    terminal: Terminal,
    column: str,
    levels: "tuple[LevelCount, ...]",
    missing: int,
    out: Path | None,
    schema_out: Path | None,
) -> None:
    """Print each level with the counts of its values."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    absent = f", {count(missing, 'missing value')}" if missing else ""
    terminal.say(f"[bold]{escape(column)}[/]  {count(len(levels) - 1, 'level')} above its values{absent}")
    for each in levels:
        name = "The values of the file" if each.level == 0 else f"Level {each.level}"
        rarest = f"the rarest has {count(each.smallest, 'record')}"
        terminal.say(f"\n[bold]{name}[/]: {count(len(each.values), 'value')}, {rarest}")
        if each.level == 0:
            continue
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
        table.add_column(f"{column}", style="cyan", overflow="fold")
        table.add_column("records", justify="right")
        for value, records in each.values[:SHOWN]:
            table.add_row(escape(value), f"{records:,}")
        terminal.say(table)
        if len(each.values) > SHOWN:
            terminal.say(f"[dim]and {count(len(each.values) - SHOWN, 'value')} more; --json lists all[/]")
    for path, what in ((out, "hierarchy"), (schema_out, "schema")):
        if path is not None:
            terminal.line(f"[dim]{what:14}[/][bold]{escape(str(path))}[/]")
    if schema_out is not None:
        command = f"sdckit protect IN OUT --schema {schema_out} --method global-recoding:levels=1,attributes={column}"
        terminal.line(f"\nTo publish {escape(column)} at the first level, run:\n[green]$ {escape(command)}[/]")


VERB = Verb(hierarchy, group="Prepare and mask", order=10)
