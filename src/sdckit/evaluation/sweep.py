"""Sweep: every masking that suits a file, over a grid of its parameters and several seeds, as a risk–utility map."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from sdckit.catalogue import Entry, entries, find
from sdckit.draws import Draws
from sdckit.errors import FileError, MissingPackageError, ParameterError, SchemaError, SdcError, message_to_store
from sdckit.evaluation.baselines import BASELINES
from sdckit.evaluation.experiment import Experiment, Outcome, Trial, chosen_measures
from sdckit.evaluation.risk_utility_map import RiskUtilityMap
from sdckit.evaluation.worker_pool import worker_pool, workers_that_fit
from sdckit.files.temporary import remove_stale
from sdckit.graph import Graph
from sdckit.graph_masking import GraphMasking
from sdckit.intruder import Intruder
from sdckit.masking import Masking
from sdckit.measure import Measure, Need
from sdckit.microdata import Microdata, Role
from sdckit.progress import NoProgress, Progress, by_count
from sdckit.recipe import Recipe
from sdckit.rows import Rows
from sdckit.schema import read_toml

SAMPLE = 200  # records on which it is tested whether a masking hides anything
POINTS = "points"  # the folder of finished points in the folder of a sweep
Grid = Mapping[str, Mapping[str, Any]]


def sweep(
    data: Any,
    methods: Iterable[str] | None = None,
    *,
    grid: Grid | None = None,
    seeds: int = 3,
    measures: Iterable[str | Measure] | None = None,
    intruder: Intruder = Intruder(),
    workers: int | None = None,
    folder: str | Path | None = None,
    progress: Progress = NoProgress(),
) -> RiskUtilityMap:
    """Mask a file by every method that suits it, over the default grid of parameters, and measure each release.

    Parameters
    ----------
    methods
        The methods to try, by default all that suit the file. A method that leaves out records or values is tried only
        if it is named: losses compare what is in both files. A full synthesis, no row of which belongs to a record, is
        tried where some risk and some loss can be measured without a correspondence of rows.
    grid
        Values of parameters by method, instead of the default ones.
    seeds
        The number of draws of each setting.
    measures
        Names or measures, by default the main risks and losses of the file.
    workers
        The number of processes, by default one per core.
    folder
        Each finished point is written there, and the same sweep continues where it was stopped.

    Returns
    -------
    Every point with its figures; `frontier` gives the settings that no other beats in both risk and loss.

    Example
    -------
    >>> from sdckit.datasets import simulate_business
    >>> data, grid = simulate_business(60, seed=1), {"mdav": {"group_size": [3, 6]}}
    >>> result = sweep(data, ["mdav"], grid=grid, measures=["distance-linkage", "il1s"], seeds=1, workers=1)
    >>> [setting.label for setting in result.frontier("distance-linkage", "il1s")]
    ['mdav(group_size=6)', 'mdav(group_size=3)']
    """
    file = data if isinstance(data, Microdata) else Microdata.from_frame(data)
    if seeds < 1:
        raise ParameterError(f"a sweep of {seeds} seeds tries nothing; use 1 or more")
    experiment = Experiment(file, chosen_measures(measures, file), intruder, made_folder(folder))
    recipes, skipped = plan(file, methods, grid, experiment.measures)
    trials = [Trial(name, (), seed) for name in BASELINES for seed in range(seeds if name == "shuffled" else 1)]
    trials += [Trial.of(recipe, seed) for recipe in recipes for seed in range(seeds)]
    found = all_tried(experiment, trials, workers_that_fit(file, workers), progress)
    points = []
    for trial, outcome in zip(trials, found, strict=True):
        if outcome.point is not None:
            points.append(outcome.point)
        else:
            skipped.setdefault(trial.method, outcome.problem)
    return RiskUtilityMap(
        tuple(points), {each.name: each.kind for each in experiment.measures}, len(file), dict(sorted(skipped.items()))
    )


def plan(
    data: Microdata,
    methods: Iterable[str] | None = None,
    grid: Grid | None = None,
    measures: Sequence[Measure] = (),
) -> tuple[list[Recipe], dict[str, str]]:
    """The recipes of one step to try, method by method, and why the other methods are not tried."""
    named = list(dict.fromkeys(methods)) if methods is not None else list(grid) if grid else None
    chosen = [find("masking", name) for name in named] if named is not None else list(entries("masking", type(data)))
    for name in grid or {}:
        if name not in [entry.name for entry in chosen]:
            raise ParameterError(f"the grid has values for {name!r}, which is not among the methods to sweep")
    recipes: list[Recipe] = []
    skipped: dict[str, str] = {}
    for entry in chosen:
        if named is None and _leaves_out(entry):
            skipped[entry.name] = "it leaves out records or values, which the losses do not see; name it to try it"
            continue
        if named is None and _synthesises(entry) and not _measurable_without_rows(measures):
            skipped[entry.name] = (
                "no row of it belongs to a record: name it, or a risk and a loss that need no correspondence of rows"
            )
            continue
        try:
            maskings = list(settings(entry, (grid or {}).get(entry.name)))
            maskings[0].applicable(data, ())
        except (SchemaError, MissingPackageError) as reason:
            skipped[entry.name] = message_to_store(reason)
            continue
        if named is None and (reason_to_rest := _idle(maskings[0], data)):
            skipped[entry.name] = reason_to_rest
            continue
        if only_reorders(maskings[0], data):
            skipped[entry.name] = (
                "keys and confidential values move together: the same records come out in another order"
            )
            continue
        recipes += [Recipe.of(masking) for masking in maskings]
    if not recipes:
        raise SdcError(f"no method suits this file: {next(iter(skipped.values()), 'none is named')}")
    return recipes, skipped


def only_reorders(masking: Masking, data: Microdata) -> bool:
    """Whether a masking gives the same keys and confidential values in another order, tried on the first records.

    That is so for a swap of records where none of these stays behind. An attack asks for the row of a record and would
    call it safe, and a loss on these attributes would see nothing.
    """
    names = data.names(role=(Role.KEY, Role.CONFIDENTIAL))
    if not names:
        return False
    some = data.without(data.names(role=Role.IDENTIFIER)).take(np.arange(min(len(data), SAMPLE)))
    try:
        masked = masking.protect(some, draws=Draws.of(0))
    except SdcError:
        return False
    if len(masked) != len(some) or any(masked.attribute(name).coded != some.attribute(name).coded for name in names):
        return False
    before, after = (np.column_stack([file.columns[name] for name in names]) for file in (some, masked))
    if np.array_equal(before, after, equal_nan=True):
        return False
    return np.array_equal(before[np.lexsort(before.T)], after[np.lexsort(after.T)], equal_nan=True)


def settings(entry: Entry, values: Mapping[str, Any] | None = None) -> Iterator[Masking]:
    """A method over the values given, else over the grid of each parameter: every combination."""
    if values is None:
        values = {each.name: each.grid for each in entry.parameters if each.grid}
    lists = [list(each) if isinstance(each, list | tuple) else [each] for each in values.values()]
    if not all(lists):
        raise ParameterError(f"the grid of {entry.name} has a parameter without values; give it one or more")
    for combination in product(*lists):
        masking = entry.build(**dict(zip(values, combination, strict=True)))
        assert isinstance(masking, Masking)
        yield masking


def grid_from_toml(path: str | Path) -> Grid:
    """The grid in a TOML file: a table `[grid.METHOD]` with a value or a list of values for each parameter."""
    grid = read_toml(path).get("grid")
    if not isinstance(grid, dict) or not grid or not all(isinstance(values, dict) for values in grid.values()):
        raise FileError(f"{path} has no grid; write a table such as [grid.mdav] with group_size = [3, 5, 10]")
    return grid


def all_tried(experiment: Experiment, trials: Sequence[Trial], workers: int, progress: Progress) -> list[Outcome]:
    """The outcome of every trial, those on disk first.

    The first seed of every recipe comes before the others: where the next one makes the same file again, its figures
    are reused.
    """
    report = by_count(progress)
    found = {number: kept for number, trial in enumerate(trials) if (kept := experiment.finished(trial)) is not None}
    report(len(found), len(trials), "from an earlier run" if found else "")
    first = {trial.method + repr(trial.steps): number for number, trial in enumerate(trials) if trial.seed == 0}
    with worker_pool(experiment, workers if len(trials) - len(found) > 1 else 1) as work:
        for again in (False, True):
            missing = [
                number for number, trial in enumerate(trials) if number not in found and (trial.seed > 0) is again
            ]
            likes = [found.get(first[trials[number].method + repr(trials[number].steps)]) for number in missing]
            tasks = [(number, trials[number], like) for number, like in zip(missing, likes, strict=True)]
            for number, outcome in work(tasks):
                found[number] = outcome
                report(len(found), len(trials), trials[number].method)
    return [found[number] for number in range(len(trials))]


def _leaves_out(entry: Entry) -> bool:
    component = entry.component
    assert issubclass(component, Masking)
    return component.suppresses or component.rows is Rows.SAMPLED


def _synthesises(entry: Entry) -> bool:
    component = entry.component
    assert issubclass(component, Masking)
    return component.rows is Rows.SYNTHESISED


def _measurable_without_rows(measures: Sequence[Measure]) -> bool:
    """Whether some risk and some loss of a file without correspondence of rows can be measured."""
    kinds = {each.kind for each in measures if Need.ROWS not in each.needs}
    return {"risk", "loss"} <= kinds


def made_folder(folder: str | Path | None) -> Path | None:
    """The folder of finished points in a folder, made where it is missing."""
    if folder is None:
        return None
    points = Path(folder) / POINTS
    try:
        points.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileError(f"{points} cannot be made: {problem.strerror or problem}") from None
    remove_stale(points.resolve())
    return points


def _idle(masking: Masking, data: Microdata) -> str | None:
    """Why a masking of edges would change nothing, such as dropping the directions of edges that have none."""
    return masking.idle(data) if isinstance(masking, GraphMasking) and isinstance(data, Graph) else None
