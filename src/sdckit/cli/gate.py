"""`sdckit gate`: check a masked file against a policy."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from click.exceptions import Exit

from sdckit.cli import NOT_MET
from sdckit.cli.by_engine import chosen_engine, refuse_with_engine
from sdckit.cli.check import check_documents
from sdckit.cli.command import Option
from sdckit.cli.expectation import expect
from sdckit.cli.inputs import RowOptions, refuse_to_overwrite, refuse_unknown_rows, release_of, write_text
from sdckit.cli.measured_by_engine import guessable_recipe, opened_pair
from sdckit.cli.options import (
    AllowCode,
    Check,
    ControlFile,
    EngineOption,
    Everyone,
    Force,
    Json,
    KeyFile,
    Masked,
    MatchOn,
    MeasureSeed,
    MemoryOption,
    OriginalFile,
    PolicyFile,
    Quiet,
    RecipeFile,
    RowsInOrder,
    SchemaFile,
    Sheet,
)
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count, listed
from sdckit.cli.verb import Verb
from sdckit.engines.engine_name import EngineName
from sdckit.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.table import Table

    from sdckit.evaluation.gate import Finding, Verdict
    from sdckit.release import Release


def gate(
    masked: Masked,
    original: OriginalFile,
    policy: PolicyFile,
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    key: KeyFile = None,
    match_on: MatchOn = None,
    rows_in_order: RowsInOrder = False,
    sheet: Sheet = None,
    control: ControlFile = None,
    seed: MeasureSeed = None,
    every: Everyone = False,
    junit: Annotated[Path | None, Option(help="Write the verdict as JUnit XML too, for a pipeline."), Output()] = None,
    allow_code: AllowCode = None,
    engine: EngineOption = EngineName.AUTO,
    memory: MemoryOption = None,
    force: Force = False,
    check: Check = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check a masked file against a policy.

    Ends with exit code 0 where every rule is met, 1 where one is not, and 2 for a usage error. The figures are those
    of `sdckit assess`.

    Example: sdckit gate safe.csv --original survey.csv --policy policy.toml --recipe recipe.toml
    """
    from sdckit.evaluation.cures import cures
    from sdckit.evaluation.edit_checks import broken_edits
    from sdckit.evaluation.gate import gate as check_release
    from sdckit.evaluation.policy import Policy
    from sdckit.evaluation.release_warnings import release_warnings
    from sdckit.measure import Cost

    terminal = Terminal(json, quiet)
    if check:
        check_documents(terminal, [("policy", policy), ("schema", schema), ("recipe", recipe)])
        return
    rules = Policy.from_toml(policy, allow_code=allow_code or ())
    if junit is not None:
        refuse_to_overwrite(junit, force)
    choice = chosen_engine(terminal, engine, memory, original, masked)
    if choice is not None:
        from sdckit.engines.edit_checks import broken_edits as broken_in_parts
        from sdckit.engines.gate import gate as check_parts
        from sdckit.engines.release_warnings import RECORDS
        from sdckit.engines.release_warnings import release_warnings as warnings_of_parts
        from sdckit.microdata import Role

        refuse_with_engine(choice, control=control, match_on=match_on, all=every)
        rows = RowOptions(key, None, rows_in_order)
        with opened_pair(terminal, choice, original, masked, schema, recipe, rows, allow_code) as (pair, running):
            still = [name for name in pair.original.header.names(role=Role.IDENTIFIER) if name in pair.masked.header]
            refuse_named_identifiers(still, masked)
            with terminal.progress("measuring") as progress:
                verdict = check_parts(pair, running, rules, memory=choice.memory, seed=seed, progress=progress)
            guessable = recipe is not None and guessable_recipe(recipe)
            warnings = warnings_of_parts(pair, guessable_seed=guessable)
            broken = broken_in_parts(pair, running)
            notes = [*map(str, broken), *cures(pair.slim(RECORDS), verdict)]
        more = {"broken_edits": [edit.to_dict() for edit in broken], "guessable_seed": guessable}
        report_verdict(terminal, verdict, masked, policy, junit, force, more, notes, warnings)
        return
    with terminal.progress("reading"):
        release = release_of(
            original, masked, schema, recipe, RowOptions(key, match_on, rows_in_order, sheet), allow_code, control
        )
    refuse_identifiers(release, masked)
    refuse_unknown_rows(release)
    quick = tuple(rule for rule in rules.rules if rule.measure.cost is Cost.QUICK)
    work = partial(check_release, policy=replace(rules, rules=quick), every=every, seed=seed) if quick else None
    expect(terminal, release, work, at_least=len(quick) < len(rules.rules))
    with terminal.progress("measuring") as progress:
        verdict = check_release(release, rules, every=every, seed=seed, progress=progress)
    broken = broken_edits(release)
    more = {"broken_edits": [edit.to_dict() for edit in broken], "guessable_seed": release.guessable_seed}
    notes, warnings = [*map(str, broken), *cures(release, verdict)], release_warnings(release)
    report_verdict(terminal, verdict, masked, policy, junit, force, more, notes, warnings)


