"""`sdckit attack`: who is re-identified, with what confidence, why, and which attribute to mask."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.attack_story import say_attack
from sdckit.cli.command import Option
from sdckit.cli.expectation import expect
from sdckit.cli.inputs import RowOptions, column_names, external_of, release_of, say_map_warnings, schema_of
from sdckit.cli.options import (
    AllowCode,
    Everyone,
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
    Sheet,
)
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sdckit.evaluation.attack import Attack
    from sdckit.intruder import Intruder
    from sdckit.measure import Score
    from sdckit.release import Release


def attack(
    original: Original,
    masked: Masked,
    recipe: RecipeFile = None,
    schema: SchemaFile = None,
    key: KeyFile = None,
    match_on: MatchOn = None,
    rows_in_order: RowsInOrder = False,
    sheet: Sheet = None,
    knows_method: Annotated[
        bool, Option("--knows-method/--no-knows-method", help="Whether the intruder knows method and parameters.")
    ] = True,
    attributes: Annotated[
        list[str] | None,
        Option(metavar="NAME,…", help="What the intruder knows, by default every key. Repeatable."),
    ] = None,
    records: Annotated[
        float | None, Option(help="Share of the records that the intruder knows, by default all.")
    ] = None,
    noise: Annotated[
        float, Option(help="Error of the intruder's numbers, as a share of their standard deviation.")
    ] = 0.0,
    missing: Annotated[float, Option(help="Share of these values that the intruder does not have after all.")] = 0.0,
    intruder_file: IntruderFile = None,
    intruder_map: IntruderMapFile = None,
    also_released: Annotated[
        list[Path] | None,
        Option(metavar="FILE", help="Another release of the same file that the intruder has. Repeatable."),
    ] = None,
    also_recipe: Annotated[
        list[Path] | None,
        Option(metavar="RECIPE.toml", help="How that release was masked, in the same order. Repeatable."),
    ] = None,
    also_linked_by: Annotated[
        str | None,
        Option(
            metavar="COLUMN",
            help="Column that links the rows of all releases. Without it, the intruder checks whether they are in the "
            "same order, and otherwise links them by the attributes that they share.",
        ),
    ] = None,
    also_rows_in_order: Annotated[
        bool, Option("--also-rows-in-order", help="The other releases list the same people in the same order.")
    ] = False,
    seed: Annotated[int | None, Option(help="Seed of the records that the intruder knows.")] = None,
    every: Everyone = False,
    allow_code: AllowCode = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a release: who is re-identified, with what confidence, why, and which attribute to mask.

    One intruder knows the method and its parameters, the other does not; the difference is what transparency costs.

    Example: sdckit attack survey.csv safe.csv --recipe recipe.toml --schema schema.toml
    """
    from sdckit.errors import ParameterError
    from sdckit.evaluation.release_warnings import release_warnings
    from sdckit.files.other_releases import other_releases
    from sdckit.formatting import percent
    from sdckit.graph import Graph
    from sdckit.intruder import Intruder
    from sdckit.rows import origin_of

    terminal = Terminal(json, quiet)
    if recipe is None and knows_method:
        raise ParameterError("an informed intruder knows the recipe: give --recipe FILE, or --no-knows-method")
    with terminal.progress("reading"):
        own_file = external_of(intruder_file, intruder_map)
        release = release_of(
            original, masked, schema, recipe, RowOptions(key, match_on, rows_in_order, sheet), allow_code
        )
    say_map_warnings(terminal, intruder_map, own_file, release.original)
    origin_of(release.rows)  # an attack is scored by the true links: where they are not known, an error names the cure
    known = column_names(attributes or (), [each.name for each in release.original.attributes])
    others = other_releases(
        release,
        also_released or (),
        also_recipe or (),
        linked_by=also_linked_by,
        in_order=also_rows_in_order,
        schema=schema_of(schema),
        allow_code=allow_code or (),
    )
    intruder = Intruder(
        attributes=known or None,
        records=records,
        noise=noise,
        missing=missing,
        knows_method=knows_method,
        file=own_file,
        also=others,
    )
    found = attacked(terminal, release, intruder, seed, every=every)
    links = release.original.known_links if isinstance(release.original, Graph) else ""
    say_attack(terminal, found, len(intruder.source_file(release)), links, release.original.unit)
    if found.impossible:
        terminal.warn(
            f"{percent(found.impossible)} of the {release.original.unit}s have no possible row: the file was not "
            "masked by this recipe, or by one with a wider window"
        )
    silent = len(others) - len(found.leading.details.get("other_releases", ()))
    if silent:
        terminal.warn(f"{silent} of the other releases have no attribute that the intruder knows, and add nothing")
    for warning in release_warnings(release):
        terminal.warn(warning)
    terminal.result(found.to_dict(), f"{found.ordinary.value:.6g}\t{found.leading.value:.6g}")


def attacked(
    terminal: Terminal,
    release: "Release",
    intruder: "Intruder",
    seed: int | None = None,
    *,
    every: bool = False,
    measured: "Mapping[str, Score] | None" = None,
) -> "Attack":
    """The attack on a release, with its progress on stderr."""
    from sdckit.evaluation.attack import attack as attack_release

    expect(terminal, release, partial(attack_release, intruder=intruder, every=every, seed=seed))
    with terminal.progress("attacking") as progress:
        return attack_release(
            release, intruder=intruder, every=every, measured=measured or {}, seed=seed, progress=progress
        )


VERB = Verb(attack, group="Measure a release", order=31)
