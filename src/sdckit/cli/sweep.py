"""`sdckit sweep`: the maskings that suit a file as a map of risk against loss."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import measures_of, refuse_to_overwrite, schema_of, sheet_option, write_text
from sdckit.cli.options import Force, Json, Quiet, SchemaFile, Sheet
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count, listed
from sdckit.cli.verb import Verb
from sdckit.errors import FileError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from sdckit.evaluation.risk_utility_map import RiskUtilityMap, Setting
    from sdckit.measure import Measure
    from sdckit.microdata import Microdata

File = Annotated[Path, Argument(metavar="FILE", help="The original file.")]
Methods = Annotated[
    list[str] | None,
    Option(metavar="NAME,…", help="Maskings to try, by default all that suit the file. Repeatable."),
]
MAP_CSV, MAP_JSON = "map.csv", "map.json"  # what a sweep writes into its folder
ALIKE = 3  # settings with the same figures, or methods left out, that are each shown
NOTHING = 1e-9  # a loss below is shown as 0
Workers = Annotated[int | None, Option(help="Number of processes, by default one per core.")]


def sweep(
    file: File,
    schema: SchemaFile = None,
    sheet: Sheet = None,
    methods: Methods = None,
    grid: Annotated[Path | None, Option(help="TOML file with values to try: [grid.mdav], group_size = [3, 5].")] = None,
    seeds: Annotated[int, Option(help="Number of draws of each setting.")] = 3,
    measure: Annotated[
        list[str] | None,
        Option(metavar="NAME[:PARAM=VALUE,…]", help="A risk or loss, by default the quick ones. Repeatable."),
    ] = None,
    risk: Annotated[
        str | None,
        Option(metavar="NAME[:PARAM=VALUE,…]", help="The risk on the map, by default that of the informed intruder."),
    ] = None,
    loss: Annotated[
        str | None, Option(metavar="NAME[:PARAM=VALUE,…]", help="The loss on the map (`sdckit list loss`).")
    ] = None,
    out: Annotated[
        Path | None,
        Option(metavar="DIR", help="Folder for map.csv and map.json; an interrupted sweep continues there."),
        Output(lambda folder: [folder / name for name in (MAP_CSV, MAP_JSON)]),
    ] = None,
    plot: Annotated[Path | None, Option(help="Draw the map: a .png or .svg file."), Output()] = None,
    workers: Workers = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Try the maskings that suit a file and map risk against loss.

    With --out each finished point is written at once: run the same command again to continue after an interruption.

    Example: sdckit sweep survey.csv --schema schema.toml --out map --plot map.png
    """
    from rich.markup import escape

    from sdckit.digest import content_digest
    from sdckit.evaluation.sweep import grid_from_toml
    from sdckit.evaluation.sweep import sweep as swept
    from sdckit.files import read
    from sdckit.json_text import to_json

    terminal = Terminal(json, quiet)
    named = measures_of(measure or ())
    values = grid_from_toml(grid) if grid is not None else None
    if plot is not None:
        refuse_to_overwrite(plot, force, made=out)
        if plot.suffix not in (".png", ".svg"):
            raise FileError(f"{plot} is neither .svg nor .png; name a picture with one of these endings")
    if out is not None:
        refuse_foreign_map(out, force)
    with terminal.progress("reading"):
        data = read(file, schema_of(schema), **sheet_option(sheet))
    measures, risk, loss = with_axes(named, risk, loss, data)
    try:
        with terminal.progress("sweeping", time_left=True) as progress:
            result = swept(
                data,
                method_names(methods),
                grid=values,
                seeds=seeds,
                measures=measures,
                workers=workers,
                folder=out,
                progress=progress,
            )
    except KeyboardInterrupt:
        if out is not None:
            terminal.line(f"Finished points are in [bold]{escape(str(out))}[/]; the same command continues from there.")
        raise
    if out is not None:
        write_text(out / MAP_CSV, result.to_csv(), force=True)
        document = to_json(result.to_dict() | {"digest": content_digest(data, ordered=False)}, indent=1)
        write_text(out / MAP_JSON, document, force=True, private=True)  # it has the digest of the original
    if plot is not None:
        draw(result, plot, risk, loss, force=force)
    say_map(terminal, result, risk, loss)
    for path in filter(None, (out, plot)):
        terminal.line(f"[dim]{'written':14}[/][bold]{escape(str(path))}[/]")
    chosen = result.axes(risk, loss)
    bare = "\n".join(
        f"{each.label}\t{each.mean[chosen[0]]:.6g}\t{each.mean[chosen[1]]:.6g}" for each in result.frontier(risk, loss)
    )
    terminal.result(
        result.to_dict()
        | {"risk": chosen[0], "loss": chosen[1], "frontier": [each.label for each in result.frontier(risk, loss)]},
        bare,
    )


def refuse_foreign_map(out: Path, force: bool) -> None:
    """Refuse to replace files of these names that no sweep wrote: beside its own, a sweep leaves its points."""
    from sdckit.evaluation.sweep import POINTS

    if force or (out / POINTS).is_dir():
        return
    for path in (out / MAP_CSV, out / MAP_JSON):
        if path.exists():
            raise FileError(
                f"{path} exists already, and {out} is not the folder of a sweep; name another folder, or use --force"
            )


