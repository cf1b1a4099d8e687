"""`sdckit report`: the dossier of a release as one HTML file."""

import json as json_format
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sdckit.cli.assess import measured
from sdckit.cli.inputs import refuse_to_overwrite, release_of
from sdckit.cli.options import Force, Json, Masked, Original, Quiet, RecipeFile, SchemaFile
from sdckit.cli.terminal import Terminal
from sdckit.errors import FileError

if TYPE_CHECKING:
    from sdckit.evaluation.assess import Assessment
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap


def report(
    original: Original,
    masked: Masked,
    out: Annotated[Path, typer.Argument(metavar="OUT.html", help="The report to write.", show_default=False)],
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    public: Annotated[
        bool, typer.Option("--public", help="The edition to publish: no record numbers, no original values.")
    ] = False,
    map: Annotated[
        Path | None, typer.Option(help="The map.json of a sweep of ORIGINAL, to show the release on; internal only.")
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the dossier of a release as one HTML file.

    It tells what was done, the risk before and after, and what was lost, and opens offline.
    """
    terminal = Terminal(json, quiet)
    refuse_to_overwrite(out, force)
    swept = map_of(map)
    with terminal.progress("reading"):
        release = release_of(original, masked, schema, recipe)
    result = replace(measured(terminal, release), map=swept)
    write_report(terminal, result, out, public=public, force=force)
    edition = "public" if public else "internal"
    if terminal.chatty:
        from rich.markup import escape

        terminal.line(f"The {edition} report is in [bold]{escape(str(out))}[/]")
    terminal.result({"path": str(out), "edition": edition})


def write_report(
    terminal: Terminal, result: "Assessment", out: Path, *, public: bool = False, force: bool = False
) -> None:
    """Write the report of an assessment, with a sign of life."""
    from sdckit.report import report as reported

    if result.release.recipe is not None:
        result = with_attack(terminal, result)
    with terminal.progress("writing the report"):
        reported(result, out, public=public, force=force)


def map_of(path: Path | None) -> "RiskUtilityMap | None":
    """The map that a sweep wrote, where one is given."""
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap

    if path is None:
        return None
    try:
        return RiskUtilityMap.from_dict(json_format.loads(path.read_text(encoding="utf-8")))
    except ValueError:
        raise FileError(f"{path} is not JSON; take the map.json that `sdckit sweep --out` wrote") from None


def with_attack(terminal: Terminal, result: "Assessment") -> "Assessment":
    """The assessment with what openness costs, where an intruder can attack at all."""
    from sdckit.cli.attack import attacked
    from sdckit.errors import NotApplicableError

    try:
        return replace(result, attack=attacked(terminal, result.release, result.intruder))
    except NotApplicableError:
        return result
