"""Figures of the strip: the worst attack, the loss and the policy, as plain values that may be kept."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sdckit.errors import NotApplicableError, message_to_store
from sdckit.evaluation.assess import Assessment, assess
from sdckit.evaluation.gate import Verdict
from sdckit.evaluation.main_figures import headline_loss, is_synthesised
from sdckit.evaluation.measure_traits import finds_records
from sdckit.evaluation.measurement import headline_measures, of_few_records, quick_measures
from sdckit.evaluation.verdict import headline_risk, judgement, stronger_attack
from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score, number
from sdckit.progress import Progress, by_piece
from sdckit.release import Release
from sdckit.rows import Unrelated

GUESS = "guess"  # figures of few records, shown with their interval until the firm ones are there
FIRM = "firm"


def measures_of_strip(release: Release) -> tuple[Measure, ...]:
    """The measures that sum a release up; of a synthetic file, the quick attacks on such files too."""
    if isinstance(release.rows, Unrelated):
        domain = type(release.original)
        losses = [each for each in headline_measures(release.original) if each.kind == "loss"]
        attacks = [each for each in quick_measures(domain, synthesised=True) if each.for_synthesis]
        return (*attacks, *losses)
    return headline_measures(release.original)


def quick_assessment(release: Release, intruder: Intruder, progress: Progress) -> Assessment:
    """The measures of the strip that apply, and why the others do not."""
    result = Assessment(release, intruder, {}, {}, {})
    chosen = measures_of_strip(release)
    start = by_piece(progress, len(chosen))
    for measure in chosen:
        start(measure.name)
        result = with_score(result, measure)
    return result


def first_figures(release: Release, intruder: Intruder, few: int, progress: Progress) -> Iterator[dict[str, Any]]:
    """The first main risk that applies with the first loss, then the risk of the same intruder who uses more.

    Few records are attacked where a measure allows that, but in the whole release: so the share is that of all records,
    in a wider interval. What an intruder finds who may use more is a lower bound until that is measured too.
    """
    result = Assessment(release, intruder, {}, {}, {})
    measures = [of_few_records(each, few) for each in measures_of_strip(release)]
    start = by_piece(progress, 3)
    for kind in ("risk", "loss"):
        for measure in (each for each in measures if each.kind == kind and (not each.extends or each.headline)):
            start(measure.name)
            result = with_score(result, measure)
            if measure.name in result.scores:
                break
    extensions = [each for each in measures if each.extends in result.scores]
    yield strip_figures(result, GUESS) | {"lower_bound": bool(extensions)}
    for measure in extensions:
        start(measure.name)
        result = with_score(result, measure)
    if extensions:
        yield strip_figures(result, GUESS)


def with_score(result: Assessment, measure: Measure) -> Assessment:
    """The assessment with one more measure, or with the reason why it does not apply."""
    try:
        score = assess(result.release, [measure], intruder=result.intruder, before=False)[measure.name]
    except NotApplicableError as reason:
        return replace(result, skipped={**result.skipped, measure.name: message_to_store(reason)})
    return replace(result, scores={**result.scores, measure.name: score})


def strip_figures(result: Assessment, state: str) -> dict[str, Any]:
    """What the strip shows, as plain values: no record, no value."""
    risk, loss = headline_risk(result), headline_loss(result)
    if risk is not None:
        risk = stronger_attack(result, risk) or risk
    return {
        "state": state,
        "lower_bound": False,
        "records": len(result.release.original),
        "released": len(result.release.masked),
        "graph": isinstance(result.release.original, Graph),
        "synthetic": is_synthesised(result),
        "worst": None if risk is None else _risk(risk, result),
        "loss": None if loss is None else {"name": loss.name, "value": number(loss.value)},
        "risks": [each.to_dict() for each in result.of_kind("risk")],
        "losses": [each.to_dict() for each in result.of_kind("loss")],
        "skipped": dict(result.skipped),
    }


def policy_figures(verdict: Verdict) -> dict[str, Any]:
    """Each rule with its figure and whether it is met."""
    return {
        "met": verdict.met,
        "count": sum(each.met for each in verdict.findings),
        "rules": [
            {"title": each.rule.title, "met": each.met, "text": each.description, "note": each.rule.note}
            for each in verdict.findings
        ],
    }


def _risk(score: Score, result: Assessment) -> dict[str, Any]:
    tone = judgement(score, None)
    people = finds_records(score.name)
    return {
        "name": score.name,
        "value": number(score.value),
        "interval": None if score.interval is None else [number(end) for end in score.interval],
        "people": round(score.value * len(result.release.original)) if people else None,
        "attacked": score.details.get("records_attacked"),
        "baseline": None if score.baseline is None else number(score.baseline),
        "judgement": tone.text,
        "tone": tone.tone,
    }
