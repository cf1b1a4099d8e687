"""`sdckit protect`: mask a file by a method or a recipe."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.assess import measured
from sdckit.cli.by_engine import chosen_engine, protect_by_engine, refuse_with_engine
from sdckit.cli.check import check_documents
from sdckit.cli.inputs import column_names, mistakes_in, recipe_of, refuse_to_overwrite, schema_of, write_text
from sdckit.cli.options import (
    AllowCode,
    AllowUndeclared,
    Check,
    EngineOption,
    Force,
    Json,
    KeyOut,
    MemoryOption,
    Quiet,
    RecipeFile,
    SchemaFile,
    Seed,
)
from sdckit.cli.outputs import Output
from sdckit.cli.report import write_report
from sdckit.cli.terminal import Terminal, count, listed
from sdckit.cli.verb import Verb
from sdckit.engines.engine_name import EngineName

if TYPE_CHECKING:
    from sdckit.release import Release
    from sdckit.schema import Schema

GUESSABLE_SEED = (
    "the seed is short, so anybody can find it by trying and undo the masking: leave out --seed for a file that is "
    "to be published"
)


def protect(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The file to mask.", show_default=False)],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="The masked file to write.", show_default=False), Output()
    ],
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
    shuffle_rows: Annotated[
        bool, typer.Option("--shuffle-rows", help="Write the records in a random order; keep the key (--key-out).")
    ] = False,
    escape_formulas: Annotated[
        bool, typer.Option("--escape-formulas", help="Disarm CSV cells that a spreadsheet would run as a formula.")
    ] = False,
    recipe_out: Annotated[
        Path | None, typer.Option(help="Write the recipe as TOML: what may be published, without the seed."), Output()
    ] = None,
    key_out: KeyOut = None,
    allow_undeclared: AllowUndeclared = False,
    report: Annotated[
        Path | None,
        typer.Option(help="Attack and measure the release and write this HTML report, for internal use."),
        Output(),
    ] = None,
    allow_code: AllowCode = None,
    engine: EngineOption = EngineName.AUTO,
    memory: MemoryOption = None,
    check: Check = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Mask a file by a method or a chain of methods.

    Identifiers are dropped; columns that no method masks are written unchanged.

    Example: sdckit protect survey.csv safe.csv --schema schema.toml --method mdav:group_size=5 --recipe-out recipe.toml
    """
    from sdckit.draws import Draws
    from sdckit.evaluation.edit_checks import broken_edits
    from sdckit.evaluation.estimate import LARGE
    from sdckit.evaluation.release_warnings import digit_warnings, identifier_warnings
    from sdckit.evaluation.worker_pool import memory_of_masking
    from sdckit.files import read, write, writer_for
    from sdckit.memory import refuse_without_memory
    from sdckit.release import protect as protected
    from sdckit.row_order import order_traces, shuffled

    terminal = Terminal(json, quiet)
    if check:
        mistakes = mistakes_in(lambda: recipe_of(None, method or (), ())) if method or recipe is None else []
        check_documents(terminal, [("schema", schema), ("recipe", recipe)], mistakes)
        return
    steps = recipe_of(recipe, method or (), (), allow_code)
    for path in filter(None, (target, recipe_out, key_out, report)):
        refuse_to_overwrite(path, force)
    declared = schema_of(schema)
    choice = chosen_engine(terminal, engine, memory, source)
    if choice is not None:
        refuse_with_engine(choice, shuffle_rows=shuffle_rows, report=report)
        made, done = protect_by_engine(
            terminal,
            choice,
            source,
            target,
            declared,
            recipe,
            method or (),
            attributes or (),
            allow_code,
            seed=seed,
            force=force,
            escape_formulas=escape_formulas,
            allow_undeclared=allow_undeclared,
            recipe_out=recipe_out,
            key_out=key_out,
        )
        if made.secret.guessable:
            terminal.warn(GUESSABLE_SEED)
        warn_of_formulas(terminal, made.formula_cells, escaped=escape_formulas)
        done |= {
            "path": str(target),
            "shuffled": False,
            "guessable_seed": made.secret.guessable,
            "formula_cells": made.formula_cells,
            "formulas_escaped": escape_formulas and made.formula_cells > 0,
            "recipe_path": _text(recipe_out),
            "key_path": _text(key_out),
        }
        print_summary(terminal, done)
        for message in made.notes:
            terminal.note(message)
        terminal.result(done)
        return
    writer_for(target)
    with terminal.progress("reading"):
        data = read(source, declared)
    if len(data) > LARGE:
        refuse_without_memory(memory_of_masking(data), f"masking {len(data):,} records", "mask fewer columns at a time")
    if attributes:
        names = column_names(attributes, [each.name for each in data.attributes])
        steps = recipe_of(recipe, method or (), names, allow_code)
    with terminal.progress("masking") as progress:
        release = protected(data, steps, seed=seed, allow_undeclared=allow_undeclared, progress=progress)
    result = measured(terminal, release) if report is not None else None
    if shuffle_rows:
        release = shuffled(release, Draws.of(release.secret).generator("shuffle-rows"))

    def describe(complete: Path) -> None:
        if recipe_out is not None or key_out is not None:
            with terminal.progress("describing the masked file"):
                describe_release(release, complete, declared, recipe_out, key_out, force=force)

    written = write(release.masked, target, force=force, escape_formulas=escape_formulas, before_release=describe)
    if result is not None and report is not None:
        write_report(terminal, result, report, force=force)
    if release.guessable_seed:
        terminal.warn(GUESSABLE_SEED)
    for message in [*identifier_warnings(release), *map(str, order_traces(release)), *digit_warnings(release)]:
        terminal.warn(message)
    warn_of_formulas(terminal, written.formula_cells, escaped=written.formulas_escaped)
    broken = broken_edits(release)
    done = summary(release) | {
        "path": str(target),
        "shuffled": shuffle_rows,
        "guessable_seed": release.guessable_seed,
        "broken_edits": [check.to_dict() for check in broken],
        "formula_cells": written.formula_cells,
        "formulas_escaped": written.formulas_escaped,
        "recipe_path": _text(recipe_out),
        "key_path": _text(key_out),
        "report_path": _text(report),
    }
    print_summary(terminal, done)
    for message in [*release.notes(), *map(str, broken)]:
        terminal.note(message)
    if shuffle_rows and key_out is None:
        terminal.warn("the rows are shuffled and no key was written: this file cannot be assessed; use --key-out")
    terminal.result(done)


