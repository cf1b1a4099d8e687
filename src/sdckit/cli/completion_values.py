"""What completes the values of options: names of the catalogue, parameters of a method, columns of a file."""

import csv
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from click.shell_completion import split_arg_string

from sdckit.cli import COMPLETING

Found = list[tuple[str, str]]
Completer = Callable[[click.Context, str], Found]
TEXT_FILES = (".csv", ".tsv", ".txt")
SETTINGS = (".toml", ".key", ".json")
NAME_ENDS, PARAMETER_ENDS, NEXT = ":", "=", ","


def components(*kinds: str) -> Completer:
    """Completes `name:parameter=value,…` of the catalogue's components of these kinds."""

    def complete(context: click.Context, incomplete: str) -> Found:
        from sdckit.catalogue import find, names

        name, colon, settings = incomplete.partition(NAME_ENDS)
        if not colon:
            return [(each, "") for kind in kinds for each in names(kind) if each.startswith(name)]
        before, comma, last = settings.rpartition(NEXT)
        if PARAMETER_ENDS in last:
            return []
        written = {each.partition(PARAMETER_ENDS)[0] for each in before.split(NEXT)}
        try:
            declared = find(None, name).parameters
        except Exception:  # a shell shows nothing where a name is wrong
            return []
        return [
            (f"{name}:{before}{comma}{each.name}=", each.help)
            for each in declared
            if each.name.startswith(last) and each.name not in written
        ]

    return complete


def names_only(*kinds: str) -> Completer:
    """Completes names of components without parameters, separated by commas."""

    def complete(context: click.Context, incomplete: str) -> Found:
        from sdckit.catalogue import names

        before, comma, last = incomplete.rpartition(NEXT)
        known = (each for kind in kinds for each in names(kind))
        return [(f"{before}{comma}{each}", "") for each in known if each.startswith(last)]

    return complete


def words(*choices: str) -> Completer:
    """Completes one of these words."""

    def complete(context: click.Context, incomplete: str) -> Found:
        return [(each, "") for each in choices if each.startswith(incomplete)]

    return complete


def columns(context: click.Context, incomplete: str) -> Found:
    """Completes columns, separated by commas, of the first file on the line that has any."""
    before, comma, last = incomplete.rpartition(NEXT)
    chosen = before.split(NEXT)
    header = next((found for path in _files() if (found := header_of(path))), ())
    return [(f"{before}{comma}{each}", "") for each in header if each.startswith(last) and each not in chosen]


def names_by_verb(context: click.Context, incomplete: str) -> Found:
    """Completes the name of a sample, of a published experiment, or of a component, by the verb that is typed."""
    verb = context.info_name
    if verb == "sample":
        from sdckit.cli.sample import NAMES

        return words(*NAMES)(context, incomplete)
    if verb == "reproduce":
        from sdckit.published import names

        return words(*names())(context, incomplete)
    return names_only("masking", "risk", "loss")(context, incomplete)


def header_of(path: Path) -> Sequence[str]:
    """The names of a file's columns without reading its records; none where that is not possible."""
    try:
        if path.suffix.lower() in TEXT_FILES:
            return _header_of_text(path)
        if path.suffix.lower() == ".parquet":
            import polars as pl

            return [*pl.read_parquet_schema(path)]
        if path.suffix.lower() in (".sav", ".dta"):
            import pyreadstat

            reader = pyreadstat.read_sav if path.suffix.lower() == ".sav" else pyreadstat.read_dta
            names: list[str] = reader(path, metadataonly=True)[1].column_names
            return names
    except Exception:  # a shell shows nothing where a file cannot be read
        return ()
    return ()


def _header_of_text(path: Path) -> list[str]:
    from sdckit.files.csv_dialect import find_delimiter

    with path.open("rb") as file:
        lines = b"".join(line for _, line in zip(range(20), file, strict=False))
    if b"\0" in lines:
        return []
    try:
        start = lines.decode("utf-8-sig")
    except UnicodeDecodeError:
        start = lines.decode("cp1252", errors="replace")
    return next(csv.reader(start.splitlines(), delimiter=find_delimiter(start)))


def typed_words() -> list[str]:
    """The words after `sdckit` of the line that a shell asks about; the last one is empty after a space."""
    line = os.environ.get(COMPLETING, "")
    return [*split_arg_string(line), *([""] if line[-1:].isspace() else [])][1:]


def _files() -> list[Path]:
    """The files that the line names, without schemas, recipes and keys."""
    paths = [Path(word) for word in typed_words()]
    return [each for each in paths if each.suffix not in SETTINGS and each.is_file()]


COMPLETERS: dict[str, Completer] = {
    "method": components("masking"),
    "methods": names_only("masking"),
    "measure": components("risk", "loss"),
    "also": components("risk", "loss"),
    "risk": components("risk"),
    "loss": components("loss"),
    "attributes": columns,
    "match_on": columns,
    "regress": columns,
    "kind": words("masking", "risk", "loss"),
    "shell": words("bash", "zsh", "fish", "powershell"),
    "name": names_by_verb,
}
