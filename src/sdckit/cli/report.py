"""`sdckit report`: the dossier of a release as one HTML file."""

import json as json_format
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sdckit.cli.assess import measured
from sdckit.cli.inputs import (
    RowOptions,
    measures_of,
    refuse_to_overwrite,
    refuse_unknown_rows,
    release_of,
    unmeasured,
)
from sdckit.cli.options import Also, Force, Json, KeyFile, MatchOn, Quiet, RecipeFile, RowsInOrder, SchemaFile
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb
from sdckit.errors import FileError, ParameterError

if TYPE_CHECKING:
    from sdckit.evaluation.assess import Assessment
    from sdckit.evaluation.corrections import Estimate
    from sdckit.evaluation.policy import Policy
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap
    from sdckit.release import Release


def report(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="ORIGINAL MASKED OUT.html",
            help="The original file, the masked file, and the report to write; with --from, only the report.",
            show_default=False,
        ),
    ],
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    key: KeyFile = None,
    match_on: MatchOn = None,
    rows_in_order: RowsInOrder = False,
    also: Also = None,
    public: Annotated[
        bool, typer.Option("--public", help="The edition to publish: no record numbers, no original values.")
    ] = False,
    map: Annotated[
        Path | None, typer.Option(help="The map.json of a sweep of ORIGINAL, to show the release on.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option(help="TOML file with the rules of a policy, to show whether they are met.")
    ] = None,
    corrections: Annotated[
        bool, typer.Option("--corrections", help="Show what researchers can correct with the recipe; takes a while.")
    ] = False,
    json_out: Annotated[
        Path | None, typer.Option(metavar="DOSSIER.json", help="Write the dossier as JSON too, to rebuild it from.")
    ] = None,
    dossier: Annotated[
        Path | None,
        typer.Option("--from", metavar="DOSSIER.json", help="Rebuild the report from this, without the data."),
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the dossier of a release as one HTML file.

    It shows what was done, the risk before and after, and what was lost, and opens offline.

    Example: sdckit report survey.csv safe.csv report.html --recipe recipe.toml --json-out dossier.json
    """
    from sdckit.evaluation.gate import gate

    terminal = Terminal(json, quiet)
    *data, out = files
    for path in filter(None, (out, json_out)):
        refuse_to_overwrite(path, force)
    if dossier is not None:
        refuse_with_from(data, schema, recipe, map, json_out, policy, key, match_on, *(also or ()))
        edition = rebuild(terminal, dossier, out, public=public, force=force)
    else:
        if len(data) != 2:
            raise ParameterError(
                "name three files: sdckit report ORIGINAL MASKED OUT.html (or --from DOSSIER.json OUT.html)"
            )
        if corrections and recipe is None:
            raise ParameterError("corrections need the recipe: give --recipe FILE, or leave out --corrections")
        swept, rules, more = map_of(map), policy_of(policy), measures_of(also or ())
        with terminal.progress("reading"):
            release = release_of(data[0], data[1], schema, recipe, RowOptions(key, match_on, rows_in_order))
        refuse_unknown_rows(release)
        for warning in unmeasured(release):
            terminal.warn(warning)
        result = replace(measured(terminal, release, also=more), map=swept)
        if public and swept is not None and not told_in_public(swept, release):
            terminal.warn("the map is left out: in public only settings drawn twice or more are told; sweep --seeds 2")
        if rules is not None:
            with terminal.progress("checking the policy"):
                result = replace(result, gate=gate(release, rules))
        if corrections:
            with terminal.progress("correcting"):
                result = replace(result, corrections=corrected(release))
        write_report(terminal, result, out, public=public, force=force, json_out=json_out)
        edition = "public" if public else "internal"
    if terminal.chatty:
        from rich.markup import escape

        terminal.line(f"The {edition} report is in [bold]{escape(str(out))}[/]")
        if json_out is not None:
            terminal.line(f"Its dossier is in [bold]{escape(str(json_out))}[/]")
    told = {"path": str(out), "edition": edition}
    terminal.result(told | ({} if json_out is None else {"dossier": str(json_out)}))


def refuse_with_from(data: list[Path], *others: Path | str | None) -> None:
    """A dossier holds all of it already."""
    if data or any(other is not None for other in others):
        raise ParameterError("--from takes the dossier and OUT.html alone; leave out the data and what tells of them")


def rebuild(terminal: Terminal, dossier: Path, out: Path, *, public: bool, force: bool) -> str:
    """Write the report that a dossier holds, and give its edition."""
    from sdckit.reporting import report as reported
    from sdckit.reporting.dossier import Dossier

    with terminal.progress("writing the report"):
        held = Dossier.read(dossier)
        reported(held, out, public=public, force=force)
    return "public" if held.public else "internal"


def write_report(
    terminal: Terminal,
    result: "Assessment",
    out: Path,
    *,
    public: bool = False,
    force: bool = False,
    json_out: Path | None = None,
) -> None:
    """Write the report of an assessment, with a sign of life."""
    from sdckit.reporting import report as reported
    from sdckit.reporting.dossier import dossier

    if result.release.recipe is not None and result.release.corresponds:
        result = with_attack(terminal, result)
    with terminal.progress("writing the report"):
        held = dossier(result, public=public)
        reported(held, out, force=force)
        if json_out is not None:
            held.write(json_out, force=force)


def map_of(path: Path | None) -> "RiskUtilityMap | None":
    """The map that a sweep wrote, where one is given."""
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap

    if path is None:
        return None
    try:
        return RiskUtilityMap.from_dict(json_format.loads(path.read_text(encoding="utf-8")))
    except ValueError:
        raise FileError(f"{path} is not JSON; take the map.json that `sdckit sweep --out` wrote") from None


def told_in_public(swept: "RiskUtilityMap", release: "Release") -> bool:
    """Whether anything of a map may be published."""
    from sdckit.reporting.publishable_map import publishable_map

    return publishable_map(swept, release.masked) is not None


def policy_of(path: Path | None) -> "Policy | None":
    """The policy in a TOML file, where one is given."""
    from sdckit.evaluation.policy import Policy

    return None if path is None else Policy.from_toml(path)


def corrected(release: "Release") -> "tuple[Estimate, ...]":
    """What researchers can correct in a release whose recipe is known."""
    from sdckit.errors import NotApplicableError
    from sdckit.evaluation.corrections import corrected_statistics

    assert release.recipe is not None
    try:
        return tuple(corrected_statistics(release.masked, release.recipe))
    except NotApplicableError:
        return ()


def with_attack(terminal: Terminal, result: "Assessment") -> "Assessment":
    """The assessment with what transparency costs, where an intruder can attack at all."""
    from sdckit.cli.attack import attacked
    from sdckit.errors import NotApplicableError

    try:
        return replace(result, attack=attacked(terminal, result.release, result.intruder))
    except NotApplicableError:
        return result


VERB = Verb(report, group="Measure a release", order=33)
