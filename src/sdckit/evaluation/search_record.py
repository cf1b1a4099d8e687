"""The record of a search: the points so far, the setting of each recipe, and the best of them."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sdckit.errors import SdcError
from sdckit.evaluation.boundary import guesses
from sdckit.evaluation.experiment import Experiment, Outcome, Trial
from sdckit.evaluation.risk_utility_map import SHUFFLED, Point, RiskUtilityMap, Setting, like_shuffled
from sdckit.evaluation.search_space import SearchSpace
from sdckit.evaluation.worker_pool import Task, Work
from sdckit.files.atomic import OWNER_ONLY, replacing
from sdckit.files.disk_space import without_space
from sdckit.json_text import to_json
from sdckit.measure import Measure
from sdckit.recipe import Recipe

PROMISING = 1.05  # a first draw with up to this times the least loss so far is drawn again
PARENTS = 5  # recipes on the frontier next to the bound, from which variations start


class SearchRecord:
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
        self.masked = 0
        self.best: Setting | None = None
        self.shuffled: Setting | None = None
        self.confirmed: dict[str, float] = {}
        self.unconfirmed = False
        if self.trail is not None:
            with replacing(self.trail, force=True, mode=OWNER_ONLY) as empty:
                empty.write_text("", encoding="utf-8")

    def is_new(self, recipe: Recipe) -> bool:
        return str(recipe) not in self.outcomes

    def try_first(self, recipes: Sequence[Recipe], work: Work) -> None:
        """The first draw of each recipe."""
        tasks = [(number, Trial.of(recipe, 0), None) for number, recipe in enumerate(recipes)]
        for number, outcome in sorted(work(tasks), key=lambda pair: pair[0]):
            self._keep(recipes[number], outcome)

    def try_again(self, recipes: Sequence[Recipe], work: Work, room: int) -> None:
        """The other draws of recipes whose first one is promising; the best so far is within the bound."""
        tasks: list[Task] = []
        for position, recipe in enumerate(recipes):
            first = self.outcomes[str(recipe)][0]
            seeds = range(1, self.draws)
            tasks += [(position * self.draws + seed, Trial.of(recipe, seed), first) for seed in seeds]
        for number, outcome in sorted(work(tasks[:room]), key=lambda pair: pair[0]):
            self._keep(recipes[number // self.draws], outcome)
        self.best = min(self._safe(), key=self._lost, default=None)

    def shuffle(self, work: Work) -> None:
        """Measure the file with shuffled keys: a setting that loses as much is never the best."""
        tasks: list[Task] = [(seed, Trial(SHUFFLED, (), seed), None) for seed in range(self.draws)]
        points = [outcome.point for _, outcome in sorted(work(tasks), key=lambda pair: pair[0])]
        found = [point for point in points if point is not None]
        self.shuffled = Setting.of(found) if found else None

    def like_shuffled(self, setting: Setting) -> bool:
        """Whether a setting loses about as much as shuffled keys do, by the loss to lower or of the relations."""
        return self.shuffled is not None and like_shuffled(setting, self.shuffled, self.loss)

    @property
    def refused(self) -> list[Setting]:
        """The settings within the bound at all draws so far that lose about as much as shuffled keys do."""
        every = self.settings.values()
        return [each for each in every if each.highest[self.risk] <= self.max_risk and self.like_shuffled(each)]

    def confirm(self, attack: Measure, work: Work, out_of_time: Callable[[], bool]) -> None:
        """Attack the best setting once more, and the next best where that exceeds the bound and there is time."""
        for setting in sorted(self._safe(), key=self._lost):
            self.best = setting
            if self.confirmed and out_of_time():
                self.unconfirmed = True
                return
            found = self._worst_draw(attack, setting, work)
            if found is None:
                self.unconfirmed = out_of_time()
                return
            self.confirmed[setting.label] = found
            if found <= self.max_risk:
                return
        self.best = None

    def _worst_draw(self, attack: Measure, setting: Setting, work: Work) -> float | None:
        """The share re-identified at the worst draw; None where the attack does not apply or was not finished."""
        recipe = Recipe.from_dict({"steps": list(setting.steps)})
        tasks: list[Task] = [
            (seed, replace(Trial.of(recipe, seed), measures=(attack,)), None) for seed in range(self.draws)
        ]
        points = [outcome.point for _, outcome in work(tasks)]
        found = [None if point is None else point.scores.get(attack.name) for point in points]
        complete = len(found) == self.draws and None not in found
        return max(each for each in found if each is not None) if complete else None

    def _safe(self) -> list[Setting]:
        """The settings whose risk was within the bound at every draw, and that keep more than shuffled keys do."""
        return [
            each
            for each in self.settings.values()
            if each.seeds >= self.draws and each.highest[self.risk] <= self.max_risk and not self.like_shuffled(each)
        ]

    def _lost(self, setting: Setting) -> float:
        return setting.mean[self.loss]

    def promising(self, recipe: Recipe) -> bool:
        """Whether the first draw is within the bound and its loss is hardly above that of the best setting."""
        risk, loss = self.figures(recipe)
        setting = self.settings.get(str(recipe))
        if setting is None or self.like_shuffled(setting):
            return False
        return risk <= self.max_risk and (self.best is None or loss < PROMISING * self.best.mean[self.loss])

    def figures(self, recipe: Recipe) -> tuple[float, float]:
        """The highest risk and the mean loss of a recipe; a figure that could not be measured counts as infinite."""
        setting = self.settings.get(str(recipe))
        if setting is None:
            return 1e6, 1e6
        return setting.highest[self.risk], setting.mean[self.loss]

    def aims(self, space: SearchSpace) -> Iterator[Recipe]:
        """Recipes not tried yet that should meet the bound and lose less than the best, the most promising first."""
        points = [(self.recipes[text], *self.figures(self.recipes[text])) for text in self.settings]
        for guess in guesses(space, points, self.max_risk):
            if self.best is not None and guess.loss >= self.best.mean[self.loss]:
                return
            if self.is_new(guess.recipe):
                yield guess.recipe

    def parent(self, rng: np.random.Generator) -> Recipe:
        """One of the recipes on the frontier that are next to the bound."""
        ahead = [each for each in self.map().frontier(self.risk, self.loss) if each.highest[self.risk] <= 1.0]
        near = sorted(ahead, key=lambda each: abs(each.highest[self.risk] - self.max_risk))[:PARENTS]
        chosen = near[rng.integers(len(near))]
        if self.best is not None and rng.random() < 0.3:
            chosen = self.best
        return Recipe.from_dict({"steps": list(chosen.steps)})

    @property
    def safest(self) -> Setting:
        """The setting of least risk."""
        if not self.settings:
            raise SdcError(
                f"{self.risk} and {self.loss} could not be measured on any release of this file; where no row belongs "
                "to a record, as in a full synthesis, bound another risk: attribute-inference or singling-out"
            )
        return min(self.settings.values(), key=lambda each: (each.highest[self.risk], each.mean[self.loss]))

    def map(self) -> RiskUtilityMap:
        """Every point so far."""
        kinds = {each.name: each.kind for each in self.experiment.measures}
        return RiskUtilityMap(tuple(self.points), kinds, len(self.experiment.data), self.skipped)

    def _keep(self, recipe: Recipe, outcome: Outcome) -> None:
        outcomes = self.outcomes.setdefault(str(recipe), [])
        outcomes.append(outcome)
        self.masked += 1
        if outcome.point is None:
            self.skipped.setdefault(str(recipe), outcome.problem)
            return
        self.points.append(outcome.point)
        setting = Setting.of([each.point for each in outcomes if each.point is not None])
        if self.risk in setting.mean and self.loss in setting.mean and np.isfinite(self._both(setting)).all():
            self.settings[str(recipe)], self.recipes[str(recipe)] = setting, recipe
        self._write(outcome.point, setting)

    def _both(self, setting: Setting) -> list[float]:
        return [setting.highest[self.risk], setting.mean[self.loss]]

    def _write(self, point: Point, setting: Setting) -> None:
        if self.trail is None:
            return
        line = point.to_dict() | {"setting": setting.label, "number": len(self.points)}
        with without_space(self.trail), self.trail.open("a", encoding="utf-8") as handle:
            handle.write(to_json(line) + "\n")
            handle.flush()
            os.fsync(handle.fileno())
