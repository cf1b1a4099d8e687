"""`sdckit protect`: a file goes in, a protected file comes out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.assess import measured
from sdckit.cli.inputs import column_names, recipe_of, refuse_to_overwrite, schema_of, write_text
from sdckit.cli.options import Force, Json, Quiet, RecipeFile, SchemaFile, Seed
from sdckit.cli.report import write_report
from sdckit.cli.terminal import Terminal, count, listed
from sdckit.errors import FileError

if TYPE_CHECKING:
    from sdckit.microdata import Microdata
    from sdckit.release import Release


def protect(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The file to protect.", show_default=False)],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The protected file.", show_default=False)],
    method: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[:PARAM=VALUE,…]", help="A masking; several make a chain (`sdckit list masking`)."),
    ] = None,
    attributes: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,…", help="Columns to mask, by default every key of a fitting kind. Repeatable."),
    ] = None,
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    seed: Seed = None,
    force: Force = False,
    shuffle_rows: Annotated[bool, typer.Option("--shuffle-rows", help="Write the records in a random order.")] = False,
    escape_formulas: Annotated[
        bool, typer.Option("--escape-formulas", help="Disarm CSV cells that a spreadsheet would run as a formula.")
    ] = False,
    recipe_out: Annotated[
        Path | None, typer.Option(help="Write the recipe as TOML: what may be published, without the seed.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Attack and measure the release and write this HTML report, for internal use.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Protect a file by a masking or a chain of them.

    Identifiers are dropped; what no method touches goes out as it is.

    Example: sdckit protect survey.csv safe.csv --schema schema.toml --method mdav:group_size=5
    """
    from sdckit.files import read, write
    from sdckit.randomness import child, generator
    from sdckit.release import protect as protected

    terminal = Terminal(json, quiet)
    steps = recipe_of(recipe, method or (), ())
    from rich.markup import escape

    for path in filter(None, (target, recipe_out, report)):
        refuse_to_overwrite(path, force)
    named = [path.resolve() for path in (source, target, recipe_out, report) if path]
    if len(set(named)) < len(named):
        raise FileError("two of the files named are the same; the original is never overwritten, so name another")
    with terminal.progress("reading"):
        data = read(source, schema_of(schema))
    if attributes:
        steps = recipe_of(recipe, method or (), column_names(attributes, [each.name for each in data.attributes]))
    with terminal.progress(f"masking by {steps}"):
        release = protected(data, steps, seed=seed)
    result = measured(terminal, release) if report is not None else None
    written = write(
        release.masked,
        target,
        force=force,
        shuffle_rows=shuffle_rows,
        rng=child(generator(seed), "shuffle-rows"),
        escape_formulas=escape_formulas,
    )
    if recipe_out is not None:
        write_text(recipe_out, steps.to_toml(), force=force)
    if result is not None and report is not None:
        write_report(terminal, result, report, force=force)
    if schema is None:
        warn_of_identifiers(terminal, data)
    if written.formula_cells and not written.formulas_escaped:
        terminal.warn(
            f"a spreadsheet would run {count(written.formula_cells, 'cell')} as a formula; "
            "--escape-formulas disarms such cells"
        )
    said = summary(release) | {
        "path": str(target),
        "shuffled": written.rows_shuffled,
        "formula_cells": written.formula_cells,
        "formulas_escaped": written.formulas_escaped,
        "recipe_path": _text(recipe_out),
        "report_path": _text(report),
    }
    say_what_was_done(terminal, said)
    for note in release.notes():
        terminal.say(f"[dim]note: {escape(note)}.[/]")
    terminal.result(said)


def summary(release: "Release") -> dict[str, Any]:
    """What was done, in plain values; nothing in it is secret."""
    from sdckit.microdata import Role

    assert release.recipe is not None
    touched = release.recipe.touched(release.original)
    steps = release.recipe.to_dict()["steps"]
    return {
        "records": len(release.original),
        "released_records": len(release.masked),
        "steps": [{**step, "attributes": list(names)} for step, names in zip(steps, touched, strict=True)],
        "dropped": list(release.original.names(role=Role.IDENTIFIER)),
        "unchanged": [
            each.name for each in release.masked.attributes if not any(each.name in names for names in touched)
        ],
    }


def say_what_was_done(terminal: Terminal, said: dict[str, Any]) -> None:
    """The summary for a person."""
    if not terminal.chatty:
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="dim", width=12)
    table.add_column(overflow="fold")
    for step in said["steps"]:
        told = ", ".join(f"{key}={value}" for key, value in step.items() if key not in ("method", "attributes"))
        method = f"[bold cyan]{step['method']}[/]" + (f" ({escape(told)})" if told else "")
        table.add_row("masked", f"{escape(listed(step['attributes']))} by {method}")
    if said["dropped"]:
        table.add_row("dropped", f"{escape(listed(said['dropped']))} (identifiers)")
    if said["unchanged"]:
        table.add_row("as they were", escape(listed(said["unchanged"])))
    terminal.say(table)
    order = ", in a random order" if said["shuffled"] else ""
    terminal.line(
        f"[dim]{'written':14}[/]{count(said['released_records'], 'record')}{order} to [bold]{escape(said['path'])}[/]"
    )
    for what in ("recipe", "report"):
        if said[f"{what}_path"]:
            terminal.line(f"[dim]{what:14}[/][bold]{escape(said[f'{what}_path'])}[/]")


def warn_of_identifiers(terminal: Terminal, data: "Microdata") -> None:
    """Without a schema nothing is dropped: say which columns look as if they had to be."""
    from sdckit.files.infer_schema import infer_schema
    from sdckit.microdata import Role

    guessed = infer_schema(data).schema.attributes
    suspects = [name for name, said in guessed.items() if said.role is Role.IDENTIFIER]
    if suspects:
        terminal.warn(
            f"{listed(suspects)} may tell who is who and went out unmasked, as no schema is given; "
            "`sdckit describe IN --schema-out schema.toml` makes one"
        )


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
