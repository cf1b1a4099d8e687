"""`sdckit groups`: publish the groups of a masked file with their counts, instead of its records."""

from pathlib import Path
from typing import Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import column_names, refuse_to_overwrite, schema_of
from sdckit.cli.options import Force, Json, Quiet, SchemaFile
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb


def groups(
    masked: Annotated[Path, Argument(metavar="MASKED", help="The masked file.")],
    out: Annotated[Path, Argument(metavar="OUT", help="The file to write."), Output()],
    schema: SchemaFile = None,
    by: Annotated[
        list[str] | None,
        Option(metavar="NAME,…", help="The columns that make a group; the keys of the schema by default."),
    ] = None,
    group_size: Annotated[int, Option(help="Smallest number of records in a group that is shown.", min=1)] = 3,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the groups of a masked file with the number of records in each.

    One row stands for all records with the same values. Smaller groups and suppressed records are merged into one
    row without values, which has at least as many records as a group.

    Example: sdckit groups safe.csv groups.csv --schema schema.toml --group-size 5
    """
    from rich.markup import escape

    from sdckit.evaluation.published_groups import COUNT, published_groups
    from sdckit.files import write
    from sdckit.files.release_files import read_masked
    from sdckit.microdata import Microdata, Role

    terminal = Terminal(json, quiet)
    refuse_to_overwrite(out, force)
    declared = schema_of(schema)
    data = read_masked(masked, declared)
    columns = [each.name for each in data.attributes]
    keys = [name for name, each in (declared.attributes if declared else {}).items() if each.role is Role.KEY]
    weights = [name for name, each in (declared.attributes if declared else {}).items() if each.role is Role.WEIGHT]
    data = data.with_roles(**{name: Role.WEIGHT for name in weights if name in columns})
    names = column_names(by or [], columns) or tuple(name for name in keys if name in columns)
    table = published_groups(data, names, group_size)
    write(Microdata.from_frame(table), out, force=force)
    sizes: list[int] = table[COUNT].to_list()
    smallest, largest = min(sizes, default=0), max(sizes, default=0)
    text = f"{count(len(table), 'group')} of {smallest:,} to {largest:,} records"
    terminal.line(f"{text} written to [bold]{escape(str(out))}[/]")
    terminal.result({"path": str(out), "groups": len(table), "smallest": smallest, "by": list(names)}, text)


VERB = Verb(groups, group="Publish and use a release", order=43)
