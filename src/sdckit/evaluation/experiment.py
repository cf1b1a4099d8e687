"""Trials: mask a file by a recipe, measure the release, and keep the point on disk, so that no work is done twice."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import sdckit
from sdckit.errors import AnalysisError, NotApplicableError, SdcError
from sdckit.evaluation.baselines import BASELINES
from sdckit.evaluation.measurement import Measurement, headline_measures, named_measures, without_recipe
from sdckit.evaluation.risk_utility_map import Point
from sdckit.files.atomic import OWNER_ONLY, replacing
from sdckit.intruder import Intruder
from sdckit.measure import Composite, Measure
from sdckit.microdata import Microdata
from sdckit.parameters import parameters_of
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.schema import Schema

MEASURING = 0  # seed of what the measures draw: every point meets the same intruder


@dataclass(frozen=True)
class Trial:
    """A recipe (or, with none, the baseline of that name) and the seed to draw with."""

    method: str
    steps: tuple[Mapping[str, Any], ...]
    seed: int

    @classmethod
    def of(cls, recipe: Recipe, seed: int) -> "Trial":
        """The trial of a recipe; parameters without a grid are listed where they differ from the default."""
        name = " → ".join(step.masking.name for step in recipe.steps)
        steps = []
        for step, table in zip(recipe.steps, recipe.to_dict()["steps"], strict=True):
            defaults = {
                each.name
                for each in parameters_of(type(step.masking))
                if not each.grid and getattr(step.masking, each.name) == each.default
            }
            steps.append({key: value for key, value in table.items() if key not in defaults})
        return cls(name, tuple(steps), seed)


@dataclass(frozen=True)
class Outcome:
    """The point a trial gave, or why it gave none; `masked` is the digest of the file that was made."""

    point: Point | None
    masked: str = ""
    problem: str = ""


@dataclass(frozen=True, eq=False)
class Experiment:
    """What all trials share: the file, the measures and the intruder; with a folder, finished points are kept there."""

    data: Microdata
    measures: tuple[Measure, ...]
    intruder: Intruder = Intruder()
    folder: Path | None = None

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all that a point depends on but its recipe and its seed."""
        intruder = repr(replace(self.intruder, file=None))
        if self.intruder.file is not None:
            own = self.intruder.file
            intruder += digest_of(own.file) + repr((own.columns, own.record, sorted(own.convert)))
        parts = [sdckit.__version__, digest_of(self.data), intruder, *map(repr, self.measures)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def cache_path(self, trial: Trial) -> Path | None:
        """The file that holds the point of a trial; it differs by data, measures, intruder and version."""
        if self.folder is None:
            return None
        text = json.dumps([self.fingerprint, trial.method, trial.steps, trial.seed], sort_keys=True, default=str)
        name = "".join(letter if letter.isalnum() else "-" for letter in trial.method.replace(" → ", "+"))
        return self.folder / f"{name[:60]}-{hashlib.sha256(text.encode()).hexdigest()[:20]}.json"

    def finished(self, trial: Trial) -> Outcome | None:
        """The outcome of a trial that is on disk; None where there is none or it is incomplete."""
        path = self.cache_path(trial)
        try:
            document = json.loads(path.read_text(encoding="utf-8")) if path is not None else None
            if not document:
                return None
            point = None if document["point"] is None else Point.from_dict(document["point"])
            return Outcome(point, document["masked"], document["problem"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # incomplete: it is computed again
            return None

    def run(self, trial: Trial, like: Outcome | None = None) -> Outcome:
        """Mask, measure and keep; `like` is the outcome of another seed, copied where the masked file is the same.

        A recipe that the file does not suit gives no point but the reason.
        """
        try:
            release = self._release(trial)
            made = digest_of(release.masked)
            if like is not None and like.point is not None and like.masked == made:
                scores = like.point.scores
            else:
                scores = self._scores(release)
            outcome = Outcome(Point(trial.method, trial.steps, trial.seed, scores, not trial.steps), made)
        except AnalysisError:
            raise  # it would fail for every recipe
        except SdcError as reason:
            outcome = Outcome(None, problem=str(reason))
        path = self.cache_path(trial)
        if path is not None:
            document = {"point": outcome.point and outcome.point.to_dict(), "masked": outcome.masked}
            with replacing(path, force=True, mode=OWNER_ONLY) as temporary:
                temporary.write_text(json.dumps(document | {"problem": outcome.problem}, default=str), encoding="utf-8")
        return outcome

    def _release(self, trial: Trial) -> Release:
        if not trial.steps:
            return BASELINES[trial.method](self.data, trial.seed)
        recipe = Recipe.from_dict({"steps": list(trial.steps)})
        return protect(self.data, recipe, seed=trial.seed, allow_undeclared=True)  # it is measured, never released

    def _scores(self, release: Release) -> dict[str, float]:
        """The figures of the measures that apply.

        Of an attack on the recipe, a baseline, which has no recipe, gets the figure of the intruder who needs none.
        """
        measurement = Measurement(release, self.intruder, MEASURING)
        figures = {}
        for measure in self.measures:
            other = without_recipe(measure) if release.recipe is None else None
            with suppress(NotApplicableError):
                figures[measure.name] = float(measurement.score(other or measure).value)
        return figures


def digest_of(data: Microdata) -> str:
    """A digest of a file's values and of what they mean."""
    digest = hashlib.sha256(Schema.of(data).to_toml().encode())
    for attribute in data.attributes:
        digest.update(repr((attribute.name, attribute.categories)).encode())
        digest.update(np.ascontiguousarray(data.columns[attribute.name]).tobytes())
    if data.lineage is not None:
        digest.update(data.lineage.tobytes())
    return digest.hexdigest()


def chosen_measures(measures: Iterable[str | Measure] | None, data: Microdata) -> tuple[Measure, ...]:
    """The measures named, else the main figures for this file; the parts of a figure come after it."""
    chosen = headline_measures(data) if measures is None else named_measures(measures)
    together = {measure.name: measure for measure in chosen}
    for measure in chosen:
        if isinstance(measure, Composite):  # a part without a kind is an intermediate result
            together |= {part.name: part for part in measure.parts() if part.kind and part.name not in together}
    return tuple(together.values())
