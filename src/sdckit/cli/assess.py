"""`sdckit assess`: attack a release and measure what was lost."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.by_engine import chosen_engine, refuse_with_engine
from sdckit.cli.check import check_documents
from sdckit.cli.command import Option
from sdckit.cli.counts import say_count_totals, say_counts, say_exposed
from sdckit.cli.expectation import expect
from sdckit.cli.inputs import (
    RowOptions,
    column_names,
    external_of,
    measures_of,
    mistakes_in,
    refuse_unknown_rows,
    release_of,
    say_map_warnings,
)
from sdckit.cli.measured_by_engine import (
    assess_by_engine,
    counts_by_engine,
    guessable_recipe,
    opened_pair,
    say_assessment,
)
from sdckit.cli.options import (
    AllowCode,
    Also,
    Check,
    ControlFile,
    EngineOption,
    IntruderFile,
    IntruderMapFile,
    Json,
    KeyFile,
    Masked,
    MatchOn,
    MeasureSeed,
    MemoryOption,
    Original,
    Quiet,
    RecipeFile,
    RowsInOrder,
    SchemaFile,
    Sheet,
)
from sdckit.cli.scores import say_scores, say_unshown
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb
from sdckit.engines.engine_name import EngineName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdckit.evaluation.assess import Assessment
    from sdckit.intruder import Intruder
    from sdckit.measure import Measure
    from sdckit.release import Release


def assess(
    original: Original,
    masked: Masked,
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    key: KeyFile = None,
    match_on: MatchOn = None,
    rows_in_order: RowsInOrder = False,
    sheet: Sheet = None,
    control: ControlFile = None,
    measure: Annotated[
        list[str] | None,
        Option(metavar="NAME[:PARAM=VALUE,…]", help="A risk or loss, by default all that apply. Repeatable."),
    ] = None,
    also: Also = None,
    attributes: Annotated[
        list[str] | None,
        Option(metavar="NAME,…", help="What the intruder knows, by default every key. Repeatable."),
    ] = None,
    knowledge: Annotated[
        str | None,
        Option(
            metavar="RULE",
            help="Average the linkage risks over sets of known attributes: first-subsets(7), sampled-subsets(10+1+7), "
            "first-attributes(0) or blocks(2+2). By default, all attributes are known at once.",
        ),
    ] = None,
    records: Annotated[
        float | None, Option(help="Share of the records that the intruder knows, by default all.")
    ] = None,
    noise: Annotated[
        float,
        Option(help="Error in what the intruder knows, as a share of each attribute's standard deviation."),
    ] = 0.0,
    missing: Annotated[float, Option(help="Share of the values that the intruder does not know.")] = 0.0,
    intruder_file: IntruderFile = None,
    intruder_map: IntruderMapFile = None,
    seed: MeasureSeed = None,
    allow_code: AllowCode = None,
    every: Annotated[
        bool,
        Option(
            "--all",
            help="Attack all known records instead of 1,000 at most, run the slow measures too, and show every figure "
            "and why measures are left out.",
        ),
    ] = False,
    by_record: Annotated[
        bool, Option("--by-record", help="With --json, include the figure of every record: not to be published.")
    ] = False,
    exposed: Annotated[
        int,
        Option(
            metavar="N", help="Show the N records at highest risk with the values of their keys: not to be published."
        ),
    ] = 0,
    engine: EngineOption = EngineName.AUTO,
    memory: MemoryOption = None,
    check: Check = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a masked file and measure what was lost.

    Which row belongs to which record must be known: from the key file, from a column to match on, or from columns that
    the recipe left unmasked and that agree row by row.

    Example: sdckit assess survey.csv safe.csv --schema schema.toml --recipe recipe.toml
    """
    from rich.markup import escape

    from sdckit.evaluation.edit_checks import broken_edits
    from sdckit.evaluation.main_figures import exposed_records
    from sdckit.evaluation.release_counts import release_counts
    from sdckit.evaluation.release_warnings import release_warnings
    from sdckit.intruder import Intruder
    from sdckit.knowledge import Knowledge

    terminal = Terminal(json, quiet)
    if check:
        named = [*(measure or ()), *(also or ())]
        mistakes = [problem for text in named for problem in mistakes_in(partial(measures_of, [text]))]
        mistakes += mistakes_in(lambda: Knowledge.from_text(knowledge)) if knowledge is not None else []
        check_documents(terminal, [("schema", schema), ("recipe", recipe), ("intruder map", intruder_map)], mistakes)
        return
    rule = Knowledge() if knowledge is None else Knowledge.from_text(knowledge)
    intruder = Intruder(records=records, noise=noise, missing=missing, knowledge=rule)
    measures, more = measures_of(measure or ()), measures_of(also or ())
    choice = chosen_engine(terminal, engine, memory, original, masked)
    if choice is not None:
        from sdckit.engines.edit_checks import broken_edits as broken_in_parts
        from sdckit.engines.release_warnings import release_warnings as warnings_of_parts

        refuse_with_engine(
            choice,
            control=control,
            match_on=match_on,
            also=also,
            knowledge=knowledge,
            records=records,
            noise=noise,
            missing=missing,
            intruder_file=intruder_file,
            intruder_map=intruder_map,
            all=every,
            by_record=by_record,
            exposed=exposed,
        )
        rows = RowOptions(key, None, rows_in_order)
        with opened_pair(terminal, choice, original, masked, schema, recipe, rows, allow_code) as (pair, running):
            names = column_names(attributes or (), [each.name for each in pair.original.header.attributes])
            found = assess_by_engine(terminal, pair, running, measures, names, choice.memory, seed)
            guessable = recipe is not None and guessable_recipe(recipe)
            broken = broken_in_parts(pair, running)
            for edit in broken:
                terminal.note(str(edit))
            for message in warnings_of_parts(pair, guessable_seed=guessable):
                terminal.warn(message)
            say_assessment(
                terminal, found, counts_by_engine(terminal, pair, running, key, choice.memory), broken, masked, original
            )
        return
    with terminal.progress("reading"):
        intruder = replace(intruder, file=external_of(intruder_file, intruder_map))
        release = release_of(
            original, masked, schema, recipe, RowOptions(key, match_on, rows_in_order, sheet), allow_code, control
        )
    say_map_warnings(terminal, intruder_map, intruder.file, release.original)
    refuse_missing_rows(release, [*(measures or ()), *(more or ())], every=measures is None)
    known = column_names(attributes or (), [each.name for each in release.original.attributes])
    result = measured(terminal, release, measures, replace(intruder, attributes=known or None), seed, more, every=every)
    unit = release.original.unit
    terminal.say(
        f"[bold]{escape(masked.name)}[/] ({count(len(release.masked), unit)}) against {escape(original.name)} "
        f"({count(len(release.original), unit)})"
    )
    asked = {each.name for each in (*(measures or ()), *(more or ()))}
    all_figures = every or measures is not None
    say_scores(terminal, result, every=all_figures, named=asked)
    counts = release_counts(release)
    (say_counts if all_figures or counts.steps else say_count_totals)(terminal, counts, unit)
    risky = exposed_records(result, exposed) if exposed > 0 else []
    say_exposed(terminal, risky, unit)
    say_unshown(terminal, result, every=all_figures, named=asked)
    broken = broken_edits(release)
    for edit in broken:
        terminal.note(str(edit))
    for message in release_warnings(release):
        terminal.warn(message)
    bare = "\n".join(f"{score.name}\t{score.value:.6g}" for score in result.values())
    more_figures = {"broken_edits": [edit.to_dict() for edit in broken], "counts": counts.to_dict()}
    more_figures |= {"exposed_records": risky} if exposed > 0 else {}
    terminal.result(result.to_dict(by_record=by_record) | more_figures, bare)


