"""Figures of the strip: the worst attack, the loss and the policy, as plain values that may be kept."""

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


def quick_assessment(
    release: Release,
    intruder: Intruder,
    progress: Progress,
    *,
    kinds: tuple[str, ...] = ("risk", "loss"),
    few: int | None = None,
) -> Assessment:
    """The measures of the strip that apply, and why the others do not.

    With `few`, of each kind only the first main one and what extends it, of so many records where it allows that: the
    whole release is attacked, so the share is that of all records, in a wider interval.
    """
    scores: dict[str, Score] = {}
    skipped: dict[str, str] = {}
    chosen = [each for each in measures_of_strip(release) if each.kind in kinds]
    start = by_piece(progress, len(chosen) if few is None else len(kinds))
    finished: set[str] = set()
    for measure in chosen:
        if measure.kind in finished:
            continue
        start(measure.name)
        taken = measure if few is None else of_few_records(measure, few)
        try:
            scores[measure.name] = assess(release, [taken], intruder=intruder, before=False)[measure.name]
        except NotApplicableError as reason:
            skipped[measure.name] = message_to_store(reason)
            continue
        if few is not None and not measure.extends:
            finished.add(measure.kind)
    return Assessment(release, intruder, scores, {}, skipped)


def strip_figures(result: Assessment, state: str) -> dict[str, Any]:
    """What the strip shows, as plain values: no record, no value."""
    risk, loss = headline_risk(result), headline_loss(result)
    if risk is not None:
        risk = stronger_attack(result, risk) or risk
    return {
        "state": state,
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
