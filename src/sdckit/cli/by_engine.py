"""Verbs on files that do not fit into memory: the engine, what it costs, and masking by it."""

import sys
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from sdckit.cli.counts import say_counts
from sdckit.cli.doubtful import steps_without_doubtful
from sdckit.cli.inputs import column_names, recipe_of
from sdckit.cli.protect_summary import print_summary
from sdckit.cli.release_outputs import GUESSABLE_SEED, empty_cell_notes, path_text, warn_of_formulas, write_recipe
from sdckit.cli.terminal import Terminal, count
from sdckit.engines.engine_name import EngineName
from sdckit.errors import ParameterError
from sdckit.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdckit.counts import ReleaseCounts
    from sdckit.engines.choose import Choice
    from sdckit.engines.engine import Engine
    from sdckit.engines.protect import EngineRelease, Prepared
    from sdckit.evaluation.edit_checks import EditCheck
    from sdckit.schema import Schema

SAMPLE = 20_000  # records from which codes and weights are distinguished from measurements where no schema does


def chosen_engine(terminal: Terminal, engine: EngineName, memory: str | None, *paths: Path) -> "Choice | None":
    """The engine for some files where it is not memory, with a line that says which and why."""
    if engine is EngineName.MEMORY:
        return None
    from sdckit.engines.choose import choose

    choice = choose(engine, memory, *paths)
    if choice.in_memory:
        return None
    print_line(terminal, f"engine {choice.name.value}: {choice.reason}")
    return choice


def print_line(terminal: Terminal, text: str) -> None:
    """A line on stderr about how the work is done."""
    if not terminal.quiet:
        print(printable(text), file=sys.stderr, flush=True)


def refuse_with_engine(choice: "Choice", **options: Any) -> None:
    """Refuse options that need the whole file in memory."""
    for name, value in options.items():
        if value:
            option = f"--{name.replace('_', '-')}"
            raise ParameterError(
                f"{option} needs the whole file in memory, and the engine is {choice.name.value}; leave it out, or use "
                "--engine memory on a sample of the records"
            )


def protect_by_engine(
    terminal: Terminal,
    choice: "Choice",
    source: Path,
    target: Path,
    schema: "Schema | None",
    recipe: Path | None,
    method: "Sequence[str]",
    attributes: "Sequence[str]",
    allow_code: "Sequence[Path] | None",
    *,
    seed: int | None,
    force: bool,
    escape_formulas: bool,
    allow_undeclared: bool,
    recipe_out: Path | None,
    key_out: Path | None,
) -> None:
    """Mask a file part by part, and say what was done."""
    from sdckit.engines.choose import resumed_choice
    from sdckit.engines.edit_checks import broken_edits
    from sdckit.engines.kept_parts import goes_on
    from sdckit.engines.pair import Pair
    from sdckit.engines.protect import prepare, protect
    from sdckit.engines.release_counts import release_counts
    from sdckit.engines.release_warnings import release_warnings
    from sdckit.engines.source import source_of
    from sdckit.engines.working_folder import folder_beside
    from sdckit.microdata import Microdata
    from sdckit.schema import Schema

    choice = resumed_choice(choice, target)
    with terminal.progress("reading the header"):
        names: tuple[str, ...] = ()
        if attributes:
            names = column_names(attributes, source_of(source, schema or Schema()).columns())
        steps = recipe_of(recipe, method, names, allow_code)
        prepared = prepare(source, schema, steps, choice, allow_undeclared=allow_undeclared)
        if schema is None:
            sample = Microdata.from_frame(prepared.source.part(0, SAMPLE))
            certain = steps_without_doubtful(terminal, steps, prepared.header, sample)
            if certain != steps:
                prepared = prepare(source, schema, certain, choice, allow_undeclared=allow_undeclared)
    say_plan(terminal, prepared, target, choice.name)
    start = monotonic()

    warnings: list[str] = []
    broken: list[EditCheck] = []
    counts: list[ReleaseCounts] = []

    def describe(release: "EngineRelease", engine: "Engine", complete: Path) -> None:
        progress.begin()
        progress.advance("counting what was changed")
        pair = Pair(release.original, release.masked, release.recipe)
        warnings.extend(release_warnings(pair))
        broken.extend(broken_edits(pair, engine))
        chain = len(release.stages) > 1
        if not terminal.quiet or (chain and key_out is not None):
            counts.append(release_counts(release.original, release.stages, engine, memory=prepared.plan.memory))
        if recipe_out is not None or key_out is not None:
            progress.advance("describing the masked file")
            kept = counts[0] if chain and counts else None
            describe_release(prepared, release, engine, complete, schema, recipe_out, key_out, kept, force=force)

    try:
        with terminal.progress("masking", time_left=True) as progress:
            release = protect(
                prepared,
                target,
                choice,
                seed=seed,
                force=force,
                escape_formulas=escape_formulas,
                progress=progress,
                before_release=describe,
            )
    except KeyboardInterrupt:
        # said with --quiet, too: what is left has original values
        print(printable(goes_on(folder_beside(target))), file=sys.stderr, flush=True)
        raise
    if release.resumed:
        print_line(terminal, "an earlier run was interrupted; this one continued from the parts that it had finished")
    if release.discarded:
        print_line(terminal, "the parts of an earlier run with other settings were removed; this one started anew")
    for message in warnings:
        terminal.warn(message)
    if release.secret.guessable:
        terminal.warn(GUESSABLE_SEED)
    warn_of_formulas(terminal, release.formula_cells, escaped=escape_formulas)
    done = summary(prepared, release, choice, monotonic() - start) | {
        "path": str(target),
        "shuffled": False,
        "guessable_seed": release.secret.guessable,
        "broken_edits": [check.to_dict() for check in broken],
        "formula_cells": release.formula_cells,
        "formulas_escaped": escape_formulas and release.formula_cells > 0,
        "recipe_path": path_text(recipe_out),
        "key_path": path_text(key_out),
    }
    print_summary(terminal, done)
    if counts:
        say_counts(terminal, counts[0])
        done |= {"counts": counts[0].to_dict()}
    declared = {} if schema is None else schema.attributes
    coded = [name for name, each in declared.items() if each.missing and name in prepared.header]
    empty = empty_cell_notes(name for name in coded if prepared.header.missing(name))
    for message in [*release.notes, *empty, *map(str, broken)]:
        terminal.note(message)
    terminal.result(done)