def refuse_missing_rows(release: "Release", named: "Sequence[Measure]", *, every: bool) -> None:
    """Stop where the rows are not known, unless only measures that need none are asked for."""
    from sdckit.measure import Need

    if every or any(Need.ROWS in measure.needs for measure in named):
        refuse_unknown_rows(release)


def measured(
    terminal: Terminal,
    release: "Release",
    measures: "list[Measure] | None" = None,
    intruder: "Intruder | None" = None,
    seed: int | None = None,
    also: "list[Measure] | None" = None,
    *,
    every: bool = False,
) -> "Assessment":
    """The assessment of a release, with its progress on stderr."""
    from sdckit.evaluation.assess import assess as assessed
    from sdckit.intruder import Intruder
    from sdckit.measure import Cost

    who = intruder or Intruder()
    named = [*(measures or ()), *(also or ())]
    quick = [each for each in named if each.cost is Cost.QUICK]
    if measures is None or quick:
        timed = None if measures is None else quick
        work = partial(assessed, measures=timed, also=quick if timed is None else (), intruder=who, seed=seed)
        expect(terminal, release, work, at_least=every or len(quick) < len(named))
    else:
        expect(terminal, release, None)
    with terminal.progress("measuring") as progress:
        return assessed(release, measures, also=also or (), every=every, intruder=who, seed=seed, progress=progress)


VERB = Verb(assess, group="Measure a release", order=30)
