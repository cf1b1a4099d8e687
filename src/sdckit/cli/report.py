"""`sdckit report`: the results on a release as one HTML file."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.assess import measured
from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import (
    RowOptions,
    measures_of,
    refuse_to_overwrite,
    refuse_unknown_rows,
    release_of,
)
from sdckit.cli.options import (
    AllowCode,
    Also,
    ControlFile,
    Force,
    Json,
    KeyFile,
    MatchOn,
    Quiet,
    RecipeFile,
    RowsInOrder,
    SchemaFile,
    Sheet,
)
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb
from sdckit.errors import FileError, ParameterError, SdcError
from sdckit.input_file import read_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdckit.evaluation.assess import Assessment
    from sdckit.evaluation.attack import Attack
    from sdckit.evaluation.dossier import Dossier
    from sdckit.evaluation.policy import Policy
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap
    from sdckit.microdata import Microdata


def report(
    files: Annotated[
        list[Path],
        Argument(
            metavar="ORIGINAL MASKED OUT.html",
            help="The original file, the masked file, and the report to write; with --from, only the report.",
        ),
        Output(last=True),
    ],
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    key: KeyFile = None,
    match_on: MatchOn = None,
    rows_in_order: RowsInOrder = False,
    sheet: Sheet = None,
    control: ControlFile = None,
    also: Also = None,
    every: Annotated[
        bool,
        Option("--all", help="Attack all known records instead of 1,000 at most, and run the slow measures too."),
    ] = False,
    public: Annotated[
        bool, Option("--public", help="Write the public edition: no record numbers, no original values.")
    ] = False,
    public_out: Annotated[
        Path | None,
        Option(metavar="PUBLIC.html", help="Also write the public edition, from the same computation."),
        Output(),
    ] = None,
    map: Annotated[Path | None, Option(help="The map.json of a sweep of ORIGINAL, to mark the release on it.")] = None,
    policy: Annotated[
        Path | None, Option(help="TOML file with the rules of a policy, to show whether they are met.")
    ] = None,
    corrections: Annotated[
        bool, Option("--corrections", help="Add statistics that researchers can correct with the recipe; slow.")
    ] = False,
    json_out: Annotated[
        Path | None,
        Option(metavar="DOSSIER.json", help="Also write the dossier as JSON, from which --from rebuilds the report."),
        Output(),
    ] = None,
    dossier: Annotated[
        Path | None,
        Option("--from", metavar="DOSSIER.json", help="Rebuild the report from this dossier, without the data."),
    ] = None,
    allow_code: AllowCode = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the report of a release as one HTML file.

    It shows how the file was masked, the risk before and after, and the information loss, and opens offline.

    Example: sdckit report survey.csv safe.csv report.html --recipe recipe.toml --json-out dossier.json
    """
    from sdckit.evaluation.gate import gate
    from sdckit.evaluation.publishable_map import publishable_map
    from sdckit.evaluation.release_corrections import release_corrections
    from sdckit.evaluation.release_warnings import release_warnings

    terminal = Terminal(json, quiet)
    *data, out = files
    for path in filter(None, (out, json_out, public_out)):
        refuse_to_overwrite(path, force)
    if public and public_out is not None:
        raise ParameterError("--public makes OUT.html the edition to publish: leave it out, or leave out --public-out")
    if dossier is not None:
        refuse_with_from(
            data,
            schema,
            recipe,
            map,
            json_out,
            policy,
            key,
            match_on,
            control,
            "--all" if every else None,
            public_out,
            *(also or ()),
        )
        edition = rebuild(terminal, dossier, out, public=public, force=force)
    else:
        if len(data) != 2:
            raise ParameterError(
                "name three files: sdckit report ORIGINAL MASKED OUT.html (or --from DOSSIER.json OUT.html)"
            )
        if corrections and recipe is None:
            raise ParameterError("corrections need the recipe: give --recipe FILE, or leave out --corrections")
        swept, rules, more = map_of(map), policy_of(policy, allow_code or ()), measures_of(also or ())
        with terminal.progress("reading"):
            release = release_of(
                data[0], data[1], schema, recipe, RowOptions(key, match_on, rows_in_order, sheet), allow_code, control
            )
        refuse_unknown_rows(release)
        if map is not None:
            refuse_map_of_another_file(map, release.original)
        for warning in release_warnings(release):
            terminal.warn(warning)
        assessment = measured(terminal, release, also=more, every=every)
        published = public or public_out is not None
        if published and swept is not None and publishable_map(swept, release.masked) is None:
            terminal.warn("the map is left out: only settings drawn at least twice are published; sweep --seeds 2")
        results = replace(dossier_of(terminal, assessment, every=every), map=swept)
        if rules is not None:
            with terminal.progress("checking the policy"):
                results = replace(results, gate=gate(release, rules, every=every))
        if corrections:
            with terminal.progress("correcting"):
                results = replace(results, corrections=release_corrections(release))
        write_report(terminal, results, out, public=public, force=force, json_out=json_out)
        if public_out is not None:
            write_report(terminal, results, public_out, public=True, force=force)
        edition = "public" if public else "internal"
    if terminal.chatty:
        from rich.markup import escape

        terminal.line(f"The {edition} report is in [bold]{escape(str(out))}[/]")
        if public_out is not None:
            terminal.line(f"The public report is in [bold]{escape(str(public_out))}[/]")
        if json_out is not None:
            terminal.line(f"Its dossier is in [bold]{escape(str(json_out))}[/]")
    written = {"path": str(out), "edition": edition}
    written |= {} if public_out is None else {"public": str(public_out)}
    terminal.result(written | ({} if json_out is None else {"dossier": str(json_out)}))


