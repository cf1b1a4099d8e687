"""Verdict: the risk that matters most, what it was before masking, and a judgement on it in a few words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.main_figures import is_synthesised, position, prominent
from sdckit.evaluation.measure_traits import (
    attacks_synthesis,
    extended_by,
    finds_records,
    needs_recipe,
    needs_true_links,
)
from sdckit.measure import Score

NOTHING = 1e-9  # a loss up to here is a rounding error


class Judgement(NamedTuple):
    """A few words on a risk, and their tone: `good`, `fair` or `bad`."""

    text: str
    tone: str


def headline_risk(result: Assessment) -> Score | None:
    """The main attack that was measured; without one, the strongest attack, else the highest risk of another sort.

    Where the same intruder finds more by using more, such as who lives together, that counts.

    A distance that was learnt from the true links counts only where no other attack was tried. Where all rows were
    synthesised, no row is a record's, and the attack on synthetic data that exceeds guessing most counts, or what it
    achieves on control records where there are some.
    """
    risks = result.of_kind("risk")
    if is_synthesised(result):
        on_synthesis = [score for score in risks if attacks_synthesis(score.name)]
        return max(on_synthesis, key=lambda score: score.value - (reached_anyway(score) or 0.0), default=None)
    attacks = [score for score in risks if finds_records(score.name)]
    leading = _leading(_possible(attacks) or attacks or risks)
    if leading is None:
        return None
    same_intruder = [leading, *(score for score in attacks if extended_by(score.name) == leading.name)]
    return max(same_intruder, key=lambda score: score.value)


def risk_before(result: Assessment, found: Score) -> Score | None:
    """The same attack on the unmasked file; where it needs a recipe, the main attack that needs none."""
    if found.name in result.before:
        return result.before[found.name]
    if not (finds_records(found.name) and needs_recipe(found.name)):
        return None
    attacks = (score for score in result.before.values() if finds_records(score.name))
    return _leading(_possible(score for score in attacks if not needs_recipe(score.name)))


def stronger_attack(result: Assessment, found: Score) -> Score | None:
    """The strongest attack that re-identifies clearly more than the headline: more than its interval reaches."""
    if not finds_records(found.name):
        return None
    highest = found.interval[1] if found.interval else found.value
    others = _possible(score for score in result.of_kind("risk") if finds_records(score.name))
    return max((each for each in others if each.value > highest), key=lambda score: score.value, default=None)


def reached_anyway(found: Score) -> float | None:
    """What does not come from being in the file: the success on control records, else that of guessing."""
    control = found.details.get("control")
    return float(control) if isinstance(control, int | float) else found.baseline


def judgement(found: Score, before: Score | None) -> Judgement:
    """The risk compared with guessing or with control records, and with that of the unmasked file."""
    if "excess_interval" in found.details and found.details["excess_interval"][0] <= 0:
        return Judgement("No more than on people who are not in the file", "good")
    lower_end = found.interval[0] if found.interval else found.value
    reference = reached_anyway(found)
    if found.value == 0 or (reference is not None and lower_end <= reference):
        return Judgement("No better than guessing", "good")
    if before is not None and found.value > before.value / 2:
        return Judgement("Risk hardly reduced", "bad")
    if before is not None:
        return Judgement("Risk reduced, but not removed", "fair")
    if found.value > 0.5:
        return Judgement("Most records are exposed", "bad")
    return Judgement("Some risk remains", "fair")


def judgement_of(result: Assessment) -> Judgement | None:
    """The judgement on the headline risk, or on a stronger attack where one was measured: the stricter counts.

    An attack that finds less although its intruder knows more has a wrong idea of how the file was masked.
    """
    found = headline_risk(result)
    if found is None:
        return None
    counted = stronger_attack(result, found) or found
    return judgement(counted, risk_before(result, counted))


def uses_published_method(result: Assessment) -> bool:
    """Whether an attack in the result uses the published method and its parameters."""
    return any(needs_recipe(name) for name in result.scores)


def worst_attribute(result: Assessment) -> dict[str, Any] | None:
    """The attribute that is the worst by most of the losses that have a figure for each attribute."""
    by_attribute = [score.by_attribute for score in result.of_kind("loss") if score.by_attribute]
    worst = [max(figures, key=figures.__getitem__) for figures in by_attribute if max(figures.values()) > NOTHING]
    if not worst:
        return None
    name, times = Counter(worst).most_common(1)[0]
    return {"name": name, "times": times, "of": len(worst)}


def _leading(scores: Sequence[Score]) -> Score | None:
    """The score whose measure comes first among the main figures, the highest of several that do, else the highest.

    Of a graph whose nodes have attributes, the intruder who uses these alone and the one who uses links too come first.
    """
    main = [score for score in prominent(scores) if finds_records(score.name)]
    first = [score for score in main if position(score.name) == position(main[0].name)]
    return max(first or scores, key=lambda score: score.value, default=None)


def _possible(attacks: Iterable[Score]) -> list[Score]:
    """Those that an intruder could carry out: without the true links."""
    return [score for score in attacks if not needs_true_links(score.name)]
