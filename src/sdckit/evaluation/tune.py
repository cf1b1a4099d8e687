"""Tune: the recipe of least loss whose worst-case risk keeps a bound, found by searching chains of maskings."""

import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from sdckit.catalogue import entries, find
from sdckit.errors import FileError, ParameterError, SdcError
from sdckit.evaluation.assess import measure_named
from sdckit.evaluation.boundary import guesses
from sdckit.evaluation.experiment import Experiment, Outcome, Trial, chosen_measures, usual_measures
from sdckit.evaluation.risk_utility_map import FINDING, USUAL_LOSS, WORST_CASE, Point, RiskUtilityMap, Setting
from sdckit.evaluation.search_space import SearchSpace
from sdckit.evaluation.sweep import plan
from sdckit.evaluation.worker_pool import Work, worker_pool, workers_that_fit
from sdckit.formatting import figure, html_table, percent
from sdckit.intruder import Intruder
from sdckit.measure import Measure, number
from sdckit.microdata import Microdata
from sdckit.randomness import child, generator
from sdckit.recipe import Recipe

if TYPE_CHECKING:
    from optuna.study import Study

BUDGET = 60.0  # seconds, where nothing is said
BATCH = 4  # recipes proposed at a time, whatever the number of workers: the search is the same on every machine
PROMISING = 1.05  # a first draw with up to this times the least loss so far is drawn again
PARENTS = 5  # recipes on the frontier next to the bound, from which moves start
CONFIRMING = "weighted-mean-linkage"  # too slow for the search: what it found must stand up to this at the end
STALE = 40  # batches with nothing new after which the space is taken to be exhausted
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False)
class Tuning:
    """What was found: the best setting that keeps the bound (None: none does), the safest one, and every point tried.

    The bound is kept at every draw of the best setting; its loss is the mean over the draws. `confirmed` holds, by the
    settings that were put to it, what the best weighted distance finds at their worst draw: the last one is the best
    setting, those before it lost less and gave way because it found too much.
    """

    max_risk: float
    risk: str
    loss: str
    best: Setting | None
    safest: Setting
    map: RiskUtilityMap
    confirmed: Mapping[str, float] = field(default_factory=dict)

    @property
    def recipe(self) -> Recipe | None:
        """The recipe that was found."""
        return None if self.best is None else Recipe.from_dict({"steps": list(self.best.steps)})

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "max_risk": self.max_risk,
            "risk": self.risk,
            "loss": self.loss,
            "best": None if self.best is None else self._told(self.best),
            "lowest_risk": self._told(self.safest),
            "tried": len(self.map.points),
            "confirmed": {"by": CONFIRMING, "found": dict(self.confirmed)} if self.confirmed else None,
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: the recipe found and the safest one tried."""
        told = [] if self.best is None else [("least loss", self.best)]
        rows = [
            (words, each.label, percent(each.highest[self.risk]), figure(each.mean[self.loss]))
            for words, each in [*told, ("least risk", self.safest)]
        ]
        kept = "kept" if self.best is not None else "kept by nothing that was tried"
        caption = f"{len(self.map.points):,} files masked · {self.risk} ≤ {percent(self.max_risk)}: {kept}"
        return html_table(("", "recipe", f"{self.risk} (worst draw)", f"{self.loss} (mean)"), rows, caption)

    def _told(self, setting: Setting) -> dict[str, Any]:
        return {
            "setting": setting.label,
            "steps": [dict(step) for step in setting.steps],
            "risk": number(setting.highest[self.risk]),
            "loss": number(setting.mean[self.loss]),
            "draws": setting.seeds,
        }


def tune(
    data: Any,
    max_risk: float,
    *,
    risk: str = WORST_CASE,
    loss: str | Measure | None = None,
    methods: Iterable[str] | None = None,
    trials: int | None = None,
    budget: float | None = None,
    draws: int = 3,
    seed: int = 0,
    intruder: Intruder = Intruder(),
    workers: int | None = None,
    trail: str | Path | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Search the recipe of least loss whose risk is at most `max_risk`, by default that of the strongest attack.

    The settings of the default sweep come first, along with those expected to meet the bound between or beyond them,
    then moves from the best of them and what a sampler of two objectives proposes, chains of two steps too. `trials`
    counts masked files and makes the search repeatable; `budget` is a time in seconds. Interrupted, it gives the best
    so far. Every point is appended to the file `trail`, one JSON line each. Where the strongest attack is bounded, what
    was found is put to a learned distance at the end, and gives way to the next best if that breaks the bound.
    """
    if not 0 <= max_risk <= 1:
        raise ParameterError(f"max_risk = {max_risk:g} is out of range; take 0 to 1, the share of records found")
    if trials is not None and budget is not None:
        raise ParameterError("both trials and budget are given; the search ends by one of them")
    if not 0 <= seed < 2**32:
        raise ParameterError(f"seed = {seed} is out of range; take 0 to 4294967295")
    if (trials is not None and trials < 1) or (budget is not None and budget <= 0) or draws < 1:
        raise ParameterError("the search needs at least one trial, one draw and some time")
    file = data if isinstance(data, Microdata) else Microdata.from_frame(data)
    recipes, skipped = plan(file, methods)
    names = dict.fromkeys(recipe.steps[0].masking.name for recipe in recipes)
    space = SearchSpace(tuple(find("masking", name) for name in names))
    usual = usual_measures(file)
    lowered = measure_named(loss) if loss is not None else _first(usual)
    if lowered.kind != "loss":
        raise ParameterError(f"{lowered.name!r} is a risk; the search lowers a loss (`sdckit list loss`)")
    experiment = Experiment(file, chosen_measures([*_risks(risk, usual), lowered], file), intruder)
    record = _Record(max_risk, risk, lowered.name, draws, experiment, skipped, trail)
    with worker_pool(experiment, workers_that_fit(file, workers)) as work:
        try:
            _search(space, record, work, _Clock(trials, budget, progress), seed)
            if risk == WORST_CASE:
                record.confirm()
        except KeyboardInterrupt:
            if not record.settings:
                raise
    return record.tuning()