def say_plan(terminal: Terminal, prepared: "Prepared", target: Path, engine: EngineName) -> None:
    """Say how each step will be done, and what the run takes; warn where the disk has too little space for it."""
    from sdckit.engines.estimate import estimate
    from sdckit.evaluation.estimate import duration
    from sdckit.files.disk_space import free_space
    from sdckit.memory import gigabytes

    records = prepared.header.records
    expected = estimate(prepared, engine)
    print_line(
        terminal,
        f"{count(records, 'record')} in {count(prepared.parts, 'part')}: about {duration(expected.seconds)}, "
        f"{gigabytes(expected.disk)} of disk for the parts, and at most {gigabytes(prepared.plan.memory)} of memory",
    )
    for step in prepared.plan.steps:
        print_line(terminal, f"  step {step.number + 1}, {step}")
    free = free_space(target.absolute().parent, inf)
    if free < expected.disk:
        terminal.warn(
            f"{gigabytes(int(free))} of disk are free in {target.absolute().parent} and the parts take about "
            f"{gigabytes(expected.disk)}: the run may stop for lack of space"
        )


def describe_release(
    prepared: "Prepared",
    release: "EngineRelease",
    engine: "Engine",
    masked: Path,
    schema: "Schema | None",
    recipe_out: Path | None,
    key_out: Path | None,
    counts: "ReleaseCounts | None",
    *,
    force: bool,
) -> None:
    """Write the recipe and the private key of the masked file as it is read again, before it has its name."""
    from sdckit.engines.digests import digests_of, masked_source
    from sdckit.engines.profile import profile_of
    from sdckit.files.key_file import write_key
    from sdckit.key import Key
    from sdckit.release_table import ReleaseTable
    from sdckit.rows import in_order

    scratch = release.masked.folder / "scratch"
    after = digests_of(masked_source(masked, schema), engine, scratch, both=key_out is not None)
    guessable = release.secret.guessable
    if recipe_out is not None:
        table = ReleaseTable(after.unordered, after.records, guessable)
        write_recipe(recipe_out, table, release.recipe, release.masked.header, force=force)
    if key_out is not None:
        before = digests_of(prepared.source, engine, scratch)
        rows = in_order(after.records)
        profile = profile_of(release.original)
        write_key(Key(before, after, rows, release.secret.value, guessable, profile, counts), key_out, force=force)


def summary(prepared: "Prepared", release: "EngineRelease", choice: "Choice", seconds: float) -> dict[str, Any]:
    """What was done, in plain values; nothing in it is private."""
    from sdckit.microdata import Role
    from sdckit.privacy import privacy_budget

    header, recipe = prepared.header, release.recipe
    dropped = header.names(role=Role.IDENTIFIER)
    budget = privacy_budget(recipe, header, release.masked.header.without(dropped))
    touched = [step.attributes for step in recipe.steps]
    steps = recipe.to_dict()["steps"]
    exactness = ["exact" if step.exact else "bounded" for step in prepared.plan.steps]
    return {
        "records": header.records,
        "released_records": header.records,
        "steps": [
            {**step, "attributes": list(names), "exactness": exact}
            for step, names, exact in zip(steps, touched, exactness, strict=True)
        ],
        "dropped": list(dropped),
        "unchanged": [
            each.name
            for each in header.attributes
            if each.name not in dropped and not any(each.name in names for names in touched)
        ],
        "differential_privacy": None if budget is None else budget.to_dict(),
        "engine": {
            "name": choice.name.value,
            "reason": choice.reason,
            "memory": choice.memory,
            "parts": prepared.parts,
            "seconds": round(seconds, 1),
        },
    }
