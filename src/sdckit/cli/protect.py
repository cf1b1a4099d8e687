"""`sdckit protect`: mask a file by a method or a recipe."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.assess import measured
from sdckit.cli.by_engine import chosen_engine, protect_by_engine, refuse_with_engine
from sdckit.cli.check import check_documents
from sdckit.cli.command import Argument, Option
from sdckit.cli.counted_masking import masked_and_counted
from sdckit.cli.counts import say_counts
from sdckit.cli.doubtful import steps_without_doubtful
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
from sdckit.cli.protect_summary import print_summary, summary
from sdckit.cli.release_outputs import (
    GUESSABLE_SEED,
    describe_release,
    missing_code_notes,
    path_text,
    warn_of_formulas,
    warnings_of,
)
from sdckit.cli.report import dossier_of, write_report
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb
from sdckit.engines.engine_name import EngineName
from sdckit.errors import ParameterError

if TYPE_CHECKING:
    from sdckit.evaluation.drift import Drift
    from sdckit.recipe import Recipe
    from sdckit.run import Run


def protect(
    source: Annotated[Path, Argument(metavar="IN", help="The file to mask.")],
    target: Annotated[Path, Argument(metavar="OUT", help="The masked file to write."), Output()],
    method: Annotated[
        list[str] | None,
        Option(metavar="NAME[:PARAM=VALUE,…]", help="A masking; several make a chain (`sdckit list masking`)."),
    ] = None,
    attributes: Annotated[
        list[str] | None,
        Option(metavar="NAME,…", help="Columns to mask, by default every key of a suitable kind. Repeatable."),
    ] = None,
    schema: SchemaFile = None,
    sheet: Sheet = None,
    recipe: RecipeFile = None,
    level: Annotated[
        str | None,
        Option(
            metavar="record|household",
            help="What the methods named by --method mask: each record by itself, or one value for a whole household.",
        ),
    ] = None,
    run: Annotated[
        Path | None,
        Option(
            metavar="RUN.toml",
            help="Mask the next file of a series like an earlier one, by its schema and steps; drift is shown first.",
        ),
    ] = None,
    stop_on_drift: Annotated[
        bool, Option("--stop-on-drift", help="With --run, mask nothing where the file differs.")
    ] = False,
    files: Annotated[
        int,
        Option(
            metavar="M",
            help="Mask the file M times and write OUT-1, OUT-2, …, for `sdckit combine`; recipes and keys "
            "are numbered, too.",
        ),
    ] = 1,
    seed: Seed = None,
    force: Force = False,
    shuffle_rows: Annotated[
        bool, Option("--shuffle-rows", help="Write the records in a random order; keep the key (--key-out).")
    ] = False,
    escape_formulas: Annotated[
        bool, Option("--escape-formulas", help="Disarm CSV cells that a spreadsheet would run as a formula.")
    ] = False,
    recipe_out: Annotated[
        Path | None,
        Option(
            help="Write the recipe as TOML, without the seed. Where it names categories of the original, only you "
            "can read it, and `publish` leaves them out."
        ),
        Output(),
    ] = None,
    key_out: KeyOut = None,
    codebook_out: Annotated[
        Path | None,
        Option(help="Write a DDI-Codebook (XML) of the masked file, with the values that occur in it."),
        Output(),
    ] = None,
    run_out: Annotated[
        Path | None,
        Option(help="Write schema, steps and path of the key as TOML, for --run on the next file: for internal use."),
        Output(),
    ] = None,
    allow_undeclared: AllowUndeclared = False,
    report: Annotated[
        Path | None,
        Option(help="Attack and measure the release and write this HTML report, for internal use."),
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
    from sdckit.evaluation.changed_attributes import fraction_notes, negative_notes
    from sdckit.evaluation.edit_checks import broken_edits
    from sdckit.evaluation.estimate import LARGE
    from sdckit.evaluation.worker_pool import memory_of_masking
    from sdckit.files import read, refuse_lost_parts, refuse_target, write, writer_for
    from sdckit.memory import refuse_without_memory
    from sdckit.microdata import Microdata
    from sdckit.row_order import shuffled

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
    earlier = None if run is None else _earlier(run, allow_code)
    steps = recipe_of(recipe, method or (), (), allow_code, level) if earlier is None else _steps_of(earlier, run)
    if files != 1:
        refuse_with_files(files, report=report, run_out=run_out, codebook_out=codebook_out, shuffle_rows=shuffle_rows)
    else:
        refuse_target(target, force=force)
        for path in filter(None, (recipe_out, key_out, run_out, codebook_out, report)):
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
        protect_by_engine(
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
        return
    writer_for(target)
    drift: list[Drift] = []
    with terminal.progress("reading"):
        if earlier is not None and run is not None:
            data, declared, drift = read_next(terminal, source, earlier, run, stop=stop_on_drift)
        else:
            data = read(source, declared, **sheet_option(sheet))
    refuse_lost_parts(data, target)
    if len(data) > LARGE:
        refuse_without_memory(memory_of_masking(data), f"masking {len(data):,} records", "mask fewer columns at a time")
    if attributes and earlier is None:
        names = column_names(attributes, [each.name for each in data.attributes])
        steps = recipe_of(recipe, method or (), names, allow_code, level)
    if declared is None and isinstance(data, Microdata):
        steps = steps_without_doubtful(terminal, steps, data)
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
    kept = key_out is not None or report is not None
    release, counts = masked_and_counted(terminal, data, steps, seed=seed, allow_undeclared=allow_undeclared, kept=kept)
    result = measured(terminal, release) if report is not None else None
    if shuffle_rows:
        release = shuffled(release, Draws.of(release.secret).generator("shuffle-rows"))

    def describe(complete: Path) -> None:
        if recipe_out is not None or key_out is not None:
            with terminal.progress("describing the masked file"):
                describe_release(release, complete, declared, recipe_out, key_out, force=force)
        if run_out is not None and release.recipe is not None:
            text = run_text(declared, release.recipe, key_out, run_out)
            write_text(run_out, text, force=force, private=True)

    written = write(release.masked, target, force=force, escape_formulas=escape_formulas, before_release=describe)
    if codebook_out is not None:
        from sdckit.files.codebook_text import codebook_text

        write_text(codebook_out, codebook_text(release.masked, target.name), force=force)
    if result is not None and report is not None:
        write_report(terminal, dossier_of(terminal, result), report, force=force)
    if release.guessable_seed:
        terminal.warn(GUESSABLE_SEED)
    for message in warnings_of(release):
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
        "recipe_path": path_text(recipe_out),
        "key_path": path_text(key_out),
        "codebook_path": path_text(codebook_out),
        "run_path": path_text(run_out),
        "report_path": path_text(report),
    }
    print_summary(terminal, done, release.original.unit)
    if counts is not None:
        say_counts(terminal, counts, release.original.unit)
        done |= {"counts": counts.to_dict()}
    if earlier is not None:
        done |= {"drift": [each.shown(private_too=terminal.private_too).to_dict() for each in drift]}
    codes = missing_code_notes(release.masked, declared, target)
    unlike = [*fraction_notes(release), *negative_notes(release)]
    for message in [*release.notes(), *unlike, *codes, *map(str, broken)]:
        terminal.note(message)
    if shuffle_rows and key_out is None:
        terminal.warn("the rows are shuffled and no key was written: this file cannot be assessed; use --key-out")
    terminal.result(done)


def _earlier(path: Path, allow_code: list[Path] | None) -> "Run":
    from sdckit.run import Run

    return Run.from_toml(path, allow_code=allow_code or ())


def _steps_of(run: "Run", path: Path | None) -> "Recipe":
    if run.recipe is None:
        raise ParameterError(f"{path} has no steps; write [[steps]] with a method and its parameters")
    return run.recipe


VERB = Verb(protect, group="Prepare and mask", order=11)