def _search(space: SearchSpace, record: "_Record", work: Work, clock: "_Clock", seed: int) -> None:
    study = _study(seed)
    moves = child(generator(seed), "tune", "moves")
    starts = iter(list(space.starts()))
    stale = 0
    while not clock.over(record.tried) and stale < STALE:
        room = BATCH if clock.trials is None else min(BATCH, clock.trials - record.tried)
        asked = []
        aims = record.aims(space)
        for place in range(room):
            start = next(aims, None) if place == 0 else None
            start = start or next(starts, None)
            if start is None and place % 2 == 0 and record.settings:
                start = space.moved(record.parent(moves), moves)
            if start is not None:
                study.enqueue_trial(space.told(start))
            trial = study.ask()
            asked.append((trial, space.suggested(trial)))
        fresh = list({str(recipe): recipe for _, recipe in asked if record.is_new(recipe)}.values())
        stale = 0 if fresh else stale + 1
        record.try_first(fresh, work)
        for recipe in fresh:
            if record.promising(recipe):
                record.try_again(recipe, work, clock.room(record.tried))
            clock.say(record.tried, record.best)
        for trial, recipe in asked:
            figures = record.figures(recipe)
            trial.set_user_attr("excess", figures[0] - record.max_risk)
            study.tell(trial, figures)


def _study(seed: int) -> "Study":
    """A search for the least risk and the least loss that prefers what keeps the bound."""
    try:
        import optuna
    except ImportError:
        raise SdcError("tuning needs optuna; install it with: pip install 'sdckit[all]'") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # optuna calls `group` experimental, and 5 has another name for the constraint
        sampler = optuna.samplers.TPESampler(
            seed=seed,
            multivariate=True,
            group=True,
            constant_liar=True,
            constraints_func=lambda trial: (trial.user_attrs["excess"],),
        )
    return optuna.create_study(directions=["minimize", "minimize"], sampler=sampler)


