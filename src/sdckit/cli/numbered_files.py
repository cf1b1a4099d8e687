"""Several synthetic or masked files of one original: each with draws of its own, under a number of its own."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdckit.cli.counted_masking import masked_and_counted
from sdckit.cli.counts import say_counts
from sdckit.cli.inputs import refuse_to_overwrite
from sdckit.cli.protect_summary import summary
from sdckit.cli.release_outputs import describe_release, warn_of_formulas, warnings_of
from sdckit.cli.terminal import Terminal, count
from sdckit.errors import ParameterError

if TYPE_CHECKING:
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe
    from sdckit.release import Release
    from sdckit.schema import Schema


def numbered(path: Path, number: int) -> Path:
    """The path of one of several files.

    >>> numbered(Path("safe.csv.gz"), 2).name, numbered(Path("safe"), 1).name
    ('safe-2.csv.gz', 'safe-1')
    """
    stem, dot, rest = path.name.partition(".")
    return path.with_name(f"{stem}-{number}{dot}{rest}")


def refuse_with_files(files: int, **options: Any) -> None:
    """Raise an error for a number of files that makes none, and for options that apply to a single file."""
    if files < 1:
        raise ParameterError(f"--files {files} makes no file; ask for at least 1")
    given = [name for name, value in options.items() if value]
    if given:
        raise ParameterError(
            f"--{given[0].replace('_', '-')} applies to a single file: leave it out, or make one file at a time"
        )


def protect_files(
    terminal: Terminal,
    data: "Microdata",
    steps: "Recipe",
    paths: tuple[Path, Path | None, Path | None],
    files: int,
    *,
    schema: "Schema | None",
    seed: int | None,
    allow_undeclared: bool,
    force: bool,
    escape_formulas: bool,
) -> "list[tuple[Release, dict[str, Any]]]":
    """Mask a file several times and write each result, its recipe and its key under a number of its own.

    `paths` are those of the masked file, the recipe and the key, without the number.
    """
    from sdckit.evaluation.edit_checks import broken_edits
    from sdckit.files import write
    from sdckit.several_files import file_secrets

    every = [[None if path is None else numbered(path, number + 1) for path in paths] for number in range(files)]
    for path in (path for some in every for path in some if path is not None):
        refuse_to_overwrite(path, force)
    done = []
    for secret, (target, recipe_out, key_out) in zip(file_secrets(seed, files), every, strict=True):
        assert target is not None
        release, counts = masked_and_counted(
            terminal,
            data,
            steps,
            seed=secret,
            allow_undeclared=allow_undeclared,
            kept=key_out is not None,
            title=f"masking {target.name}",
        )

        def describe(
            complete: Path, release: "Release" = release, outs: tuple[Path | None, Path | None] = (recipe_out, key_out)
        ) -> None:
            describe_release(release, complete, schema, *outs, force=force)

        written = write(release.masked, target, force=force, escape_formulas=escape_formulas, before_release=describe)
        warn_of_formulas(terminal, written.formula_cells, escaped=written.formulas_escaped)
        outputs = {
            "path": str(target),
            "formula_cells": written.formula_cells,
            "formulas_escaped": written.formulas_escaped,
            "broken_edits": [check.to_dict() for check in broken_edits(release)],
            "counts": None if counts is None else counts.to_dict(),
        }
        outputs |= {
            f"{name}_path": None if path is None else str(path)
            for name, path in (("recipe", recipe_out), ("key", key_out))
        }
        done.append((release, summary(release) | outputs))
    return done


def say_files(terminal: Terminal, done: "list[tuple[Release, dict[str, Any]]]") -> None:
    """What was written, what one who has all files learns more, and what is to be known of any of them."""
    from rich.markup import escape

    from sdckit.counts import ReleaseCounts
    from sdckit.digest import content_digest
    from sdckit.evaluation.changed_attributes import fraction_notes, negative_notes
    from sdckit.evaluation.edit_checks import broken_edits

    _, first = done[0]
    releases = [release for release, _ in done]
    for message in dict.fromkeys(message for release in releases for message in warnings_of(release)):
        terminal.warn(message)
    equal = len({content_digest(release.masked, ordered=True) for release in releases}) < len(releases)
    if equal:
        terminal.warn("some of the files are equal: the steps draw nothing at random, so one file says as much")
    for release, each in done:
        rows = count(each["released_records"], release.original.unit)
        terminal.line(f"[dim]{'written':14}[/]{rows} to [bold]{escape(each['path'])}[/]")
    if first["counts"] is not None:
        terminal.line(f"Counts of {escape(Path(first['path']).name)}; --json has those of every file:")
        say_counts(terminal, ReleaseCounts.from_dict(first["counts"]), releases[0].original.unit)
    budget = first["differential_privacy"]
    if budget is not None:
        epsilon, delta = len(done) * budget["epsilon"], len(done) * budget["delta"]
        terminal.warn(f"the {len(done)} files together have ε = {epsilon:g} and δ = {delta:g}: privacy losses add up")
    notes = (
        text
        for release in releases
        for text in [
            *release.notes(),
            *fraction_notes(release),
            *negative_notes(release),
            *map(str, broken_edits(release)),
        ]
    )
    for message in dict.fromkeys(notes):
        terminal.note(message)
    if not equal:
        together = ": attack them together (`sdckit attack --also-released`)" if releases[0].corresponds else ""
        terminal.note(
            f"an intruder who has all {len(done)} files learns more than from one{together}; `sdckit combine` gives "
            "estimates with their errors"
        )
