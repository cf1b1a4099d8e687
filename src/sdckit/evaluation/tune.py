"""Tune: the recipe of least loss whose risk is within a bound, found by searching chains of maskings."""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sdckit.catalogue import build, find
from sdckit.errors import ParameterError, SdcError
from sdckit.evaluation.experiment import Experiment, chosen_measures
from sdckit.evaluation.measurement import all_measures, headline_measures, measure_named
from sdckit.evaluation.relations import keys_are_related, relations_after, sees_relations
from sdckit.evaluation.risk_utility_map import RELATIONS, RiskUtilityMap, Setting
from sdckit.evaluation.search_clock import SearchClock
from sdckit.evaluation.search_record import SearchRecord
from sdckit.evaluation.search_space import SearchSpace
from sdckit.evaluation.sweep import plan
from sdckit.evaluation.worker_pool import Work, worker_pool, workers_that_fit
from sdckit.formatting import figure, html_table, percent
from sdckit.intruder import Intruder
from sdckit.measure import Finds, Measure, Need, number
from sdckit.microdata import Microdata
from sdckit.progress import NoProgress, Progress, by_count
from sdckit.randomness import child, generator
from sdckit.recipe import Recipe

if TYPE_CHECKING:
    from optuna.study import Study

BATCH = 8  # recipes proposed at a time, whatever the number of workers: the search is the same on every machine
STALE = 40  # batches with nothing new after which the space is taken to be exhausted


