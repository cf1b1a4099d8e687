"""`sdckit safe-harbour`: columns that look like one of the eighteen identifiers of the HIPAA Privacy Rule."""

from pathlib import Path
from typing import Annotated

from click.exceptions import Exit

from sdckit.cli.command import Argument
from sdckit.cli.options import Json, Quiet, SchemaFile
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb

FOUND = 1


def safe_harbour(
    file: Annotated[
        Path,
        Argument(metavar="FILE", help="The file, or a schema (.toml) alone."),
    ],
    schema: SchemaFile = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the columns that look like identifiers under HIPAA's Safe Harbor.

    Names, labels and the form of values are compared with the eighteen kinds of § 164.514(b)(2), (A) to (R). Ends with
    exit code 0 where no such column is left, and 1 otherwise. A scan finds candidates; it proves nothing about columns
    that it does not list.

    Example: sdckit safe-harbour billing.csv --schema schema.toml
    """
    from sdckit.cli.inputs import schema_of
    from sdckit.evaluation.safe_harbour import scan, scan_schema
    from sdckit.files import read

    terminal = Terminal(json, quiet)
    declared = schema_of(file if file.suffix == ".toml" else schema)
    if file.suffix == ".toml" and declared is not None:
        found = scan_schema(declared)
    else:
        found = scan(read(file, schema=declared))
    left = [each for each in found if not each.removed]
    for each in left:
        terminal.line(_line(each.letter, each.column, f"{each.title}; {each.evidence}: {each.cure}"))
    for each in found:
        if each.removed:
            terminal.say(_line(each.letter, each.column, f"{each.title}; declared an identifier, so never released"))
    verdict = f"{count(len({each.column for each in left}), 'column')} to look at" if left else "No identifier found."
    terminal.say(verdict)
    terminal.result({"file": str(file), "findings": [each.to_dict() for each in found]}, verdict)
    if left:
        raise Exit(FOUND)


def _line(letter: str, column: str, text: str) -> str:
    from rich.markup import escape

    return f"[bold]({letter})[/] {escape(column)}: {escape(text)}"


VERB = Verb(safe_harbour, group="Prepare and mask", order=14)
