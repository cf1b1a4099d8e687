"""Main figures: of all that was measured, the few that say most; terminal and report show these first."""

from collections.abc import Container
from dataclasses import dataclass

from sdckit.evaluation.assess import Assessment
from sdckit.measure import Score
from sdckit.reporting.words import words

FEW = 8  # figures of a kind that are all shown
ATTACKS = {  # the strongest of each family
    "linkage": "Found by an ordinary intruder",
    "transparency": "Found by who knows the method",
    "worst_case": "Best distance over numbers",
}
OTHERS = {
    "uniqueness": "Alone with their keys",
    "attribute-inference": "Confidential values guessed",
    "interval-disclosure": "Values near what is published",
}
LOSSES = (
    "user-analysis-loss",
    "probabilistic-information-loss",
    "il1s",
    "il5",
    "contingency-table-loss",
    "propensity-loss",
)


@dataclass(frozen=True)
class MainRisk:
    """A risk and what it is a share of; `more` are figures that belong to it, in words."""

    heading: str
    score: Score
    more: tuple[tuple[str, float], ...] = ()


def main_risks(result: Assessment, named: Container[str] = ()) -> tuple[MainRisk, ...]:
    """The strongest attack of each sort of intruder, who stands alone, what is learnt, and what was asked for by name.

    Where few risks were measured, or none of these, all of them.
    """
    risks = result.of_kind("risk")
    headings = _strongest(risks) | {name: told for name, told in OTHERS.items() if name in result}
    if len(risks) <= FEW or not headings:
        headings = {score.name: headings.get(score.name, words(score.name).title) for score in risks}
    asked = {score.name: words(score.name).title for score in risks if score.name in named}
    return tuple(MainRisk(told, result[name], _more(result, name)) for name, told in (asked | headings).items())


def main_losses(result: Assessment, named: Container[str] = ()) -> tuple[Score, ...]:
    """The few losses that tell most, one of each sort, and what was asked for by name; where few were measured, all."""
    losses = result.of_kind("loss")
    told = {name: result[name] for name in LOSSES if name in result}
    asked = {score.name: score for score in losses if score.name in named}
    return losses if len(losses) <= FEW or not told else tuple((asked | told).values())


def _strongest(risks: tuple[Score, ...]) -> dict[str, str]:
    """The attack of each family that finds most, by name."""
    found = {}
    for family, heading in ATTACKS.items():
        attacks = [score for score in risks if words(score.name).family == family]
        if attacks:
            found[max(attacks, key=lambda score: (score.value, score.bound or 0.0)).name] = heading
    return found


def _more(result: Assessment, name: str) -> tuple[tuple[str, float], ...]:
    """Who is found for certain by an attack that knows the method, and the smallest group of those who look alike."""
    if words(name).family == "transparency":
        told = result.scores.get("intersection-attack", result[name]).details.get("certain_matches")
        return () if told is None else (("for certain", float(told)),)
    smallest = result[name].details.get("smallest_class")
    return () if smallest is None else (("smallest group (k)", float(smallest)),)