def warn_of_formulas(terminal: Terminal, cells: int, *, escaped: bool) -> None:
    """Warn of cells that a spreadsheet would run."""
    if cells and not escaped:
        terminal.warn(
            f"a spreadsheet would run {count(cells, 'cell')} as a formula; --escape-formulas disarms such cells"
        )


def describe_release(
    release: "Release",
    masked: Path,
    schema: "Schema | None",
    recipe_out: Path | None,
    key_out: Path | None,
    *,
    force: bool,
) -> None:
    """Write the recipe and the private key of the masked file as it is read again: a format may round its values.

    Both are on disk before the masked file has its name: a file whose key was never written could not be assessed.
    """
    from dataclasses import replace

    from sdckit.files.key_file import write_key
    from sdckit.files.release_files import read_masked
    from sdckit.key import Key
    from sdckit.release_table import ReleaseTable

    release = replace(release, masked=read_masked(masked, schema))
    if recipe_out is not None and release.recipe is not None:
        table = ReleaseTable.of(release.masked, guessable_seed=release.guessable_seed)
        write_text(recipe_out, table.recipe_toml(release.recipe), force=force)
    if key_out is not None:
        write_key(Key.of(release), key_out, force=force)


def summary(release: "Release") -> dict[str, Any]:
    """What was done, in plain values; nothing in it is private."""
    from sdckit.microdata import Role
    from sdckit.privacy import privacy_budget

    assert release.recipe is not None
    touched = release.recipe.touched(release.original)
    steps = release.recipe.to_dict()["steps"]
    budget = privacy_budget(release.recipe, release.original, release.masked)
    return {
        "records": len(release.original),
        "released_records": len(release.masked),
        "steps": [{**step, "attributes": list(names)} for step, names in zip(steps, touched, strict=True)],
        "dropped": list(release.original.names(role=Role.IDENTIFIER)),
        "unchanged": [
            each.name for each in release.masked.attributes if not any(each.name in names for names in touched)
        ],
        "differential_privacy": None if budget is None else budget.to_dict(),
    }


def print_summary(terminal: Terminal, done: dict[str, Any]) -> None:
    """Print what was done."""
    if not terminal.chatty:
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="dim", width=12)
    table.add_column(overflow="fold")
    for step in done["steps"]:
        values = ", ".join(
            f"{key}={value}" for key, value in step.items() if key not in ("method", "attributes", "exactness")
        )
        method = f"[bold cyan]{step['method']}[/]" + (f" ({escape(values)})" if values else "")
        table.add_row("masked", f"{escape(listed(step['attributes'])) or 'edges'} by {method}")
    if done["dropped"]:
        table.add_row("dropped", f"{escape(listed(done['dropped']))} (identifiers)")
    if done["unchanged"]:
        table.add_row("unchanged", escape(listed(done["unchanged"])))
    if done["differential_privacy"]:
        table.add_row("privacy", escape(done["differential_privacy"]["statement"]))
    terminal.say(table)
    order = ", in a random order" if done["shuffled"] else ""
    terminal.line(
        f"[dim]{'written':14}[/]{count(done['released_records'], 'record')}{order} to [bold]{escape(done['path'])}[/]"
    )
    for what in ("recipe", "key", "report"):
        if done.get(f"{what}_path"):
            terminal.line(f"[dim]{what:14}[/][bold]{escape(done[f'{what}_path'])}[/]")


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


VERB = Verb(protect, group="Prepare and mask", order=11)
