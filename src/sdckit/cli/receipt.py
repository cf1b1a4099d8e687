"""`sdckit receipt`: what a data subject can check about a published file with her own values alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from sdckit.cli import NOT_MET
from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import column_names, refuse_to_overwrite, schema_of
from sdckit.cli.options import Force, Json, Quiet, SchemaFile
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb
from sdckit.errors import ParameterError, SchemaError, UnknownNameError, private

if TYPE_CHECKING:
    from sdckit.microdata import Microdata
    from sdckit.receipt import Receipt
    from sdckit.schema import Schema


def receipt(
    files: Annotated[
        list[Path],
        Argument(
            metavar="[ORIGINAL] MASKED",
            help="The original and the published file; with --verify, the published file alone.",
        ),
    ],
    record: Annotated[int | None, Option(metavar="NUMBER", help="The number of the subject's record, from 0.")] = None,
    identifier: Annotated[
        str | None,
        Option(metavar="COLUMN=VALUE", help="The value that identifies the subject, in a column of ORIGINAL."),
    ] = None,
    out: Annotated[
        Path | None,
        Option(metavar="RECEIPT.json", help="Write the receipt here, and as text beside it; both are private."),
        Output(lambda path: [path, path.parent / f"{path.stem}.txt"]),
    ] = None,
    verify: Annotated[
        Path | None,
        Option(metavar="RECEIPT.json", help="Check this receipt against the published file, without ORIGINAL."),
    ] = None,
    attributes: Annotated[
        list[str] | None,
        Option(metavar="NAME,…", help="Attributes to compare, by default keys and confidential ones. Repeatable."),
    ] = None,
    schema: SchemaFile = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Give a data subject a receipt that she can check.

    The receipt says how far, in ranks, the nearest row of the published file is from her values. She needs only her
    own values and the published file, in any order of its rows, to compute the same. It does not say which row is hers.
    A receipt that the file does not confirm ends with exit code 1.

    Example: sdckit receipt survey.csv safe.csv --identifier name=Ann --schema schema.toml --out receipt.json

    Example: sdckit receipt safe.csv --verify receipt.json
    """
    terminal = Terminal(json, quiet)
    if verify is not None:
        if len(files) != 1 or out is not None or record is not None or identifier is not None:
            raise ParameterError("--verify takes the published file alone: sdckit receipt MASKED --verify RECEIPT.json")
        verify_receipt(terminal, files[0], verify)
        return
    if len(files) != 2 or out is None:
        raise ParameterError(
            "name the original, the published file and where to write: sdckit receipt ORIGINAL MASKED --out "
            "RECEIPT.json (or give --verify RECEIPT.json and the published file alone)"
        )
    write_receipt_of(terminal, files[0], files[1], record, identifier, attributes or (), schema_of(schema), out, force)


def write_receipt_of(
    terminal: Terminal,
    original: Path,
    masked: Path,
    record: int | None,
    identifier: str | None,
    attributes: "list[str] | tuple[str, ...]",
    schema: "Schema | None",
    out: Path,
    force: bool,
) -> None:
    """Write the receipt of one record."""
    from sdckit.files import read
    from sdckit.files.receipt_file import read_published, text_path, write_receipt
    from sdckit.files.release_files import read_masked
    from sdckit.microdata import Kind
    from sdckit.receipt import Receipt
    from sdckit.release import Release
    from sdckit.rows import Unrelated
    from sdckit.subject_distance import own_values

    for path in (out, text_path(out)):
        refuse_to_overwrite(path, force)
    with terminal.progress("reading"):
        data = read(original, schema)
        release = Release(data, read_masked(masked, schema), rows=Unrelated())
    shared = release.shared_attributes()
    names = column_names(attributes, shared) or release.evaluated_attributes(Kind.ANY)
    number = record_of(data, record, identifier)
    declared = {} if schema is None else schema.attributes
    missing = {name: tuple(map(str, declared[name].missing)) for name in names if name in declared}
    own = own_values(data, number, names, missing)
    with terminal.progress("comparing"):
        made = Receipt.of(own, read_published(masked, own))
    paths = write_receipt(made, out, masked.name, force=force)
    _print_distance(terminal, made)
    if terminal.chatty:
        from rich.markup import escape

        terminal.line(f"The receipt is in [bold]{escape(str(paths[0]))}[/] and, as text, in {escape(str(paths[1]))}.")
        terminal.line("Give it to the subject alone: it contains her values.")
    terminal.result(_figures(made) | {"path": str(paths[0]), "text_path": str(paths[1])}, str(paths[0]))


def verify_receipt(terminal: Terminal, masked: Path, path: Path) -> None:
    """Check a receipt against a published file; exit code 1 where the file does not confirm it."""
    from sdckit.files.receipt_file import read_published, read_receipt

    given = read_receipt(path)
    with terminal.progress("reading"):
        released = read_published(masked, given.own)
    differences = given.differences(released)
    if terminal.chatty:
        from rich.markup import escape

        values = ", ".join(f"{each.name} {each.text}" for each in given.own)
        terminal.say(f"Receipt for these values: {escape(values)}. Check that they are yours.")
        for difference in differences:
            terminal.say(f"[bold red]not confirmed[/] {escape(difference)}.")
    if not differences:
        _print_distance(terminal, given)
        terminal.say("The published file confirms the receipt.")
    terminal.result(
        {"verified": not differences, "differences": differences} | _figures(given),
        "not verified" if differences else "verified",
    )
    if differences:
        raise Exit(NOT_MET)


def record_of(data: "Microdata", record: int | None, identifier: str | None) -> int:
    """The number of the record that is meant."""
    from sdckit.microdata import same_value

    if (record is None) == (identifier is None):
        raise ParameterError("name the subject by --record NUMBER or by --identifier COLUMN=VALUE, one of them")
    if record is not None:
        if not 0 <= record < len(data):
            raise ParameterError(f"there is no record {record}; the original has {len(data):,}, numbered from 0")
        return record
    column, equals, value = (identifier or "").rpartition("=")
    while equals and column not in data and "=" in column:  # a value may contain the sign
        column, _, more = column.rpartition("=")
        value = f"{more}={value}"
    if not equals or not column:
        raise ParameterError(f"{private(identifier)} is not COLUMN=VALUE; write it as name=Ann")
    if column not in data:
        raise UnknownNameError("column", column, [each.name for each in data.attributes])
    values = [same_value(each) for each in data.values(column).tolist()]
    found = [number for number, each in enumerate(values) if each == same_value(value)]
    if len(found) != 1:
        raise SchemaError(
            f"{count(len(found), 'record')} of the original have {column!r} = {private(value)}; name a value that "
            "identifies one, or give --record NUMBER"
        )
    return found[0]


def _print_distance(terminal: Terminal, made: "Receipt") -> None:
    from sdckit.formatting import percent

    found = made.found
    rows = f"{count(found.rows, 'row')} {'is' if found.rows == 1 else 'are'}"
    terminal.say(
        f"Permutation distance [bold]{found.distance:,}[/] ranks, {percent(found.share)} of {found.records:,} records; "
        f"{rows} at this distance from her values, and none is nearer."
    )


def _figures(made: "Receipt") -> dict[str, object]:
    found = made.found
    return {"distance": found.distance, "share": found.share, "rows": found.rows, "records": found.records}


VERB = Verb(receipt, group="Publish and use a release", order=42)
