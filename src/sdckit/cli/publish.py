"""`sdckit publish`: a folder with a release that meets its policy, ready to be handed over."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from click.exceptions import Exit

from sdckit.cli import NOT_MET
from sdckit.cli.assess import measured
from sdckit.cli.by_engine import chosen_engine, refuse_with_engine
from sdckit.cli.command import Option
from sdckit.cli.gate import print_verdict
from sdckit.cli.inputs import RowOptions, refuse_to_overwrite, release_of, schema_of
from sdckit.cli.measured_by_engine import assess_by_engine, guessable_recipe, opened_pair
from sdckit.cli.options import (
    AllowCode,
    AllowUndeclared,
    ControlFile,
    EngineOption,
    Force,
    Json,
    KeyFile,
    KeyOut,
    Masked,
    MatchOn,
    MeasureSeed,
    MemoryOption,
    OriginalFile,
    PolicyFile,
    Quiet,
    RowsInOrder,
    SchemaFile,
    Sheet,
)
from sdckit.cli.outputs import Output
from sdckit.cli.report import attack_on, write_report
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb
from sdckit.engines.engine_name import EngineName
from sdckit.errors import FileError

if TYPE_CHECKING:
    from sdckit.engines.engine import Engine
    from sdckit.engines.pair import Pair
    from sdckit.evaluation.gate import Verdict
    from sdckit.evaluation.policy import Policy
    from sdckit.key import FileDigest
    from sdckit.release import Release
    from sdckit.rows import Matched, Sampled

REPORT = "report-public.html"


def publish(
    masked: Masked,
    original: OriginalFile,
    policy: PolicyFile,
    recipe: Annotated[Path, Option("--recipe", help="The recipe of the masked file.")],
    out: Annotated[Path, Option("--out", metavar="FOLDER", help="The folder to make."), Output()],
    schema: SchemaFile = None,
    key: KeyFile = None,
    match_on: MatchOn = None,
    rows_in_order: RowsInOrder = False,
    sheet: Sheet = None,
    control: ControlFile = None,
    keep_order: Annotated[
        bool, Option("--keep-order", help="Keep the order of the rows instead of drawing a random one.")
    ] = False,
    format: Annotated[
        str | None, Option(metavar="EXTENSION", help="Format of the data, by default that of MASKED, or parquet.")
    ] = None,
    key_out: KeyOut = None,
    allow_undeclared: AllowUndeclared = False,
    seed: MeasureSeed = None,
    allow_code: AllowCode = None,
    engine: EngineOption = EngineName.AUTO,
    memory: MemoryOption = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Publish a masked file that meets a policy.

    The file is the one that was assessed; it is not masked again. The folder has the data with its rows in a random
    order and new numbers for households, the schema, the recipe, the public report, a machine-readable statement and
    checksums: nothing private. Where the policy is not met, nothing is written and the exit code is 1.

    Example: sdckit publish safe.csv --original survey.csv --policy policy.toml --recipe recipe.toml --out release
    """
    from sdckit.evaluation.dossier import Dossier
    from sdckit.evaluation.gate import gate as check_release
    from sdckit.evaluation.policy import Policy
    from sdckit.evaluation.publish import publish as published
    from sdckit.evaluation.publish import (
        refuse_existing_folder,
        refuse_identifying,
        refuse_unpublishable,
        without_text,
    )
    from sdckit.evaluation.publishable import publishable
    from sdckit.evaluation.release_warnings import release_warnings

    terminal = Terminal(json, quiet)
    rules = Policy.from_toml(policy, allow_code=allow_code or ())
    refuse_existing_folder(out)
    if key_out is not None:
        refuse_key_inside(key_out, out)
        refuse_to_overwrite(key_out, force)
    choice = chosen_engine(terminal, engine, memory, original, masked)
    if choice is not None:
        from sdckit.engines.release_warnings import refuse_identifying as refuse_identifying_parts

        refuse_with_engine(choice, control=control, match_on=match_on)
        rows = RowOptions(key, None, rows_in_order)
        opening = opened_pair(terminal, choice, original, masked, schema, recipe, rows, allow_code, keep_codes=True)
        with opening as (pair, running):
            guessable = guessable_recipe(recipe)
            if schema is None and not allow_undeclared:
                refuse_identifying_parts(pair)
            written = None
            if key_out is not None:
                written = partial(
                    write_engine_key, original=original, schema=schema, running=running, path=key_out, force=force
                )
            verdict = publish_pair(
                terminal,
                pair,
                running,
                rules,
                out,
                masked,
                data_format=format or default_format(masked),
                shuffle_rows=not keep_order,
                memory=choice.memory,
                seed=seed,
                guessable_seed=guessable,
                allow_undeclared=allow_undeclared,
                write_key=written,
            )
        say_published(terminal, verdict, out, key_out, pair.records, keep_order=keep_order)
        return
    with terminal.progress("reading"):
        release = release_of(
            original, masked, schema, recipe, RowOptions(key, match_on, rows_in_order, sheet), allow_code, control
        )
    refuse_unpublishable(release, allow_undeclared=allow_undeclared)
    if schema is None and not allow_undeclared:
        refuse_identifying(release)
    with terminal.progress("checking the policy") as progress:
        verdict = check_release(release, rules, seed=seed, progress=progress)
    print_verdict(terminal, verdict, masked.name)
    for message in release_warnings(release):
        terminal.warn(message)
    if not verdict.met:
        terminal.say("Nothing was published.")
        terminal.result({"published": False} | verdict.to_dict(), "not published")
        raise Exit(NOT_MET)
    assessment = measured(terminal, release, intruder=rules.intruder, seed=seed)
    results = Dossier(assessment, attack_on(terminal, assessment, seed), gate=verdict)
    public = publishable(results).gate
    assert public is not None
    final = published(
        release,
        verdict,
        out,
        rules=[without_text(rule) for rule in public.to_dict()["rules"]],
        data_format=format or default_format(masked),
        shuffle_rows=not keep_order,
        allow_undeclared=allow_undeclared,
        more={REPORT: lambda path: write_report(terminal, results, path, public=True)},
        write_key=None if key_out is None else partial(write_final_key, path=key_out, force=force),
    )
    say_published(terminal, verdict, out, key_out, len(final.masked), keep_order=keep_order, unit=final.masked.unit)


