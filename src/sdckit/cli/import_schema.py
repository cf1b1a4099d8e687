"""`sdckit import-schema`: write a schema from the roles of sdcMicro, or the roles and hierarchies of ARX."""

from pathlib import Path
from shlex import quote
from typing import Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import refuse_to_overwrite, write_text
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count, listed
from sdckit.cli.verb import Verb


def import_schema(
    source: Annotated[
        Path,
        Argument(
            metavar="SOURCE",
            help="An sdcMicro object (.rds, .rda), a list of its roles (.json, .csv), or an ARX project (.deid).",
        ),
    ],
    target: Annotated[Path, Argument(metavar="SCHEMA", help="The schema to write."), Output()],
    file: Annotated[
        Path | None,
        Option(help="The file itself, to guess what SOURCE does not say, such as kinds."),
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a schema from what sdcMicro or ARX knows of a file.

    From sdcMicro it takes the roles of the variables; from an ARX project, the roles and the hierarchies.

    Example: sdckit import-schema study.deid schema.toml --file patients.csv
    """
    from sdckit.files import read
    from sdckit.files.imported_schema import import_schema as imported_schema

    terminal = Terminal(json, quiet)
    refuse_to_overwrite(target, force)
    with terminal.progress("reading"):
        data = None if file is None else read(file)
        imported = imported_schema(source, data, target.parent)
    write_text(target, imported.schema.to_toml(imported.reasons), force=force)
    roles: dict[str, list[str]] = {}
    for name, declared in imported.schema.attributes.items():
        if name not in imported.unmentioned:
            roles.setdefault(declared.role.value if declared.role else "other", []).append(name)
    if terminal.chatty:
        from rich.markup import escape

        for role, names in roles.items():
            terminal.line(f"[dim]{role:14}[/]{escape(listed(names))}")
        columns = count(len(imported.schema.attributes), "column")
        terminal.line(f"[dim]{'written':14}[/]{columns} to [bold]{escape(str(target))}[/]")
        for note in imported.notes:
            terminal.note(note)
        if imported.unmentioned:
            terminal.note(f"{source.name} does not mention {listed(imported.unmentioned)}: check the roles guessed")
        if file is None:
            command = f"sdckit import-schema {quote(str(source))} {quote(str(target))} --file FILE --force"
            terminal.note(f"columns that {source.name} does not mention are not in the schema; add them by {command}")
    terminal.result(
        {"path": str(target), "roles": roles, "unmentioned": list(imported.unmentioned), "notes": list(imported.notes)}
    )


VERB = Verb(import_schema, group="Prepare and mask", order=13)