def _risks(risk: str, usual: Sequence[Measure]) -> Sequence[str]:
    """The risk named, or the usual attacks, of which the worst case is the greatest."""
    if risk != WORST_CASE:
        return [find("risk", risk).name]
    families = {entry.name: entry.family for entry in entries("risk")}
    return [each.name for each in usual if families.get(each.name) in FINDING]


def _first(usual: Sequence[Measure]) -> Measure:
    """The usual loss for a file."""
    by_name = {each.name: each for each in usual}
    return next(by_name[name] for name in USUAL_LOSS if name in by_name)


@dataclass
class _Clock:
    """When the search is over, by trials or by time."""

    trials: int | None
    budget: float | None
    progress: Progress | None
    begun: float = field(default_factory=monotonic)

    def over(self, tried: int) -> bool:
        if self.trials is not None:
            return tried >= self.trials
        return tried > 0 and monotonic() - self.begun >= (self.budget or BUDGET)

    def room(self, tried: int) -> int:
        """How many more files may be masked."""
        return 10**9 if self.trials is None else self.trials - tried

    def say(self, tried: int, best: Setting | None) -> None:
        if self.progress is not None:
            label = best.label if best is not None else "nothing safe yet"
            total = self.trials or round(self.budget or BUDGET)
            done = tried if self.trials is not None else round(monotonic() - self.begun)
            self.progress(min(done, total), total, label)