@dataclass(frozen=True, eq=False)
class Tuning:
    """What was found: the best setting within the bound (None: there is none), the safest one, and every point tried.

    The bound holds at every draw of the best setting; its loss is the mean over the draws. `confirmed` gives, for each
    setting attacked by the learned distance, the share re-identified at the worst draw: the last one is the best
    setting, those before it lost less and were dropped because that share exceeds the bound; where the time was over
    before the best setting could be attacked so, it is `unconfirmed`. `shuffled` are the figures
    of the file with shuffled keys, and `refused` the settings within the bound that lose about as much as that file.
    `relations` says what the first draw of the best setting does to the strongest relations of the file.
    """

    max_risk: float
    risk: str
    loss: str
    best: Setting | None
    safest: Setting
    map: RiskUtilityMap
    confirmed: Mapping[str, float] = field(default_factory=dict)
    shuffled: Setting | None = None
    refused: tuple[str, ...] = ()
    relations: tuple[Mapping[str, Any], ...] = ()
    unconfirmed: bool = False

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
            "best": None if self.best is None else self._setting_to_dict(self.best),
            "lowest_risk": self._setting_to_dict(self.safest),
            "tried": len(self.map.points),
            "confirmed": {"by": confirming_attack().name, "found": dict(self.confirmed)} if self.confirmed else None,
            "unconfirmed": self.unconfirmed,
            "shuffled": None if self.shuffled is None else number(self.shuffled.mean.get(self.loss, np.nan)),
            "refused_like_shuffled": list(self.refused),
            "strongest_relations": [dict(each) for each in self.relations],
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: the recipe found and the safest one tried."""
        best = [] if self.best is None else [("least loss", self.best)]
        rows = [
            (title, each.label, percent(each.highest[self.risk]), figure(each.mean[self.loss]))
            for title, each in [*best, ("least risk", self.safest)]
        ]
        kept = "kept" if self.best is not None else "met by no setting that was tried"
        caption = f"{len(self.map.points):,} files masked · {self.risk} ≤ {percent(self.max_risk)}: {kept}"
        return html_table(("", "recipe", f"{self.risk} (worst draw)", f"{self.loss} (mean)"), rows, caption)

    def _setting_to_dict(self, setting: Setting) -> dict[str, Any]:
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
    risk: str | Measure | None = None,
    loss: str | Measure | None = None,
    methods: Iterable[str] | None = None,
    trials: int | None = None,
    budget: float | None = None,
    draws: int = 3,
    seed: int = 0,
    intruder: Intruder = Intruder(),
    workers: int | None = None,
    trail: str | Path | None = None,
    progress: Progress = NoProgress(),
) -> Tuning:
    """Search the recipe of least loss whose risk is at most `max_risk`.

    The settings of the default sweep come first, with those expected to meet the bound between or beyond them, then
    variations of the best of them and what a sampler of two objectives proposes, chains of two steps too. Every worker
    has a file to mask while a batch lasts: the further draws of its promising recipes are tried together.

    Parameters
    ----------
    risk
        The risk to bound, by default that of the informed intruder. The figure is that of `assess` and `gate`.
        With the default, what was found is also attacked by a learned distance at the end, and is replaced by the next
        best if that exceeds the bound.
    loss
        The loss to minimise, by default the main loss that is defined for the kinds of the keys. A recipe that loses
        nine tenths or more of what shuffled keys lose, by this loss or of the relations, is never the best.
    trials
        The number of files to mask, which makes the search repeatable.
    budget
        Or else a time in seconds. What several workers are at when it ends is not waited for; a single worker finishes
        its file. Where there was no time to attack the best recipe by the learned distance, `unconfirmed` says so.
    draws
        How often a recipe is drawn: the bound must hold at every draw.
    trail
        A file to which every point is appended, one JSON line each.

    Returns
    -------
    The best setting within the bound (None where there is none), the safest setting, and every point tried. An
    interrupted search returns the best so far.

    Example
    -------
    `tune(data, 0.1, trials=200).recipe` is the recipe of least loss that re-identifies at most 10 % of the records.
    """
    if not 0 <= max_risk <= 1:
        raise ParameterError(f"max_risk = {max_risk:g} is out of range; use 0 to 1, the share of records re-identified")
    if trials is not None and budget is not None:
        raise ParameterError("both trials and budget are given; the search ends by one of them")
    if not 0 <= seed < 2**32:
        raise ParameterError(f"seed = {seed} is out of range; use 0 to 4294967295")
    if (trials is not None and trials < 1) or (budget is not None and budget <= 0) or draws < 1:
        raise ParameterError("the search needs at least one trial, one draw and some time")
    file = data if isinstance(data, Microdata) else Microdata.from_frame(data)
    bounded = default_risk(file) if risk is None else measure_named(risk)
    lowered = default_loss(file) if loss is None else measure_named(loss)
    for measure, kind in ((bounded, "risk"), (lowered, "loss")):
        if measure.kind != kind:
            raise ParameterError(f"{measure.name!r} is a {measure.kind}; name a {kind} (`sdckit list {kind}`)")
    recipes, skipped = plan(file, methods, measures=(bounded, lowered))
    names = dict.fromkeys(recipe.steps[0].masking.name for recipe in recipes)
    space = SearchSpace(tuple(find("masking", name) for name in names), file)
    named = {each.name: each for each in (bounded, lowered)}
    if sees_relations(file):
        named.setdefault(RELATIONS, build("loss", RELATIONS))
    experiment = Experiment(file, chosen_measures(named.values(), file), intruder)
    record = SearchRecord(max_risk, bounded.name, lowered.name, draws, experiment, skipped, trail)
    clock = SearchClock(trials, budget, by_count(progress))
    with worker_pool(experiment, workers_that_fit(file, workers), clock.seconds_left) as work:
        try:
            if keys_are_related(file):
                record.shuffle(work)
            _search(space, record, clock.within(work), clock, seed)
            if risk is None:
                record.confirm(confirming_attack(), work, clock.spent)
        except KeyboardInterrupt:
            if not record.settings:
                raise
    return Tuning(
        max_risk,
        record.risk,
        record.loss,
        record.best,
        record.safest,
        record.map(),
        record.confirmed,
        record.shuffled,
        tuple(each.label for each in record.refused),
        () if record.best is None else relations_after(file, record.best.steps),
        record.unconfirmed,
    )


def _search(space: SearchSpace, record: SearchRecord, work: Work, clock: SearchClock, seed: int) -> None:
    study = _study(seed)
    moves = child(generator(seed), "tune", "moves")
    starts = iter(list(space.starts()))
    stale = 0
    while not clock.over(record.masked) and stale < STALE:
        room = BATCH if clock.trials is None else min(BATCH, clock.trials - record.masked)
        asked = []
        aims = record.aims(space)
        for position in range(room):
            start = next(aims, None) if position == 0 else None
            start = start or next(starts, None)
            if start is None and position % 2 == 0 and record.settings:
                start = space.varied(record.parent(moves), moves)
            if start is not None:
                study.enqueue_trial(space.parameters_of(start))
            trial = study.ask()
            asked.append((trial, space.suggested(trial)))
        fresh = list({str(recipe): recipe for _, recipe in asked if record.is_new(recipe)}.values())
        stale = 0 if fresh else stale + 1
        record.try_first(fresh, work)
        record.try_again([each for each in fresh if record.promising(each)], work, clock.room(record.masked))
        clock.report(record.masked, record.best)
        for trial, recipe in asked:
            figures = record.figures(recipe)
            trial.set_user_attr("excess", figures[0] - record.max_risk)
            study.tell(trial, figures)


def _study(seed: int) -> "Study":
    """A search for the least risk and the least loss that prefers settings within the bound."""
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


def default_risk(data: Microdata) -> Measure:
    """The risk that is bounded where none is named: the main one that counts re-identified records."""
    return next(each for each in headline_measures(data) if each.kind == "risk" and each.finds is Finds.RECORDS)


def default_loss(data: Microdata) -> Measure:
    """The loss that is minimised by default: the main one that is defined for the kinds of the keys."""
    return next(each for each in headline_measures(data) if each.kind == "loss")


def confirming_attack() -> Measure:
    """The main attack that learns from the true links: too slow for the search, it is tried on what was found."""
    learned = [each for each in all_measures() if Need.TRUTH in each.needs and each.headline is not None]
    return min(learned, key=lambda each: each.headline or 0)
