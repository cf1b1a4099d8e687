"""Assess: the risks and losses of a release that does not fit into memory, each with how exact its figure is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sdckit.engines import class_growth_figures, key_figures, loss_figures
from sdckit.engines.engine import Engine
from sdckit.engines.exactness import Exactness
from sdckit.engines.in_columns import columns_of, score_in_columns
from sdckit.engines.key_classes import KeyClasses, key_classes
from sdckit.engines.pair import Pair
from sdckit.engines.pair_statistics import PairStatistics
from sdckit.engines.parts import WorkingFile
from sdckit.engines.sampled_attacks import TARGETS, attacks_a_sample, score_of_sample
from sdckit.errors import NotApplicableError, NotMeasuredError, message_to_store
from sdckit.evaluation.measurement import quick_measures
from sdckit.measure import Measure, Score
from sdckit.progress import NoProgress, Progress

IN_COLUMNS = "it needs its columns in memory, and is measured where it is named (--measure)"
BY_NAME = f"it attacks a sample of {TARGETS:,} records where it is named (--measure)"


@dataclass(frozen=True, eq=False)
class EngineAssessment:
    """The scores of a release by name, the risks of the unmasked file, what was left out, and how exact each is."""

    pair: Pair
    scores: Mapping[str, Score]
    before: Mapping[str, Score]
    skipped: Mapping[str, str]
    exactness: Mapping[str, Exactness] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: no record and no original value."""
        header, recipe = self.pair.masked.header, self.pair.recipe
        return {
            "records": self.pair.records,
            "released_records": self.pair.records,
            "attributes": [each.name for each in header.attributes],
            "recipe": recipe.to_dict()["steps"] if recipe else None,
            "scores": [
                score.to_dict() | {"exactness": self.exactness[name].value} for name, score in self.scores.items()
            ],
            "before": [score.to_dict() for score in self.before.values()],
            "skipped": dict(self.skipped),
        }


@dataclass(frozen=True, eq=False)
class EngineMeasurement:
    """Measures a release; what several measures need is computed once."""

    pair: Pair
    engine: Engine
    progress: Progress = NoProgress()
    keys: tuple[str, ...] | None = None
    memory: int = 2**62
    seed: int | None = None

    @cached_property
    def statistics(self) -> PairStatistics:
        """The sums that losses follow from."""
        return PairStatistics(self.pair, self.engine, self.progress)

    @cached_property
    def classes(self) -> KeyClasses:
        """The classes of the released keys."""
        return self._classes(self.pair.masked)

    @cached_property
    def classes_before(self) -> KeyClasses:
        """The classes of the original keys."""
        return self._classes(self.pair.original)

    def _classes(self, file: WorkingFile) -> KeyClasses:
        return key_classes(file, self.engine, self.keys or self.pair.keys(), memory=self.memory)

    @cached_property
    def classes_of_all_keys(self) -> tuple[KeyClasses, KeyClasses]:
        """The classes of the original and of the released keys by every key, whatever the intruder knows."""
        if self.keys is None:
            return self.classes_before, self.classes
        names, files = self.pair.keys(), (self.pair.original, self.pair.masked)
        before, after = (key_classes(file, self.engine, names, memory=self.memory) for file in files)
        return before, after

    def refuse_without_memory(self, measures: Iterable[Measure]) -> None:
        """Refuse a measure whose columns or classes do not fit into the memory allowed, before anything is measured."""
        every = tuple(measures)
        refuse_unmeasurable(every, self.pair, self.memory, self.keys)
        for measure in every:
            try:
                for classes in self._compared_by(measure):
                    classes.refuse_without_memory()
            except NotMeasuredError as reason:
                raise NotMeasuredError(f"{measure.name} cannot be measured: {reason}") from None
            except NotApplicableError:
                continue  # such as no key at all: said where it is measured

    def _compared_by(self, measure: Measure) -> tuple[KeyClasses, ...]:
        """The classes that a measure compares."""
        if key_figures.figure_of(measure) is not None:
            return self.classes_before, self.classes
        return () if class_growth_figures.figure_of(measure) is None else self.classes_of_all_keys

    def score(self, measure: Measure) -> Score:
        """The score of the release."""
        return self.score_and_exactness(measure)[0]

    def score_and_exactness(self, measure: Measure) -> tuple[Score, Exactness]:
        """The score of the release, and how exact it is."""
        score, exactness = self._measured(measure)
        return _named(measure, score), exactness

    def _measured(self, measure: Measure) -> tuple[Score, Exactness]:
        if key_figures.figure_of(measure) is not None:
            return key_figures.score_of(measure, self.classes), Exactness.EXACT
        growth = class_growth_figures.figure_of(measure)
        if growth is not None:
            return growth(*self.classes_of_all_keys), Exactness.EXACT
        if attacks_a_sample(measure):
            score = score_of_sample(measure, self.pair, self.memory, self.keys, seed=self.seed)
            return score, Exactness.SAMPLED
        figure = loss_figures.figure_of(measure)
        if figure is None:
            return score_in_columns(measure, self.pair, self.memory, self.keys, self.seed)
        if not self.statistics.names:
            raise NotApplicableError("no ordered attribute of the original has a value")
        return figure(self.statistics), Exactness.EXACT

    def score_before(self, measure: Measure) -> Score:
        """The score of the unmasked file, for a risk."""
        return _named(measure, key_figures.score_of(measure, self.classes_before))


def _named(measure: Measure, score: Score) -> Score:
    return replace(score, name=measure.name, kind=measure.kind)


def in_parts(measure: Measure) -> bool:
    """Whether a measure is taken of all records, part by part."""
    return any(each.figure_of(measure) is not None for each in (key_figures, class_growth_figures, loss_figures))


def assess(
    pair: Pair,
    engine: Engine,
    measures: Iterable[Measure] | None = None,
    *,
    keys: tuple[str, ...] | None = None,
    memory: int = 2**62,
    seed: int | None = None,
    progress: Progress = NoProgress(),
) -> EngineAssessment:
    """Measure a release in parts: by the measures named, else by the quick ones that are taken part by part."""
    named = None if measures is None else tuple(measures)
    measurement = EngineMeasurement(pair, engine, progress, keys, memory, seed)
    measurement.refuse_without_memory(filter(in_parts, quick_measures()) if named is None else named)
    scores: dict[str, Score] = {}
    before: dict[str, Score] = {}
    skipped: dict[str, str] = {}
    exactness: dict[str, Exactness] = {}
    for measure in quick_measures() if named is None else named:
        if named is None and not in_parts(measure):
            skipped[measure.name] = BY_NAME if attacks_a_sample(measure) else IN_COLUMNS
            continue
        try:
            scores[measure.name], exactness[measure.name] = measurement.score_and_exactness(measure)
        except NotApplicableError as reason:
            if named is not None:
                raise NotApplicableError(f"{measure.name} does not apply: {reason}") from None
            skipped[measure.name] = message_to_store(reason)
            continue
        if key_figures.figure_of(measure) is not None:
            before[measure.name] = measurement.score_before(measure)
    return EngineAssessment(pair, scores, before, skipped, exactness)


def refuse_unmeasurable(
    measures: Iterable[Measure], pair: Pair, memory: int, keys: tuple[str, ...] | None = None
) -> None:
    """Refuse a measure whose columns do not fit into the memory allowed, before anything is measured."""
    for measure in measures:
        if in_parts(measure) or attacks_a_sample(measure):
            continue
        try:
            columns_of(measure, pair, memory, keys)
        except NotApplicableError as reason:
            raise NotApplicableError(f"{measure.name} does not apply: {reason}") from None
