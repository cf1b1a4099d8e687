"""Trials: mask a file by a recipe, measure the release, and keep the point on disk, so that no work is done twice."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import sdckit
from sdckit.catalogue import entries
from sdckit.errors import AnalysisError, NotApplicableError, ParameterError, SdcError
from sdckit.evaluation.assess import measure_named
from sdckit.evaluation.baselines import BASELINES
from sdckit.evaluation.risk_utility_map import Point
from sdckit.files.atomic import replacing
from sdckit.intruder import Intruder
from sdckit.measure import Measure
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import parameters_of
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.schema import Schema

USUAL_RISKS = (
    "distance-linkage",
    "rank-linkage",
    "mahalanobis-linkage",
    "intersection-attack",
    "posterior-attack",
    "interval-disclosure",
)
USUAL_LOSSES = ("il1s", "il4", "il5", "probabilistic-information-loss", "contingency-table-loss")
FOR_CATEGORIES = ("mixed-linkage", "variables-loss")  # where a key has categories: the others pass over them
INFORMED = "transparency"  # the family of attacks that read the recipe
MEASURING = 0  # seed of what the measures draw: every point meets the same intruder


@dataclass(frozen=True)
class Trial:
    """A recipe (or, with none, the baseline of that name) and the seed to draw with."""

    method: str
    steps: tuple[Mapping[str, Any], ...]
    seed: int

    @classmethod
    def of(cls, recipe: Recipe, seed: int) -> "Trial":
        """The trial of a recipe; parameters that a sweep does not vary are told where they are not the usual ones."""
        name = " → ".join(step.masking.name for step in recipe.steps)
        steps = []
        for step, table in zip(recipe.steps, recipe.to_dict()["steps"], strict=True):
            usual = {
                each.name
                for each in parameters_of(type(step.masking))
                if not each.grid and getattr(step.masking, each.name) == each.default
            }
            steps.append({key: value for key, value in table.items() if key not in usual})
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
            held = self.intruder.file
            intruder += digest_of(held.file) + repr((held.columns, held.record, sorted(held.convert)))
        told = [sdckit.__version__, digest_of(self.data), intruder, *map(repr, self.measures)]
        return hashlib.sha256("\n".join(told).encode()).hexdigest()

    def cache_path(self, trial: Trial) -> Path | None:
        """Where the point of a trial is kept; another file, measure or intruder makes it another place."""
        if self.folder is None:
            return None
        told = json.dumps([self.fingerprint, trial.method, trial.steps, trial.seed], sort_keys=True, default=str)
        name = "".join(letter if letter.isalnum() else "-" for letter in trial.method.replace(" → ", "+"))
        return self.folder / f"{name[:60]}-{hashlib.sha256(told.encode()).hexdigest()[:20]}.json"

    def finished(self, trial: Trial) -> Outcome | None:
        """What was kept of a trial; None where there is nothing whole."""
        home = self.cache_path(trial)
        try:
            told = json.loads(home.read_text(encoding="utf-8")) if home is not None else None
            if not told:
                return None
            point = None if told["point"] is None else Point.from_dict(told["point"])
            return Outcome(point, told["masked"], told["problem"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # nothing whole: it is made again
            return None

    def run(self, trial: Trial, like: Outcome | None = None) -> Outcome:
        """Mask, measure and keep; `like` is the outcome of another seed, taken over where the masked file is the same.

        A recipe that the file does not suit gives no point but the reason.
        """
        try:
            release = self._release(trial)
            made = digest_of(release.masked)
            if like is not None and like.point is not None and like.masked == made:
                scores = like.point.scores
            else:
                scores = {
                    each.name: value for each in self.measures if (value := self._score(each, release)) is not None
                }
            outcome = Outcome(Point(trial.method, trial.steps, trial.seed, scores, not trial.steps), made)
        except AnalysisError:
            raise  # it would fail for every recipe
        except SdcError as reason:
            outcome = Outcome(None, problem=str(reason))
        home = self.cache_path(trial)
        if home is not None:
            told = {"point": outcome.point and outcome.point.to_dict(), "masked": outcome.masked}
            with replacing(home, force=True) as temporary:
                temporary.write_text(json.dumps(told | {"problem": outcome.problem}, default=str), encoding="utf-8")
        return outcome

    def _release(self, trial: Trial) -> Release:
        if not trial.steps:
            return BASELINES[trial.method](self.data, trial.seed)
        return protect(self.data, Recipe.from_dict({"steps": list(trial.steps)}), seed=trial.seed)

    def _score(self, measure: Measure, release: Release) -> float | None:
        """The figure; of an attack that reads the recipe, the greatest over the whole chain and each step of it alone.

        A step that a later one covers cannot be checked against a file, but an intruder may well act as if it could.
        """
        readings = [release]
        if release.recipe is not None and len(release.recipe.steps) > 1 and self._informed(measure):
            readings += [replace(release, recipe=Recipe((step,))) for step in release.recipe.steps]
        figures = []
        for reading in readings:
            try:
                figures.append(float(measure.measure(reading, self.intruder, seed=MEASURING).value))
            except NotApplicableError:
                continue
        known = [value for value in figures if np.isfinite(value)]
        return max(known) if known else (figures[0] if figures else None)

    @cached_property
    def _families(self) -> Mapping[str, str]:
        return {entry.name: entry.family for entry in entries("risk")}

    def _informed(self, measure: Measure) -> bool:
        return self._families.get(measure.name) == INFORMED


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
    """The measures named, else the usual ones for this file."""
    if measures is None:
        return usual_measures(data)
    built = tuple(measure_named(each) for each in measures)
    names = [measure.name for measure in built]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"the measure {name!r} is named twice; name it once")
    if not built:
        raise ParameterError("no measure is named; name one, or leave the list out to take the usual ones")
    return built


def usual_measures(data: Microdata) -> tuple[Measure, ...]:
    """A set of quick ones: the attacks that find most, and losses of several sorts; more where keys have categories."""
    there = {entry.name: entry for kind in ("risk", "loss") for entry in entries(kind)}
    more = FOR_CATEGORIES if data.names(kind=Kind.CATEGORICAL, role=Role.KEY) else ()
    losses = [name for name in USUAL_LOSSES if name in there] or [entry.name for entry in entries("loss")]
    names = dict.fromkeys((*USUAL_RISKS, *more, *losses))
    return tuple(there[name].build() for name in names if name in there)