def with_axes(
    named: "list[Measure] | None", risk: str | None, loss: str | None, data: "Microdata"
) -> "tuple[tuple[Measure, ...], str | None, str | None]":
    """The measures to use: those named, else the main figures, and the two axes requested; and the axes' names."""
    from sdckit.evaluation.experiment import chosen_measures
    from sdckit.evaluation.measurement import measure_named

    measures = list(named) if named is not None else list(chosen_measures(None, data))
    axes: list[str | None] = []
    for kind, text in (("risk", risk), ("loss", loss)):
        axis = None if text is None else measure_named(text)
        if axis is not None and axis.kind != kind:
            raise ParameterError(f"{axis.name!r} is a {axis.kind}; name a {kind} (`sdckit list {kind}`)")
        if axis is not None and (":" in (text or "") or axis.name not in [each.name for each in measures]):
            measures = [*(each for each in measures if each.name != axis.name), axis]
        if not any(each.kind == kind for each in measures):
            raise ParameterError(f"a map sets a risk against a loss, and no {kind} is among the measures; name one too")
        axes.append(None if axis is None else axis.name)
    return chosen_measures(measures, data), axes[0], axes[1]


def method_names(typed: list[str] | None) -> list[str] | None:
    """The methods named, separated by commas, each once; None where none is."""
    if not typed:
        return None
    return list(dict.fromkeys(name.strip() for text in typed for name in text.split(",") if name.strip()))


def draw(result: "RiskUtilityMap", path: Path, risk: str | None, loss: str | None, *, force: bool) -> None:
    """Draw the map into a file, whole or not at all."""
    from sdckit.charts.picture import write_picture
    from sdckit.charts.risk_utility_map import risk_utility_map
    from sdckit.files.atomic import replacing

    with replacing(path, force=force) as temporary:
        write_picture(risk_utility_map(result, risk, loss), temporary)


def say_map(terminal: Terminal, result: "RiskUtilityMap", risk: str | None, loss: str | None) -> None:
    """Print the frontier and the baselines."""
    if not terminal.chatty:
        return
    from rich.markup import escape

    risk, loss = result.axes(risk, loss)
    tried = [each for each in result.settings if not each.baseline]
    terminal.say(
        f"{count(len(tried), 'setting')}, {count(len(result.points), 'point')}; on the frontier of {risk} and {loss}:"
    )
    frontier, baselines = result.frontier(risk, loss), [each for each in result.settings if each.baseline]
    for title, settings in (("Setting", frontier), ("Baseline", baselines)):
        if any(risk in each.mean and loss in each.mean for each in settings):
            terminal.say(settings_table(title, settings, risk, loss))
        else:
            terminal.say(f"[dim]No {title.lower()} has both figures.[/]")
    lacking = dict.fromkeys(each.method for each in tried if risk not in each.mean)
    if lacking:
        terminal.say(
            f"[dim]{escape(listed(lacking))} not on this map: {risk} could not be measured; in a full synthesis no row "
            "belongs to a record (--risk attribute-inference or --risk singling-out compares all).[/]"
        )
    empty = sum(result.like_shuffled(each, loss) for each in frontier)
    if empty:
        terminal.say(
            f"[yellow]{count(empty, 'setting')} on the frontier {'loses' if empty == 1 else 'lose'} about as much as "
            "shuffling the keys: tables of single attributes would serve as well.[/]"
        )
    unseen = loss_elsewhere(frontier, loss, result.losses)
    if unseen is not None:
        terminal.say(f"[dim]Where {loss} is 0, {unseen} may still show a loss (--loss {unseen}).[/]")
    if len(result.skipped) > ALIKE:
        terminal.say(f"[dim]{count(len(result.skipped), 'method')} not tried; --json gives the reasons.[/]")
        return
    for name, reason in result.skipped.items():
        what = "some settings of " if any(point.method == name for point in result.points) else ""
        why = escape(reason.removeprefix(name).lstrip(": "))
        terminal.say(f"[dim]{what}{escape(name)} left out: {why}[/]")


def loss_elsewhere(settings: "Sequence[Setting]", loss: str, losses: "Sequence[str]") -> str | None:
    """Another loss that is above 0 for settings where this one is 0, as for a masking of categories only."""
    free = [each.mean for each in settings if abs(each.mean[loss]) < NOTHING]
    return next((name for name in losses if any(mean.get(name, 0.0) >= NOTHING for mean in free)), None)


def settings_table(title: str, settings: "Sequence[Setting]", risk: str, loss: str) -> "Table":
    """Settings with risk and loss, and their variation over the draws; of many with equal figures, the first."""
    from rich.markup import escape

    from sdckit.cli.folded import folded_table
    from sdckit.formatting import figure, percent

    together: dict[tuple[float, ...], list[Setting]] = {}
    for each in settings:
        if risk in each.mean and loss in each.mean:
            figures = (each.mean[risk], each.highest[risk], each.mean[loss], each.deviation[loss])
            together.setdefault(figures, []).append(each)
    table = folded_table(title, ("risk", "highest", "loss", "±"))
    for (mean, highest, lost, deviation), alike in together.items():
        rows = [escape(each.label) for each in alike]
        if len(rows) > ALIKE:
            rows = [f"{rows[0]}\n[dim]and {len(rows) - 1} more with the same figures[/]"]
        for row in rows:
            table.add_row(
                row, f"[bold]{percent(mean)}[/]", percent(highest), f"[bold]{figure(lost)}[/]", figure(deviation)
            )
    return table


VERB = Verb(sweep, group="Choose a masking", order=20)
