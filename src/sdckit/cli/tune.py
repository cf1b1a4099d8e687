"""`sdckit tune`: the recipe of least loss within a bound on the risk."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from sdckit.cli.command import Option
from sdckit.cli.inputs import measures_of, refuse_to_overwrite, schema_of, sheet_option, write_text
from sdckit.cli.options import Force, Json, Quiet, SchemaFile, Sheet
from sdckit.cli.outputs import Output
from sdckit.cli.relations import say_relations
from sdckit.cli.sweep import File, Methods, Workers, method_names, settings_table
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb
from sdckit.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from sdckit.evaluation.tune import Tuning

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def tune(
    file: File,
    max_risk: Annotated[float, Option(help="Largest share of records that may be re-identified, 0 to 1.")],
    schema: SchemaFile = None,
    sheet: Sheet = None,
    risk: Annotated[
        str | None,
        Option(metavar="NAME[:PARAM=VALUE,…]", help="The risk to bound, by default that of the informed intruder."),
    ] = None,
    loss: Annotated[
        str | None, Option(metavar="NAME[:PARAM=VALUE,…]", help="The loss to minimise (`sdckit list loss`).")
    ] = None,
    methods: Methods = None,
    budget: Annotated[
        str | None, Option(metavar="TIME", help="How long to search, such as 90s or 5m. By default 60s.")
    ] = None,
    trials: Annotated[
        int | None, Option(help="Number of files to mask instead of a time: the same search on every machine.")
    ] = None,
    draws: Annotated[int, Option(help="Number of draws for which the risk of a recipe must be within the bound.")] = 3,
    seed: Annotated[int, Option(help="Seed of the search.", min=0, max=2**32 - 1)] = 0,
    out: Annotated[Path | None, Option(metavar="RECIPE.toml", help="Write the recipe found."), Output()] = None,
    trail: Annotated[
        Path | None,
        Option(metavar="TRAIL.jsonl", help="Write every point tried, one line each, as it is finished."),
        Output(),
    ] = None,
    workers: Workers = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the recipe of least loss within a bound on the risk.

    The search starts from the settings of a sweep and tries maskings and chains of two. Interrupt it to use the best
    recipe so far. Where no recipe is within the bound, the lowest risk is printed and the exit code is 1.

    Example: sdckit tune survey.csv --schema schema.toml --max-risk 0.1 --out recipe.toml
    """
    from sdckit.catalogue import entries
    from sdckit.evaluation.tune import tune as tuned
    from sdckit.files import read

    terminal = Terminal(json, quiet)
    lowered = measures_of([loss] if loss else ())
    if lowered and lowered[0].kind != "loss":
        raise UnknownNameError("loss", lowered[0].name, [entry.name for entry in entries("loss")])
    seconds_given = None if budget is None else seconds(budget)
    for path in filter(None, (out, trail)):
        refuse_to_overwrite(path, force)
    with terminal.progress("reading"):
        data = read(file, schema_of(schema), **sheet_option(sheet))
    with terminal.progress("tuning", time_left=True) as progress:
        found = tuned(
            data,
            max_risk,
            risk=risk,
            loss=lowered[0] if lowered else None,
            methods=method_names(methods),
            trials=trials,
            budget=seconds_given,
            draws=draws,
            seed=seed,
            workers=workers,
            trail=trail,
            progress=progress,
        )
    if out is not None and found.recipe is not None:
        write_text(out, found.recipe.to_toml(), force=force)
    say_tuning(terminal, found, out)
    bare = "" if found.best is None else found.best.label
    terminal.result(found.to_dict() | {"path": str(out) if out is not None and found.best is not None else None}, bare)
    if found.best is None:
        raise Exit(1)


def seconds(text: str) -> float:
    """A time in seconds, from text.

    >>> seconds("90s"), seconds("1.5m"), seconds("20")
    (90.0, 90.0, 20.0)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text)
    if found is None or found[2] not in UNITS:
        raise ParameterError(f"{text!r} is not a time; write 90s, 5m or 1h")
    return float(found[1]) * UNITS[found[2]]


def say_tuning(terminal: Terminal, found: "Tuning", out: Path | None) -> None:
    """Print the recipe, or why there is none."""
    if not terminal.chatty:
        return
    from rich.markup import escape

    from sdckit.formatting import percent

    tried = f"{count(len(found.map.points), 'file')} masked and measured"
    if found.best is None and found.confirmed:
        terminal.say(
            f"{count(len(found.confirmed), 'setting')} met {found.risk} ≤ {percent(found.max_risk)}, but the best "
            f"weighted distance re-identifies {percent(min(found.confirmed.values()))} or more in each ({tried})."
        )
        return
    if found.best is None and found.refused:
        terminal.say(
            f"{count(len(found.refused), 'setting')} met {found.risk} ≤ {percent(found.max_risk)}, but each loses "
            f"about as much as shuffling the keys would: tables of single attributes would serve as well ({tried}). "
            "Allow a higher risk, fewer attributes or coarser categories."
        )
        return
    if found.best is None and found.safest.highest[found.risk] <= found.max_risk:
        terminal.say(
            f"The search ended before a recipe had met {found.risk} ≤ {percent(found.max_risk)} in all draws; "
            f"the safest is {escape(found.safest.label)}, with {percent(found.safest.highest[found.risk])} after "
            f"{count(found.safest.seeds, 'draw')} ({tried}). Allow more trials or time."
        )
        return
    if found.best is None:
        terminal.say(
            f"No recipe tried meets {found.risk} ≤ {percent(found.max_risk)}; the lowest risk found is "
            f"[bold]{percent(found.safest.highest[found.risk])}[/], by {escape(found.safest.label)} ({tried})."
        )
        return
    terminal.say(f"{tried}; the least {found.loss} with {found.risk} ≤ {percent(found.max_risk)}:")
    terminal.say(settings_table("Recipe", [found.best], found.risk, found.loss))
    say_relations(terminal, found.relations, "by its first draw")
    say_shuffled(terminal, found)
    if found.unconfirmed:
        ruled_out = count(len(found.confirmed), "setting")
        before = f"It ruled out {ruled_out} of less loss. " if found.confirmed else ""
        terminal.say(
            f"There was no time to attack this recipe by the best weighted distance. {before}Allow more time, or "
            "measure it by `sdckit assess`."
        )
    elif found.confirmed:
        *refused, confirmed = found.confirmed.values()
        others = f"; it ruled out {count(len(refused), 'setting')} of less loss" if refused else ""
        terminal.say(f"The best weighted distance re-identifies {percent(confirmed)} of the records at most{others}.")
    if out is not None:
        terminal.line(f"[dim]{'recipe':14}[/][bold]{escape(str(out))}[/]")


def say_shuffled(terminal: Terminal, found: "Tuning") -> None:
    """Print what shuffled keys lose, and how many settings were refused because they lose about as much."""
    from sdckit.formatting import figure

    if found.shuffled is None or found.loss not in found.shuffled.mean:
        return
    lost = f"The file with shuffled keys has {found.loss} {figure(found.shuffled.mean[found.loss])}"
    verbs = "loses about as much and was" if len(found.refused) == 1 else "lose about as much and were"
    others = f"; {count(len(found.refused), 'setting')} within the bound {verbs} not considered"
    terminal.say(f"[dim]{lost}{others if found.refused else ''}.[/]")


VERB = Verb(tune, group="Choose a masking", order=21)
