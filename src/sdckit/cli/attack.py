"""`sdckit attack`: an intruder without and one with knowledge of the method, side by side."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from sdckit.cli.expectation import expect
from sdckit.cli.inputs import RowOptions, column_names, external_of, release_of
from sdckit.cli.options import (
    IntruderFile,
    IntruderMapFile,
    Json,
    KeyFile,
    Masked,
    MatchOn,
    Original,
    Quiet,
    RecipeFile,
    RowsInOrder,
    SchemaFile,
)
from sdckit.cli.terminal import Terminal, bar, count, listed
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.evaluation.attack import Attack
    from sdckit.intruder import Intruder
    from sdckit.release import Release


def attack(
    original: Original,
    masked: Masked,
    recipe: RecipeFile = None,
    schema: SchemaFile = None,
    key: KeyFile = None,
    match_on: MatchOn = None,
    rows_in_order: RowsInOrder = False,
    knows_method: Annotated[
        bool, typer.Option("--knows-method/--no-knows-method", help="Whether the intruder knows method and parameters.")
    ] = True,
    attributes: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,…", help="What the intruder knows, by default every key. Repeatable."),
    ] = None,
    records: Annotated[
        float | None, typer.Option(help="Share of the records that the intruder knows, by default all.")
    ] = None,
    intruder_file: IntruderFile = None,
    intruder_map: IntruderMapFile = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the attacks that draw at random.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a release without and with knowledge of the method.

    The difference between the two intruders is what publishing method and parameters costs.

    Example: sdckit attack survey.csv safe.csv --recipe recipe.toml --schema schema.toml
    """
    from sdckit.errors import ParameterError
    from sdckit.evaluation.release_warnings import release_warnings
    from sdckit.intruder import Intruder
    from sdckit.rows import origin_of

    terminal = Terminal(json, quiet)
    if recipe is None and knows_method:
        raise ParameterError("an informed intruder knows the recipe: give --recipe FILE, or --no-knows-method")
    with terminal.progress("reading"):
        own_file = external_of(intruder_file, intruder_map)
        release = release_of(original, masked, schema, recipe, RowOptions(key, match_on, rows_in_order))
    origin_of(release.rows)  # an attack is scored by the true links: where they are not known, an error names the cure
    known = column_names(attributes or (), [each.name for each in release.original.attributes])
    intruder = Intruder(attributes=known or None, records=records, knows_method=knows_method, file=own_file)
    found = attacked(terminal, release, intruder, seed)
    say_attack(terminal, found, len(intruder.source_file(release)))
    for warning in release_warnings(release):
        terminal.warn(warning)
    terminal.result(found.to_dict(), f"{found.ordinary.value:.6g}\t{found.worst.value:.6g}")


def attacked(terminal: Terminal, release: "Release", intruder: "Intruder", seed: int | None = None) -> "Attack":
    """The attack on a release, with its progress on stderr."""
    from sdckit.evaluation.attack import attack as attack_release

    expect(terminal, release, partial(attack_release, intruder=intruder, seed=seed))
    with terminal.progress("attacking") as progress:
        return attack_release(release, intruder=intruder, seed=seed, progress=progress)


def say_attack(terminal: Terminal, found: "Attack", records: int) -> None:
    """Print what the two intruders re-identify."""
    if not terminal.chatty:
        return
    from rich.markup import escape

    from sdckit.formatting import percent

    terminal.say(f"The intruder knows {escape(listed(found.attributes))} and looks for {count(records, 'record')}.")
    terminal.say(_attacks(found), _curve(found))
    gain = found.worst.value - found.ordinary.value
    without = percent(found.ordinary.value)
    gain_in_words = (
        f"Knowing the method adds {percent(max(gain, 0.0))} of the records to the {without} that "
        f"{found.ordinary.name} re-identifies without it."
    )
    unknown = "The method is not known: only the intruder who does not use it was simulated."
    terminal.say(gain_in_words if found.informed else unknown)
    intersection = found.informed.get("intersection-attack")
    if intersection is not None and intersection.details["empty_sets"] and intersection.details["coverage_promised"]:
        terminal.warn(
            f"{percent(intersection.details['empty_sets'])} of the records have no possible row: the file was not "
            "masked by this recipe, or by one with a wider window"
        )


def _attacks(found: "Attack") -> "Table":
    from sdckit.cli.scores import table_of
    from sdckit.formatting import percent

    table = table_of("Attack", ("re-identified", "certain", "possible rows", "guessing"))
    for score in (found.ordinary, *found.informed.values()):
        certain, rows = score.details.get("certain_matches"), score.details.get("mean_set")
        table.add_row(
            score.name,
            f"[bold]{percent(score.value)}[/]",
            percent(certain) if certain is not None else "–",
            f"{rows:,.1f}" if rows is not None else "–",
            percent(score.baseline),
        )
    return table


def _curve(found: "Attack") -> "Table":
    from sdckit.cli.scores import table_of
    from sdckit.formatting import percent

    table = table_of("Attributes known", ("without the method", "with it"))
    table.add_column("", width=16, no_wrap=True)
    for each in found.curve:
        informed = each.informed if each.informed is not None else each.ordinary
        table.add_row(str(each.known), percent(each.ordinary), percent(each.informed), bar(each.ordinary, informed, 16))
    return table


VERB = Verb(attack, group="Measure a release", order=31)
