"""The next file of a series: what has drifted since the run was made is printed before anything is masked."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdckit.cli.terminal import Terminal, count
from sdckit.errors import FileError, SchemaError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdckit.evaluation.drift import Drift
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe
    from sdckit.run import Run
    from sdckit.schema import Schema


def read_next(
    terminal: Terminal, source: Path, run: "Run", run_path: Path, *, stop: bool
) -> "tuple[Microdata, Schema | None, list[Drift]]":
    """The file under the schema of the run, and its drift; refused where the run cannot work on it."""
    from sdckit.edit_checks import broken_edits
    from sdckit.evaluation.drift import column_drift, value_drift
    from sdckit.files import read
    from sdckit.files.key_file import read_key
    from sdckit.schema import Schema

    if run.reference is not None and not run.reference.exists():
        raise FileError(
            f"{run_path} names {run.reference} as the key of the earlier file, and there is none; mask the first file "
            f"of a series by --schema {run_path} --recipe {run_path} --key-out {run.reference}"
        )
    profile = None if run.reference is None else read_key(run.reference).profile
    columns = [each.name for each in read(source, mixtures=True).attributes]
    known = [*profile.columns, *profile.identifiers] if profile is not None else list(run.schema.attributes)
    found = column_drift(columns, known or columns, run.recipe, str(run_path))
    named = {each.column for each in found}
    found += [
        each
        for each in column_drift(columns, _masked(run.recipe), run.recipe, str(run_path))
        if each.stops and each.column not in named
    ]
    _refuse(terminal, found)
    present = {name: declared for name, declared in run.schema.attributes.items() if name in columns}
    schema = Schema(present, run.schema.edits.among(columns)) if run.schema.attributes else None
    try:
        data = read(source, schema)
    except (SchemaError, UnknownNameError):
        say_drift(terminal, found)
        raise
    found += value_drift(profile, data, run.recipe, str(run_path)) if profile is not None else []
    _refuse(terminal, found)
    say_drift(terminal, found)
    if profile is None:
        terminal.warn(
            f"{run_path} names no key with a profile of the earlier file, so only columns are compared; "
            "`protect --key-out KEY --run-out RUN` writes both"
        )
    elif not found:
        terminal.line(f"[dim]{'drift':14}[/]none: the file has the columns, categories and ranges of the earlier one")
    for edit in broken_edits(data):
        verb = "breaks" if edit.records == 1 else "break"
        terminal.note(f"{count(edit.records, 'record')} of {source.name} {verb} the edit {edit.edit}")
    if found and stop:
        raise SchemaError(
            f"the file differs from the one that the run was made for in {count(len(found), 'point')}; nothing was "
            "masked: adapt the run, or leave out --stop-on-drift"
        )
    return data, schema, found


def say_drift(terminal: Terminal, found: "Sequence[Drift]") -> None:
    """Print the differences as a table."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    if not found or not terminal.chatty:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for heading in ("Column", "drift", "before", "now"):
        table.add_column(heading, style="cyan" if heading == "Column" else "", overflow="fold")
    for each in (drift.shown(private_too=terminal.private_too) for drift in found):
        table.add_row(escape(each.column), each.difference, escape(each.before), escape(each.now))
    terminal.say("The file differs from the one that the run was made for:", table)


def _refuse(terminal: Terminal, found: "Sequence[Drift]") -> None:
    """Stop where the run cannot work on the file; the table shows everything, the error the first cure."""
    stopping = [each for each in found if each.stops]
    if not stopping:
        return
    say_drift(terminal, found)
    first = stopping[0]
    more = f" ({count(len(stopping) - 1, 'more difference')} that stops the run)" if len(stopping) > 1 else ""
    raise SchemaError(f"{first.column!r}: {first.difference}; {first.cure}{more}")


def _masked(recipe: "Recipe | None") -> list[str]:
    return list(dict.fromkeys(name for step in (recipe.steps if recipe else ()) for name in step.attributes))


def run_text(schema: "Schema | None", recipe: "Recipe", key: Path | None, path: Path) -> str:
    """The run that masks the next file in the same way; paths in it start from its folder."""
    from sdckit.run import Run
    from sdckit.schema import Schema

    folder = path.resolve().parent
    declared = schema or Schema()
    attributes = {
        name: replace(each, hierarchy={**each.hierarchy, "file": os.path.relpath(each.hierarchy["file"], folder)})
        if isinstance(each.hierarchy, dict) and "file" in each.hierarchy
        else each
        for name, each in declared.attributes.items()
    }
    reference = None if key is None else Path(os.path.relpath(key.resolve(), folder))
    return Run(Schema(attributes, declared.edits), recipe, reference=reference).to_toml()