def refuse_with_from(data: list[Path], *others: Path | str | None) -> None:
    """A dossier contains all results already."""
    if data or any(other is not None for other in others):
        raise ParameterError("--from takes the dossier and OUT.html only; leave out the data and the options on them")


def rebuild(terminal: Terminal, dossier: Path, out: Path, *, public: bool, force: bool) -> str:
    """Write the report of a dossier in JSON, and give its edition."""
    from sdckit.reporting import report as write
    from sdckit.reporting.document import Document

    with terminal.progress("writing the report"):
        document = Document.read(dossier)
        try:
            write(document, out, public=public, force=force)
        except (SdcError, OSError, MemoryError):
            raise
        except Exception as problem:  # a page is made of what the file contains, which may have been changed
            raise FileError(
                f"{dossier} cannot be shown: an entry is missing or of a wrong type ({type(problem).__name__}); it was "
                "changed by hand, so write it again (`sdckit report … --json-out`)"
            ) from problem
    return "public" if document.public else "internal"


def write_report(
    terminal: Terminal,
    dossier: "Dossier",
    out: Path,
    *,
    public: bool = False,
    force: bool = False,
    json_out: Path | None = None,
) -> None:
    """Write the report of a dossier."""
    from sdckit.reporting import report as write
    from sdckit.reporting.document import describe_dossier

    with terminal.progress("writing the report"):
        document = describe_dossier(dossier, public=public)
        write(document, out, force=force)
        if json_out is not None:
            document.write(json_out, force=force)


def map_of(path: Path | None) -> "RiskUtilityMap | None":
    """The map that a sweep wrote, where one is given."""
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap

    if path is None:
        return None
    document = read_json(path, "JSON; give the map.json that `sdckit sweep --out` wrote")
    return RiskUtilityMap.from_dict(document)


def refuse_map_of_another_file(path: Path, original: "Microdata") -> None:
    """Refuse a map whose sweep masked another file than this original; its points say nothing of this release."""
    from sdckit.digest import content_digest

    digest = read_json(path, "JSON").get("digest")
    if digest is not None and digest != content_digest(original, ordered=False):
        raise FileError(f"{path} is the map of another file than the original; sweep this one, or leave out --map")


def policy_of(path: Path | None, allow_code: "Sequence[Path]" = ()) -> "Policy | None":
    """The policy in a TOML file, where one is given."""
    from sdckit.evaluation.policy import Policy

    return None if path is None else Policy.from_toml(path, allow_code=allow_code)


def dossier_of(terminal: Terminal, result: "Assessment", *, every: bool = False) -> "Dossier":
    """An assessment with the attack on its release, from which both editions of the report are made."""
    from sdckit.evaluation.dossier import Dossier

    return Dossier(result, attack_on(terminal, result, every=every))


def attack_on(
    terminal: Terminal, result: "Assessment", seed: int | None = None, *, every: bool = False
) -> "Attack | None":
    """The attack on the release: who is re-identified, with what confidence, and why; None where it does not apply."""
    from sdckit.cli.attack import attacked
    from sdckit.errors import NotApplicableError

    try:
        return attacked(terminal, result.release, result.intruder, seed, every=every, measured=result)
    except NotApplicableError:
        return None


VERB = Verb(report, group="Measure a release", order=33)
