"""`sdckit attack`: an ordinary and a fully informed intruder, side by side."""

from typing import TYPE_CHECKING, Annotated

import typer

from sdckit.cli.inputs import column_names, release_of
from sdckit.cli.options import Json, Masked, Original, Quiet, RecipeFile, SchemaFile
from sdckit.cli.terminal import Terminal, bar, count, listed

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
    knows_method: Annotated[
        bool, typer.Option("--knows-method/--no-knows-method", help="Whether method and parameters are public.")
    ] = True,
    attributes: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,…", help="What the intruder knows, by default every key. Repeatable."),
    ] = None,
    records: Annotated[
        float | None, typer.Option(help="Share of the records that the intruder knows, by default all.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Repeat what is drawn at random.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a release as one who has only the file, and as one who knows the method too.

    The difference between the two is what publishing method and parameters costs.

    Example: sdckit attack survey.csv safe.csv --recipe recipe.toml --schema schema.toml
    """
    from sdckit.errors import ParameterError
    from sdckit.evaluation.release_warnings import release_warnings
    from sdckit.intruder import Intruder

    terminal = Terminal(json, quiet)
    if recipe is None and knows_method:
        raise ParameterError("an informed intruder knows the recipe: give --recipe FILE, or --no-knows-method")
    with terminal.progress("reading"):
        release = release_of(original, masked, schema, recipe)
    known = column_names(attributes or (), [each.name for each in release.original.attributes])
    intruder = Intruder(attributes=known or None, records=records, knows_method=knows_method)
    found = attacked(terminal, release, intruder, seed)
    say_attack(terminal, found, len(release.original))
    for warning in release_warnings(release):
        terminal.warn(warning)
    terminal.result(found.to_dict(), f"{found.ordinary.value:.6g}\t{found.worst.value:.6g}")


def attacked(terminal: Terminal, release: "Release", intruder: "Intruder", seed: int | None = None) -> "Attack":
    """Attack with a progress bar."""
    from sdckit.evaluation.attack import NUMBERS, informed_attacks, ordinary_attacks
    from sdckit.evaluation.attack import attack as let_loose

    with terminal.progress("attacking", len(ordinary_attacks()) + len(informed_attacks()) + NUMBERS) as begin:
        return let_loose(release, intruder=intruder, seed=seed, progress=begin)


def say_attack(terminal: Terminal, found: "Attack", records: int) -> None:
    """The two intruders for a person."""
    if not terminal.chatty:
        return
    from rich.markup import escape

    from sdckit.formatting import percent

    terminal.say(f"The intruder knows {escape(listed(found.attributes))} and seeks {count(records, 'record')}.")
    terminal.say(_attacks(found), _curve(found))
    gain = found.worst.value - found.ordinary.value
    without = percent(found.ordinary.value)
    told = f"Knowing the method adds {percent(max(gain, 0.0))} of the records to the {without} that "
    told += f"{found.ordinary.name} finds without."
    terminal.say(told if found.informed else "The method is not known: only the ordinary intruder attacked.")
    intersection = found.informed.get("intersection-attack")
    if intersection is not None and intersection.details["empty_sets"] and intersection.details["coverage_promised"]:
        terminal.warn(
            f"{percent(intersection.details['empty_sets'])} of the sets are empty: the file was not masked by this "
            "recipe, or by one with a wider window"
        )


def _attacks(found: "Attack") -> "Table":
    from sdckit.cli.scores import table_of
    from sdckit.formatting import percent

    table = table_of("Attack", ("found", "certain", "possible rows", "chance"))
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
