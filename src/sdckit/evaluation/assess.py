"""Assess: every measure that applies to a release, in one result."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sdckit.errors import NotApplicableError, ParameterError, SdcError, message_to_store
from sdckit.evaluation.measurement import (
    Measurement,
    all_measures,
    domains_of,
    has_synthetic_values,
    named_measures,
    quick_measures,
)
from sdckit.formatting import between, figure, html_table, percent, text_table
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.progress import NoProgress, Progress, by_piece
from sdckit.release import Release
from sdckit.rows import Unknown, Unrelated, origin_of

RISK_HEADINGS = ("risk", "after", "95% interval", "guessing", "before")
LOSS_HEADINGS = ("loss", "value", "95% interval")


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Mapping[str, Score]):
    """The scores of a release by name; `before` has the risks of the unmasked file, `skipped` what did not apply."""

    release: Release
    intruder: Intruder
    scores: Mapping[str, Score]
    before: Mapping[str, Score] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)

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

    def __str__(self) -> str:
        """The scores as a table of text: the risks after and before masking, then the losses."""
        release = self.release
        made = str(release.recipe) if release.recipe is not None else "masked elsewhere"
        risks, losses = self._risk_rows(), self._loss_rows()
        parts = [f"{len(release.masked):,} records · {made}"]
        parts += [text_table(RISK_HEADINGS, risks)] if risks else []
        parts += [text_table(LOSS_HEADINGS, losses)] if losses else []
        if self.skipped:
            many = "measure does" if len(self.skipped) == 1 else "measures do"
            parts.append(f"{len(self.skipped)} {many} not apply: see `skipped`")
        return "\n\n".join(parts)

    __repr__ = __str__

    def _risk_rows(self) -> list[tuple[str, ...]]:
        return [
            (
                score.name,
                percent(score.value),
                between(score.interval),
                percent(score.baseline),
                percent(self.before[score.name].value) if score.name in self.before else "–",
            )
            for score in self.of_kind("risk")
        ]

    def _loss_rows(self) -> list[tuple[str, ...]]:
        return [(score.name, figure(score.value), between(score.interval, figure)) for score in self.of_kind("loss")]

    def _repr_html_(self) -> str:
        """What a notebook shows: the risks before and after, and the losses."""
        release = self.release
        made = str(release.recipe) if release.recipe is not None else "masked elsewhere"
        risks, losses = self._risk_rows(), self._loss_rows()
        caption = f"{len(release.masked):,} records · {made}"
        parts = [html_table(RISK_HEADINGS, risks, caption)] if risks else []
        parts += [html_table(LOSS_HEADINGS, losses, "" if risks else caption)] if losses else []
        return "".join(parts)


def assess(
    release: Release,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    also: Iterable[str | Measure] = (),
    every: bool = False,
    intruder: Intruder = Intruder(),
    seed: int | None = None,
    before: bool = True,
    progress: Progress = NoProgress(),
) -> Assessment:
    """Measure a release: by the measures named, else by the quick ones that apply.

    Parameters
    ----------
    measures
        Names (`"il1s"`, `"interval-disclosure:widest=0.2"`) or measures. A measure that is named and does not apply is
        an error; one that is not named is left out and listed, with the reason.
    also
        Measures in addition to the quick ones, or quick ones with other parameters than the default.
    every
        Use the slow measures too, such as learned distances and prediction losses, and attack all records that the
        intruder knows, instead of 1,000 at most.
    intruder
        What the intruder knows, by default every key of every record, and the method.
    seed
        Seed of the measures that draw at random.
    before
        Measure the risks of the unmasked file as well.

    Returns
    -------
    The score of each measure by name, the risks before masking, and why other measures do not apply.

    Example
    -------
    >>> from sdckit.datasets import simulate_business
    >>> from sdckit.release import protect
    >>> release = protect(simulate_business(60, seed=1), "mdav:group_size=3")
    >>> result = assess(release, ["k-anonymity", "il2"])
    >>> result["k-anonymity"].value, round(result["il2"].value, 9)
    (0.0, 0.0)
    """
    named = named_measures(measures) if measures is not None else ()
    named += named_measures(also) if also else ()
    chosen = named if measures is not None else (*named, *_default_measures(release, named, every=every))
    requested = {measure.name for measure in named}
    if len(requested) < len(named):
        raise ParameterError("a measure is named twice, in `measures` and in `also`; name it once")
    after = Measurement(release, intruder, seed, every)
    untouched = Measurement(release.untouched(), intruder, seed, every) if before else None
    scores: dict[str, Score] = {}
    earlier: dict[str, Score] = {}
    skipped: dict[str, str] = {}
    start = by_piece(progress, len(chosen))
    for measure in chosen:
        start(measure.name)
        try:
            scores[measure.name] = after.score(measure)
        except NotApplicableError as reason:
            if measure.name in requested:
                raise NotApplicableError(f"{measure.name} does not apply: {reason}") from None
            skipped[measure.name] = message_to_store(reason)
            continue
        if untouched is not None and measure.kind == "risk":
            with suppress(NotApplicableError):  # an attack on a method does not apply to a file without one
                earlier[measure.name] = untouched.score(measure)
    if not scores:
        raise SdcError(f"no measure applies to this release: {next(iter(skipped.values()), 'there are none')}")
    return Assessment(release, intruder, scores, earlier, skipped)


def _default_measures(release: Release, named: tuple[Measure, ...], *, every: bool) -> tuple[Measure, ...]:
    """The measures to take where none is named; an error where the correspondence of rows is not known."""
    if isinstance(release.rows, Unknown):
        origin_of(release.rows)
    names = {measure.name for measure in named}
    synthesised = isinstance(release.rows, Unrelated) or has_synthetic_values(release.recipe)
    chosen = (
        each
        for domain in domains_of(release.original)
        for each in (all_measures(domain) if every else quick_measures(domain, synthesised=synthesised))
    )
    return tuple(each for each in chosen if each.name not in names)
