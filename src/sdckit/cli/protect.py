"""`sdckit protect`: mask a file by a method or a recipe."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sdckit.cli.assess import measured
from sdckit.cli.by_engine import chosen_engine, protect_by_engine, refuse_with_engine
from sdckit.cli.check import check_documents
from sdckit.cli.counts import say_counts
from sdckit.cli.inputs import (
    column_names,
    mistakes_in,
    recipe_of,
    refuse_to_overwrite,
    schema_of,
    sheet_option,
    write_text,
)
from sdckit.cli.next_file import read_next, run_text
from sdckit.cli.numbered_files import protect_files, refuse_with_files, say_files
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
    Sheet,
)
from sdckit.cli.outputs import Output
from sdckit.cli.report import write_report
from sdckit.cli.terminal import Terminal, count, listed
from sdckit.cli.verb import Verb
from sdckit.engines.engine_name import EngineName
from sdckit.errors import ParameterError

if TYPE_CHECKING:
    from sdckit.evaluation.drift import Drift
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe
    from sdckit.release import Release
    from sdckit.run import Run
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
        typer.Option(metavar="NAME,…", help="Columns to mask, by default every key of a suitable kind. Repeatable."),
    ] = None,
    schema: SchemaFile = None,
    sheet: Sheet = None,
    recipe: RecipeFile = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="record|household",
            help="What the methods named by --method mask: each record by itself, or one value for a whole household.",
        ),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN.toml",
            help="Mask the next file of a series like an earlier one, by its schema and steps; drift is shown first.",
        ),
    ] = None,
    stop_on_drift: Annotated[
        bool, typer.Option("--stop-on-drift", help="With --run, mask nothing where the file differs.")
    ] = False,
    files: Annotated[
        int,
        typer.Option(
            metavar="M",
            help="Mask the file M times and write OUT-1, OUT-2, …, for `sdckit combine`; recipes and keys "
            "are numbered, too.",
        ),
    ] = 1,
    seed: Seed = None,
    force: Force = False,
    shuffle_rows: Annotated[
        bool, typer.Option("--shuffle-rows", help="Write the records in a random order; keep the key (--key-out).")
    ] = False,
    escape_formulas: Annotated[
        bool, typer.Option("--escape-formulas", help="Disarm CSV cells that a spreadsheet would run as a formula.")
    ] = False,
    recipe_out: Annotated[
        Path | None, typer.Option(help="Write the recipe as TOML, without the seed: it may be published."), Output()
    ] = None,
    key_out: KeyOut = None,
    codebook_out: Annotated[
        Path | None,
        typer.Option(help="Write a DDI-Codebook (XML) of the masked file, with the values that occur in it."),
        Output(),
    ] = None,
    run_out: Annotated[
        Path | None,
        typer.Option(
            help="Write schema, steps and path of the key as TOML, for --run on the next file: for internal use."
        ),
        Output(),
    ] = None,
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
    from dataclasses import replace

    from sdckit.draws import Draws
    from sdckit.evaluation.edit_checks import broken_edits
    from sdckit.evaluation.estimate import LARGE
    from sdckit.evaluation.household_checks import household_warnings
    from sdckit.evaluation.release_counts import release_counts, stage_of
    from sdckit.evaluation.release_warnings import digit_warnings, identifier_warnings
    from sdckit.evaluation.worker_pool import memory_of_masking
    from sdckit.files import read, write, writer_for
    from sdckit.files.doubtful_keys import without_doubtful
    from sdckit.memory import refuse_without_memory
    from sdckit.microdata import Microdata
    from sdckit.release import protect as protected
    from sdckit.row_order import order_warnings, shuffled
    from sdckit.run import Run

    terminal = Terminal(json, quiet)
    if check:
        mistakes = (
            mistakes_in(lambda: recipe_of(None, method or (), (), level=level))
            if method or (recipe is None and run is None)
            else []
        )
        check_documents(terminal, [("schema", schema), ("recipe", recipe), ("run", run)], mistakes)
        return
    if run is not None and (recipe is not None or method or schema is not None):
        raise ParameterError("--run has the schema and the steps: leave out --schema, --recipe and --method")
    earlier = None if run is None else Run.from_toml(run, allow_code=allow_code or ())
    steps = recipe_of(recipe, method or (), (), allow_code, level) if earlier is None else _steps_of(earlier, run)
    if files != 1:
        refuse_with_files(files, report=report, run_out=run_out, codebook_out=codebook_out, shuffle_rows=shuffle_rows)
    else:
        for path in filter(None, (target, recipe_out, key_out, run_out, codebook_out, report)):
            refuse_to_overwrite(path, force)
    declared = schema_of(schema)
    choice = chosen_engine(terminal, engine, memory, source)
    if choice is not None:
        refuse_with_engine(
            choice,
            shuffle_rows=shuffle_rows,
            report=report,
            run=run,
            run_out=run_out,
            codebook_out=codebook_out,
            level=level,
            files=files != 1,
        )
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
    drift: list[Drift] = []
    with terminal.progress("reading"):
        if earlier is not None and run is not None:
            data, declared, drift = read_next(terminal, source, earlier, run, stop=stop_on_drift)
        else:
            data = read(source, declared, **sheet_option(sheet))
    if len(data) > LARGE:
        refuse_without_memory(memory_of_masking(data), f"masking {len(data):,} records", "mask fewer columns at a time")
    if attributes and earlier is None:
        names = column_names(attributes, [each.name for each in data.attributes])
        steps = recipe_of(recipe, method or (), names, allow_code, level)
    if declared is None and isinstance(data, Microdata):
        steps, left_out = without_doubtful(steps, data)
        if left_out:
            named, verb = ", ".join(map(repr, left_out)), "are" if len(left_out) > 1 else "is"
            terminal.warn(
                f"without a schema, {named} {verb} not masked: "
                "probably codes, weights or identification numbers (`sdckit describe` gives the reasons); name columns "
                "to mask by --attributes, or declare roles in a schema"
            )
    if files != 1:
        made_files = protect_files(
            terminal,
            data,
            steps,
            (target, recipe_out, key_out),
            files,
            schema=declared,
            seed=seed,
            allow_undeclared=allow_undeclared,
            force=force,
            escape_formulas=escape_formulas,
        )
        if made_files[0][0].guessable_seed:
            terminal.warn(GUESSABLE_SEED)
        say_files(terminal, made_files)
        terminal.result({"files": [each for _, each in made_files]})
        return
    stages: list[tuple[str, Microdata]] = []

    def remember(name: str, file: "Microdata") -> None:
        stages.append(stage_of(len(stages) + 1, name, file, data))

    with terminal.progress("masking") as progress:
        release = protected(
            data, steps, seed=seed, allow_undeclared=allow_undeclared, progress=progress, after_step=remember
        )
    with terminal.progress("counting"):
        kept = len(stages) > 1 and (key_out is not None or report is not None)
        counts = release_counts(release, stages) if kept or not quiet else None
    if kept:
        release = replace(release, counts=counts)
    result = measured(terminal, release) if report is not None else None
    if shuffle_rows:
        release = shuffled(release, Draws.of(release.secret).generator("shuffle-rows"))

    def describe(complete: Path) -> None:
        if recipe_out is not None or key_out is not None:
            with terminal.progress("describing the masked file"):
                describe_release(release, complete, declared, recipe_out, key_out, force=force)
        if run_out is not None and release.recipe is not None:
            write_text(run_out, run_text(declared, release.recipe, key_out, run_out), force=force)

    written = write(release.masked, target, force=force, escape_formulas=escape_formulas, before_release=describe)
    if codebook_out is not None:
        from sdckit.files.codebook_text import codebook_text

        write_text(codebook_out, codebook_text(release.masked, target.name), force=force)
    if result is not None and report is not None:
        write_report(terminal, result, report, force=force)
    if release.guessable_seed:
        terminal.warn(GUESSABLE_SEED)
    traces = [*order_warnings(release), *digit_warnings(release), *household_warnings(release)]
    for message in [*identifier_warnings(release), *traces]:
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
        "codebook_path": _text(codebook_out),
        "run_path": _text(run_out),
        "report_path": _text(report),
    }
    print_summary(terminal, done)
    if counts is not None:
        say_counts(terminal, counts)
        done |= {"counts": counts.to_dict()}
    if earlier is not None:
        done |= {"drift": [each.to_dict() for each in drift]}
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


def _steps_of(run: "Run", path: Path | None) -> "Recipe":
    if run.recipe is None:
        raise ParameterError(f"{path} has no steps; write [[steps]] with a method and its parameters")
    return run.recipe


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
        values = ", ".join(f"{key}={_setting(step[key])}" for key in step if _is_set(key, step[key]))
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
    for what in ("recipe", "key", "run", "codebook", "report"):
        if done.get(f"{what}_path"):
            terminal.line(f"[dim]{what:14}[/][bold]{escape(done[f'{what}_path'])}[/]")


def _is_set(key: str, value: Any) -> bool:
    """Whether an entry of a step is a parameter that says something."""
    return key not in ("method", "attributes", "exactness") and value not in ("", [], None)


def _setting(value: Any) -> str:
    """The value of a parameter as it is typed on a command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "+".join(map(_setting, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


VERB = Verb(protect, group="Prepare and mask", order=11)