def report_verdict(
    terminal: Terminal,
    verdict: "Verdict",
    masked: Path,
    policy: Path,
    junit: Path | None,
    force: bool,
    more: "Mapping[str, Any]",
    notes: "Iterable[str]" = (),
    warnings: "Iterable[str]" = (),
) -> None:
    """Print the verdict, write it as JUnit XML where asked for, and end with its exit code."""
    from sdckit.evaluation.junit import junit_xml

    if junit is not None:
        write_text(junit, junit_xml(verdict, policy.name), force=force)
    print_verdict(terminal, verdict, masked.name)
    bare = "\n".join(f"{_word(finding)}\t{finding.rule.title}\t{finding.description}" for finding in verdict.findings)
    for note in notes:
        terminal.note(note)
    for message in warnings:
        terminal.warn(message)
    terminal.result(verdict.to_dict() | dict(more), bare)
    if not verdict.met:
        raise Exit(NOT_MET)


def refuse_identifiers(release: "Release", masked: Path) -> None:
    """Refuse a file that still has an identifier: its records need no attack to be identified."""
    from sdckit.microdata import Role

    still = [name for name in release.original.names(role=Role.IDENTIFIER) if name in release.masked]
    refuse_named_identifiers(still, masked)


def refuse_named_identifiers(still: "Sequence[str]", masked: Path) -> None:
    """Refuse a file that still has these identifiers."""
    if still:
        raise SchemaError(f"{masked} still has the identifier {listed(still)}; drop it (`sdckit protect` does)")


def print_verdict(terminal: Terminal, verdict: "Verdict", file: str) -> None:
    """Print every rule with its figure and limit, and the verdict."""
    if not terminal.chatty:
        return
    from rich.markup import escape

    from sdckit.evaluation.gate import NOTHING_CHECKED

    terminal.say(verdict_table(verdict))
    for finding in verdict.findings:
        if finding.value is None or not finding.met:
            reason = escape(
                f"{finding.description} ({finding.rule.note})" if finding.rule.note else finding.description
            )
            terminal.say(f"[{_tone(finding)}]{_word(finding)}[/] [cyan]{escape(finding.rule.title)}[/]: {reason}")
    broken = sum(not finding.met for finding in verdict.findings)
    name = escape(file)
    if verdict.nothing_checked:
        terminal.say(f"[bold red]The policy is not met[/]: {NOTHING_CHECKED}; add a rule whose measure applies.")
    elif broken:
        terminal.say(f"[bold red]The policy is not met[/]: {name} breaks {broken} of {_rules(verdict)}.")
    else:
        left_out = sum(finding.left_out for finding in verdict.findings)
        rules = count(len(verdict.findings) - left_out, "rule")
        more = f", {left_out} left out" if left_out else ""
        terminal.say(f"[bold green]The policy is met[/]: {name} meets {rules}{more}.")


def _rules(verdict: "Verdict") -> str:
    return count(len(verdict.findings), "rule")


def verdict_table(verdict: "Verdict") -> "Table":
    """Every rule with its figure, interval and limit."""
    from rich.markup import escape

    from sdckit.cli.folded import folded_table
    from sdckit.evaluation.gate import distinct_figure

    table = folded_table("Rule", ("figure", "95%", "limit"))
    table.add_column("", no_wrap=True)
    for finding in verdict.findings:
        rule = finding.rule
        figure = "–" if finding.value is None else distinct_figure(finding.value, [rule.min, rule.max])
        ends = "–" if finding.interval is None else "–".join(f"{end:.3g}" for end in finding.interval)
        table.add_row(
            escape(rule.title.replace(",", ", ")),  # a long one is wrapped between two parameters
            f"[bold]{figure}[/]",
            f"[dim]{ends}[/]",
            rule.limit,
            f"[{_tone(finding)}]{_word(finding)}[/]",
        )
    return table


def _word(finding: "Finding") -> str:
    if finding.left_out:
        return "left out"
    return "met" if finding.met else "NOT MET"


def _tone(finding: "Finding") -> str:
    if finding.left_out:
        return "dim"
    return "green" if finding.met else "bold red"


VERB = Verb(gate, group="Measure a release", order=32)