def default_format(masked: Path) -> str:
    """The format of the masked file; Parquet for a folder of parts, and for a table on a server, which is no file."""
    from sdckit.files.ending import ending_of
    from sdckit.files.formats import postgres

    ending = ending_of(masked)
    return "parquet" if not ending or ending.lower() in postgres.SUFFIXES else ending


def say_published(
    terminal: Terminal,
    verdict: "Verdict",
    out: Path,
    key_out: Path | None,
    records: int,
    *,
    keep_order: bool,
    unit: str = "record",
) -> None:
    """Print what was published, and where the key is."""
    names = sorted(path.name for path in out.iterdir())
    if terminal.chatty:
        from rich.markup import escape

        order = "" if keep_order else ", in a random order"
        terminal.line(f"{count(records, unit)}{order} published in [bold]{escape(str(out))}[/]:")
        terminal.line(f"[dim]{', '.join(names)}[/]")
        if key_out is not None:
            terminal.line(f"The private key is in [bold]{escape(str(key_out))}[/]: keep it, and never publish it")
    done = {"published": True, "path": str(out), "files": names, "key_path": str(key_out) if key_out else None}
    terminal.result(done | verdict.to_dict(), str(out))


def publish_pair(
    terminal: Terminal,
    pair: "Pair",
    running: "Engine",
    rules: "Policy",
    out: Path,
    masked: Path,
    *,
    memory: int,
    seed: int | None,
    guessable_seed: bool,
    allow_undeclared: bool,
    **options: Any,
) -> "Verdict":
    """Check the policy on all records of a release in parts, and publish the release where it is met."""
    from sdckit.engines.dossier import dossier_of_parts
    from sdckit.engines.gate import gate
    from sdckit.engines.publish import publish, refuse_unpublishable
    from sdckit.engines.release_warnings import release_warnings

    refuse_unpublishable(pair, guessable_seed=guessable_seed, allow_undeclared=allow_undeclared)
    with terminal.progress("checking the policy") as progress:
        verdict = gate(pair, running, rules, memory=memory, seed=seed, progress=progress)
    print_verdict(terminal, verdict, masked.name)
    for message in release_warnings(pair):
        terminal.warn(message)
    if not verdict.met:
        terminal.say("Nothing was published.")
        terminal.result({"published": False} | verdict.to_dict(), "not published")
        raise Exit(NOT_MET)
    found = assess_by_engine(terminal, pair, running, None, tuple(rules.intruder.attributes or ()), memory, seed)
    results = dossier_of_parts(found, rules.intruder, verdict)
    with terminal.progress("writing") as progress:
        publish(
            pair,
            running,
            verdict,
            out,
            allow_undeclared=allow_undeclared,
            more={REPORT: lambda path: write_report(terminal, results, path, public=True)},
            progress=progress,
            **options,
        )
    return verdict


def write_engine_key(
    masked: "FileDigest",
    rows: "Matched | Sampled",
    *,
    original: Path,
    schema: Path | None,
    running: "Engine",
    path: Path,
    force: bool,
) -> None:
    """Write the private key of a file as it was published; the secret of the masking is in the key of the masking."""
    from sdckit.engines.digests import digests_of
    from sdckit.engines.source import source_of
    from sdckit.files.key_file import write_key
    from sdckit.files.temporary import temporary_beside
    from sdckit.key import Key
    from sdckit.schema import Schema

    with temporary_beside(path.resolve(), folder=True) as folder:
        before = digests_of(source_of(original, schema_of(schema) or Schema()), running, folder)
    write_key(Key(before, masked, rows), path, force=force)


def refuse_key_inside(key_out: Path, folder: Path) -> None:
    """Refuse to write the private key into the folder that is published."""
    if folder.resolve() in key_out.resolve().parents:
        raise FileError(f"{key_out} is in the folder that is published, and a key is private; write it elsewhere")


def write_final_key(release: "Release", path: Path, *, force: bool) -> None:
    """Write the private key of the file as it was published."""
    from sdckit.files.key_file import write_key
    from sdckit.key import Key

    write_key(Key.of(release), path, force=force)


VERB = Verb(publish, group="Publish and use a release", order=40)
