"""`sdckit sample`: write a simulated example file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import refuse_to_overwrite
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb
from sdckit.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from sdckit.microdata import Microdata
    from sdckit.schema import Schema

NAMES = ("billing", "business", "survey")


def sample(
    name: Annotated[str, Argument(metavar="billing|business|survey", help="The example.")],
    out: Annotated[Path, Argument(metavar="OUT", help="The file to write."), Output()],
    records: Annotated[int, Option(help="The number of records.")] = 1000,
    seed: Annotated[int, Option(help="The seed of the simulation.")] = 1,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a simulated example file; no person or firm in it exists.

    Example: sdckit sample survey survey.csv
    """
    from sdckit.files import write

    terminal = Terminal(json, quiet)
    if name not in NAMES:
        raise UnknownNameError("sample", name, NAMES)
    if records < 1:
        raise ParameterError(f"records = {records} is out of range; use at least 1")
    refuse_to_overwrite(out, force)
    with terminal.progress("simulating"):
        data, _ = drawn(name, records, seed)
        write(data, out, force=force)
    if terminal.chatty:
        from rich.markup import escape

        terminal.line(f"{count(records, 'record')} of the sample {name} written to [bold]{escape(str(out))}[/]")
    terminal.result({"path": str(out), "records": records})


def drawn(name: str, records: int, seed: int) -> "tuple[Microdata, Schema]":
    """A sample with its identifiers as ordinary columns, since no person in it exists, and its schema."""
    from sdckit import datasets
    from sdckit.microdata import Role
    from sdckit.schema import Schema

    data: Microdata = getattr(datasets, f"simulate_{name}")(records, seed=seed)
    schema = Schema.of(data)
    return data.with_roles(**dict.fromkeys(data.names(role=Role.IDENTIFIER), Role.OTHER)), schema


VERB = Verb(sample, group="Look things up and try them out", order=52)
