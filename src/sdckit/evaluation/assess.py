"""Assess: every measure that applies to a release, in one result."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sdckit.catalogue import entries, find
from sdckit.component_text import parsed
from sdckit.errors import NotApplicableError, ParameterError, SdcError
from sdckit.evaluation.attack import Attack
from sdckit.evaluation.risk_utility_map import RiskUtilityMap
from sdckit.formatting import between, figure, html_table, percent
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.release import Release

if TYPE_CHECKING:
    from sdckit.evaluation.corrections import Estimate
    from sdckit.evaluation.gate import Verdict


@dataclass(frozen=True, eq=False)
class Assessment(Mapping[str, Score]):
    """The scores of a release by name; `before` holds the risks of the untouched file, `skipped` what did not apply.

    Where they were asked for, `attack` holds what openness costs, `map` what other maskings would give, `gate` what a
    policy says, and `corrections` what researchers can correct with the recipe.
    """

    release: Release
    intruder: Intruder
    scores: Mapping[str, Score]
    before: Mapping[str, Score] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    attack: Attack | None = None
    map: RiskUtilityMap | None = None
    gate: "Verdict | None" = None
    corrections: "tuple[Estimate, ...]" = ()

    def __getitem__(self, name: str) -> Score:
        if name not in self.scores:
            raise KeyError(f"{name} was not measured{': ' + self.skipped[name] if name in self.skipped else ''}")
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def of_kind(self, kind: str) -> tuple[Score, ...]:
        """The scores of one kind, `risk` or `loss`."""
        return tuple(score for score in self.scores.values() if score.kind == kind)

    def to_dict(self, *, by_record: bool = False) -> dict[str, Any]:
        """Plain values for JSON: no record, no original value and no seed unless figures by record are asked for."""
        release = self.release
        return {
            "records": len(release.original),
            "released_records": len(release.masked),
            "attributes": [each.name for each in release.masked.attributes],
            "recipe": release.recipe.to_dict()["steps"] if release.recipe else None,
            "scores": [score.to_dict(by_record=by_record) for score in self.scores.values()],
            "before": [score.to_dict() for score in self.before.values()],
            "skipped": dict(self.skipped),
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: the risks before and after, and the losses."""
        release = self.release
        made = str(release.recipe) if release.recipe is not None else "masked elsewhere"
        risks = [
            (
                score.name,
                percent(score.value),
                between(score.interval),
                percent(score.baseline),
                percent(self.before[score.name].value) if score.name in self.before else "–",
            )
            for score in self.of_kind("risk")
        ]
        losses = [(score.name, figure(score.value), between(score.interval, figure)) for score in self.of_kind("loss")]
        caption = f"{len(release.masked):,} records · {made}"
        parts = [html_table(("risk", "after", "95% interval", "guessing", "before"), risks, caption)] if risks else []
        parts += [html_table(("loss", "value", "95% interval"), losses, "" if risks else caption)] if losses else []
        return "".join(parts)


def assess(
    release: Release,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    also: Iterable[str | Measure] = (),
    intruder: Intruder = Intruder(),
    seed: int | None = None,
    before: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Assessment:
    """Measure a release: by the measures named, else by all that apply.

    `also` names measures to take beside these, or with other parameters than the usual. A measure that is named and
    does not apply is an error; one that is not named is left out and listed, with why.
    """
    named = [measure_named(each) for each in _several(measures if measures is not None else ())]
    named += [measure_named(each) for each in _several(also)]
    wanted = {measure.name for measure in named}
    chosen = named
    if measures is None:
        usual = (entry for kind in ("risk", "loss") for entry in entries(kind) if entry.name not in wanted)
        chosen = [*named, *(entry.build() for entry in usual)]
    if not chosen:
        raise ParameterError("no measure is named; name one, or leave the list out to take all that apply")
    names = [measure.name for measure in chosen]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"the measure {name!r} is named twice; assess twice to compare its parameters")
    scores: dict[str, Score] = {}
    earlier: dict[str, Score] = {}
    skipped: dict[str, str] = {}
    untouched = release.untouched() if before else None
    for measure in chosen:
        if progress is not None:
            progress(measure.name)
        try:
            scores[measure.name] = _named(measure, measure.measure(release, intruder, seed=seed))
        except NotApplicableError as reason:
            if measure.name in wanted:
                raise NotApplicableError(f"{measure.name} does not apply: {reason}") from None
            skipped[measure.name] = str(reason)
            continue
        if untouched is not None and measure.kind == "risk":
            with suppress(NotApplicableError):  # an attack on a method has nothing to say of a file without one
                earlier[measure.name] = _named(measure, measure.measure(untouched, intruder, seed=seed))
    if not scores:
        raise SdcError(f"no measure applies to this release: {next(iter(skipped.values()), 'there are none')}")
    return Assessment(release, intruder, scores, earlier, skipped)


def _several(measures: str | Measure | Iterable[str | Measure]) -> Iterable[str | Measure]:
    return [measures] if isinstance(measures, str | Measure) else measures


def measure_named(measure: str | Measure) -> Measure:
    """A measure, or the one that a text such as `interval-disclosure:widest=0.2` names."""
    if isinstance(measure, Measure):
        return measure
    written = parsed(measure)
    name = written.name
    built = find(None, name).build(**written.values)
    if not isinstance(built, Measure):
        raise ParameterError(f"{name!r} is a masking; name a risk or a loss")
    return built


def _named(measure: Measure, score: Score) -> Score:
    return replace(score, name=measure.name, kind=measure.kind)
