"""Trials: mask a file by a recipe, measure the release, and keep the point on disk, so that no work is done twice."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import sdckit
from sdckit.errors import AnalysisError, NotApplicableError, SchemaError, SdcError, message_to_store
from sdckit.evaluation.baselines import BASELINES
from sdckit.evaluation.measurement import Measurement, headline_measures, named_measures, without_recipe
from sdckit.evaluation.point_store import PointStore
from sdckit.evaluation.risk_utility_map import Point
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
    """A recipe (or, with none, the baseline of that name) and the seed to draw with.

    `measures` are taken instead of those that all trials share, where they are named.
    """

    method: str
    steps: tuple[Mapping[str, Any], ...]
    seed: int
    measures: "tuple[Measure, ...] | None" = None

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

    def __post_init__(self) -> None:
        if not len(self.data):
            raise SchemaError(f"the file has no {self.data.unit}s; there is nothing to mask and to measure")

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all that a point depends on but its recipe and its seed."""
        parts = [
            *(f"{package} {version}" for package, version in self._versions()),
            digest_of(self.data),
            digest_of_intruder(self.intruder, self.data),
            *map(repr, self.measures),
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _versions(self) -> list[tuple[str, str]]:
        """The packages that the measures come from, with their versions; sdckit first."""
        packages = {type(measure).__module__.partition(".")[0] for measure in self.measures} - {"sdckit"}
        found = [("sdckit", sdckit.__version__)]
        for package in sorted(packages):
            with suppress(metadata.PackageNotFoundError):
                found.append((package, metadata.version(package)))
        return found

    @cached_property
    def store(self) -> PointStore | None:
        """Where finished points are kept; None without a folder."""
        return None if self.folder is None else PointStore.at(self.folder)

    def _subject(self, trial: Trial) -> str:
        """All that the point of a trial depends on, as text."""
        return json.dumps([self.fingerprint, trial.method, trial.steps, trial.seed], sort_keys=True, default=str)

    def cache_path(self, trial: Trial) -> Path | None:
        """The file that holds the point of a trial; it differs by data, measures, intruder and version."""
        return None if self.store is None else self.store.path(_title(trial), self._subject(trial))

    def finished(self, trial: Trial) -> Outcome | None:
        """The outcome of a trial that is on disk; None where there is none, or where it was not written by this user's
        sweep of the same data, settings and version."""
        document = None if self.store is None else self.store.read(_title(trial), self._subject(trial))
        if document is None:
            return None
        point = None if document["point"] is None else Point.from_dict(document["point"])
        return Outcome(point, document["masked"], document["problem"])

    def run(self, trial: Trial, like: Outcome | None = None) -> Outcome:
        """Mask, measure and keep; `like` is the outcome of another seed, copied where the masked file is the same.

        A recipe that the file does not suit gives no point but the reason. A trial with measures of its own is not
        kept.
        """
        if trial.measures is not None:
            alone = replace(self, measures=trial.measures, folder=None)
            return alone.run(replace(trial, measures=None), like)
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
            outcome = Outcome(None, problem=message_to_store(reason))
        if self.store is not None:
            document = {"point": outcome.point and outcome.point.to_dict(), "masked": outcome.masked}
            self.store.write(_title(trial), self._subject(trial), document | {"problem": outcome.problem})
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


def _title(trial: Trial) -> str:
    return trial.method.replace(" → ", "+")


def digest_of_intruder(intruder: Intruder, data: Microdata) -> str:
    """A digest of what an intruder knows, with the content of the files that he has beside the release."""
    parts = [repr(replace(intruder, file=None, also=()))]
    if intruder.file is not None:
        own = intruder.file
        parts += [digest_of(own.in_terms_of(data)), own.records(data).tobytes().hex(), str(own.present)]
    for other in intruder.also:
        links = None if other.row_of is None else np.asarray(other.row_of, dtype=np.int64).tobytes().hex()
        parts += [digest_of(other.masked), str(other.recipe), str(links)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def digest_of(data: Microdata) -> str:
    """A digest of a file's values and of what they mean."""
    digest = hashlib.sha256(Schema.of(data).to_toml().encode())
    for attribute in data.attributes:
        digest.update(repr((attribute.name, attribute.categories)).encode())
        digest.update(np.ascontiguousarray(data.columns[attribute.name]).tobytes())
    digest.update(data.structure(ordered=True))
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
