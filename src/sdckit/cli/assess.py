"""`sdckit assess`: attack a release and measure what was lost."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from sdckit.cli.inputs import column_names, measures_of, release_of
from sdckit.cli.options import Also, Json, Masked, Original, Quiet, RecipeFile, SchemaFile
from sdckit.cli.scores import say_scores
from sdckit.cli.terminal import Terminal, count

if TYPE_CHECKING:
    from sdckit.evaluation.assess import Assessment
    from sdckit.intruder import Intruder
    from sdckit.measure import Measure
    from sdckit.release import Release


def assess(
    original: Original,
    masked: Masked,
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[:PARAM=VALUE,…]", help="A risk or loss, by default all that apply. Repeatable."),
    ] = None,
    also: Also = None,
    attributes: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,…", help="What the intruder knows, by default every key. Repeatable."),
    ] = None,
    knowledge: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Average linkages over sets of these: first-subsets(7), sampled-subsets(10+1+7), first-attributes(0) "
            "or blocks(2+2). By default, all at once.",
        ),
    ] = None,
    records: Annotated[
        float | None, typer.Option(help="Share of the records that the intruder knows, by default all.")
    ] = None,
    noise: Annotated[
        float, typer.Option(help="Error on what the intruder knows, as a share of each attribute's spread.")
    ] = 0.0,
    missing: Annotated[
        float, typer.Option(help="Share of the values that the intruder does not know after all.")
    ] = 0.0,
    seed: Annotated[int | None, typer.Option(help="Repeat what a measure draws at random.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show every figure, not the main ones alone, and why others are left out.")
    ] = False,
    by_record: Annotated[
        bool, typer.Option("--by-record", help="With --json, the figure of every single record too: not to publish.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a protected file and measure what was lost.

    Example: sdckit assess survey.csv safe.csv --schema schema.toml
    """
    from rich.markup import escape

    from sdckit.evaluation.release_warnings import release_warnings
    from sdckit.evaluation.row_order import looks_shuffled, shuffled_rows_message
    from sdckit.intruder import Intruder
    from sdckit.knowledge import Knowledge

    terminal = Terminal(json, quiet)
    rule = Knowledge() if knowledge is None else Knowledge.from_text(knowledge)
    intruder = Intruder(records=records, noise=noise, missing=missing, knowledge=rule)
    measures, more = measures_of(measure or ()), measures_of(also or ())
    with terminal.progress("reading"):
        release = release_of(original, masked, schema, recipe)
    known = column_names(attributes or (), [each.name for each in release.original.attributes])
    result = measured(terminal, release, measures, replace(intruder, attributes=known or None), seed, more)
    terminal.say(
        f"[bold]{escape(masked.name)}[/] against {escape(original.name)}, {count(len(release.original), 'record')}"
    )
    asked = {each.name for each in (*(measures or ()), *(more or ()))}
    say_scores(terminal, result, every=every or measures is not None, named=asked)
    for warning in release_warnings(release):
        terminal.warn(warning)
    if looks_shuffled(result):
        terminal.warn(shuffled_rows_message("these figures mean nothing"))
    bare = "\n".join(f"{score.name}\t{score.value:.6g}" for score in result.values())
    terminal.result(result.to_dict(by_record=by_record), bare)


def measured(
    terminal: Terminal,
    release: "Release",
    measures: "list[Measure] | None" = None,
    intruder: "Intruder | None" = None,
    seed: int | None = None,
    also: "list[Measure] | None" = None,
) -> "Assessment":
    """Assess with a progress bar."""
    from sdckit.catalogue import entries
    from sdckit.evaluation.assess import assess as assessed
    from sdckit.intruder import Intruder

    total = len(measures) if measures else len(entries("risk")) + len(entries("loss"))
    total += len(also or ()) if measures else 0
    with terminal.progress("measuring", total) as begin:
        return assessed(release, measures, also=also or (), intruder=intruder or Intruder(), seed=seed, progress=begin)