class _Record:
    """The points so far, the setting of each recipe, and the best."""

    def __init__(
        self,
        max_risk: float,
        risk: str,
        loss: str,
        draws: int,
        experiment: Experiment,
        skipped: dict[str, str],
        trail: str | Path | None,
    ) -> None:
        self.max_risk, self.risk, self.loss, self.draws = max_risk, risk, loss, draws
        self.experiment, self.skipped = experiment, skipped
        self.trail = None if trail is None else Path(trail)
        self.points: list[Point] = []
        self.outcomes: dict[str, list[Outcome]] = {}
        self.settings: dict[str, Setting] = {}
        self.recipes: dict[str, Recipe] = {}
        self.tried = 0
        families = {entry.name: entry.family for entry in entries("risk")}
        self.attacks = [each.name for each in experiment.measures if families.get(each.name) in FINDING]
        self.best: Setting | None = None
        self.confirmed: dict[str, float] = {}
        if self.trail is not None:
            try:
                self.trail.write_text("", encoding="utf-8")
            except OSError as problem:
                raise FileError(f"{trail} cannot be written: {problem.strerror or problem}") from None

    def is_new(self, recipe: Recipe) -> bool:
        return str(recipe) not in self.outcomes

    def try_first(self, recipes: Sequence[Recipe], work: Work) -> None:
        """The first draw of each recipe."""
        tasks = [(place, Trial.of(recipe, 0), None) for place, recipe in enumerate(recipes)]
        for place, outcome in sorted(work(tasks), key=lambda pair: pair[0]):
            self._keep(recipes[place], outcome)

    def try_again(self, recipe: Recipe, work: Work, room: int) -> None:
        """The other draws of a recipe whose first one is promising; the best so far is one that kept the bound."""
        first = self.outcomes[str(recipe)][0]
        tasks = [(seed, Trial.of(recipe, seed), first) for seed in range(1, min(self.draws, room + 1))]
        for _, outcome in sorted(work(tasks), key=lambda pair: pair[0]):
            self._keep(recipe, outcome)
        self.best = min(self._safe(), key=self._lost, default=None)

    def confirm(self) -> None:
        """Put the best to a learned distance, and the next best where that finds too much."""
        experiment = replace(self.experiment, measures=(find("risk", CONFIRMING).build(),))
        for setting in sorted(self._safe(), key=self._lost):
            self.best = setting
            found = self._found_by(experiment, setting)
            if found is None:
                return
            self.confirmed[setting.label] = found
            if found <= self.max_risk:
                return
        self.best = None

    def _found_by(self, experiment: Experiment, setting: Setting) -> float | None:
        """What one more attack finds at the worst draw, up to the first that breaks the bound; None: it cannot say."""
        recipe = Recipe.from_dict({"steps": list(setting.steps)})
        worst = 0.0
        for seed in range(self.draws):
            point = experiment.run(Trial.of(recipe, seed)).point
            if point is None or CONFIRMING not in point.scores:
                return None
            worst = max(worst, point.scores[CONFIRMING])
            if worst > self.max_risk:
                break
        return worst

    def _safe(self) -> list[Setting]:
        """The settings that kept the bound at every draw."""
        every = self.settings.values()
        return [each for each in every if each.seeds >= self.draws and each.highest[self.risk] <= self.max_risk]

    def _lost(self, setting: Setting) -> float:
        return setting.mean[self.loss]

    def promising(self, recipe: Recipe) -> bool:
        """Whether the first draw keeps the bound and loses hardly more than the best does."""
        risk, loss = self.figures(recipe)
        return risk <= self.max_risk and (self.best is None or loss < PROMISING * self.best.mean[self.loss])

    def figures(self, recipe: Recipe) -> tuple[float, float]:
        """The highest risk and the mean loss of a recipe; what could not be measured counts as bad."""
        setting = self.settings.get(str(recipe))
        if setting is None:
            return 1e6, 1e6
        return setting.highest[self.risk], setting.mean[self.loss]

    def aims(self, space: SearchSpace) -> Iterator[Recipe]:
        """Recipes not tried yet that should meet the bound and lose less than the best, the most promising first."""
        tried = [(self.recipes[told], *self.figures(self.recipes[told])) for told in self.settings]
        for guess in guesses(space, tried, self.max_risk):
            if self.best is not None and guess.loss >= self.best.mean[self.loss]:
                return
            if self.is_new(guess.recipe):
                yield guess.recipe

    def parent(self, rng: np.random.Generator) -> Recipe:
        """One of the recipes on the frontier that are next to the bound."""
        ahead = [each for each in self._map().frontier(self.risk, self.loss) if each.highest[self.risk] <= 1.0]
        near = sorted(ahead, key=lambda each: abs(each.highest[self.risk] - self.max_risk))[:PARENTS]
        chosen = near[rng.integers(len(near))]
        if self.best is not None and rng.random() < 0.3:
            chosen = self.best
        return Recipe.from_dict({"steps": list(chosen.steps)})

    def tuning(self) -> Tuning:
        """The result."""
        if not self.settings:
            raise SdcError(f"{self.risk} and {self.loss} could not be measured on any release of this file")
        safest = min(self.settings.values(), key=lambda each: (each.highest[self.risk], each.mean[self.loss]))
        return Tuning(self.max_risk, self.risk, self.loss, self.best, safest, self._map(), self.confirmed)

    def _map(self) -> RiskUtilityMap:
        kinds = {each.name: each.kind for each in self.experiment.measures}
        return RiskUtilityMap(tuple(self.points), kinds, len(self.experiment.data), self.skipped)

    def _keep(self, recipe: Recipe, outcome: Outcome) -> None:
        told = self.outcomes.setdefault(str(recipe), [])
        told.append(outcome)
        self.tried += 1
        if outcome.point is None:
            self.skipped.setdefault(str(recipe), outcome.problem)
            return
        self.points.append(outcome.point)
        setting = Setting.of([each.point for each in told if each.point is not None], self.attacks)
        if self.risk in setting.mean and self.loss in setting.mean and np.isfinite(self._both(setting)).all():
            self.settings[str(recipe)], self.recipes[str(recipe)] = setting, recipe
        self._write(outcome.point, setting)

    def _both(self, setting: Setting) -> list[float]:
        return [setting.highest[self.risk], setting.mean[self.loss]]

    def _write(self, point: Point, setting: Setting) -> None:
        if self.trail is None:
            return
        told = point.to_dict() | {"setting": setting.label, "number": len(self.points)}
        with self.trail.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(told, ensure_ascii=False, default=str) + "\n")
            handle.flush()
            os.fsync(handle.fileno())
