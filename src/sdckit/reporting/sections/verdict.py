"""Verdict: what an intruder would find, against guessing and against before, what it cost, and what is not known."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.measure import Score
from sdckit.reporting.main_figures import main_losses
from sdckit.reporting.sections.not_tested import knows_no_method_aware_attack
from sdckit.reporting.words import words

TITLE = "Verdict"
ORDER = 10
FINDING = ("transparency", "linkage")  # families whose figure is a share of records found
LEARNT = ("worst_case",)  # found with the true links at hand: told where nothing else was tried


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """Headline figures and a verdict in plain language."""
    found = headline_risk(result)
    before = risk_before(result, found) if found else None
    return {
        "found": found,
        "before": before,
        "judgement": judgement(found, before) if found else None,
        "finds": found is not None and finds_records(found),
        "losses": main_losses(result),
        "worst": worst_attribute(result),
        "method_aware": not knows_no_method_aware_attack(result),
        "skipped": tuple(result.skipped),
    }


def headline_risk(result: Assessment) -> Score | None:
    """The attack that finds most records; without one, the highest risk of another sort."""
    risks = result.of_kind("risk")
    return max(_finding(risks) or _finding(risks, LEARNT) or risks, key=lambda score: score.value, default=None)


def finds_records(score: Score) -> bool:
    """Whether a risk is the share of records that an attack finds."""
    return words(score.name).family in (*FINDING, *LEARNT)


def risk_before(result: Assessment, found: Score) -> Score | None:
    """The same attack on the file as it was; where it needs a recipe, the attack that finds most without one."""
    if found.name in result.before:
        return result.before[found.name]
    return max(_finding(result.before.values()), key=lambda score: score.value, default=None)


def judgement(found: Score, before: Score | None) -> tuple[str, str]:
    """A word on the risk and its tone: against guessing, and against the file released as it was."""
    reached = found.interval[0] if found.interval else found.value
    if found.value == 0 or (found.baseline is not None and reached <= found.baseline):
        return "No better than guessing", "good"
    if before is not None and found.value > before.value / 2:
        return "Risk hardly reduced", "bad"
    if before is not None:
        return "Risk reduced, not gone", "fair"
    return ("Most records are exposed", "bad") if found.value > 0.5 else ("Some risk remains", "fair")


def _finding(risks: Iterable[Score], families: Container[str] = FINDING) -> list[Score]:
    return [score for score in risks if words(score.name).family in families]


def worst_attribute(result: Assessment) -> dict[str, Any] | None:
    """The attribute that is the worst by most of the losses told by attribute."""
    told = [score.by_attribute for score in result.of_kind("loss") if score.by_attribute]
    worst = [max(figures, key=figures.__getitem__) for figures in told if max(figures.values()) > 1e-9]
    if not worst:
        return None
    name, times = Counter(worst).most_common(1)[0]
    return {"name": name, "times": times, "of": len(worst)}
