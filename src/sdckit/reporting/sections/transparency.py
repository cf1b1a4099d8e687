"""Transparency: what publishing method and parameters costs, where the recipe is known."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.known_attributes import known_attributes
from sdckit.evaluation.assess import Assessment
from sdckit.measure import Score
from sdckit.reporting.words import words

TITLE = "If method and parameters are public"
ORDER = 45


def strongest_without_the_method(result: Assessment, linkage: Score) -> Score:
    """The linkage that finds most of those measured: who has only the file may take any of them."""
    others = (score for score in result.of_kind("risk") if words(score.name).family == "linkage")
    return max([linkage, *others], key=lambda score: score.value)


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no informed intruder was let loose."""
    found = result.attack
    if found is None or not found.informed:
        return None
    intersection = found.informed.get("intersection-attack")
    ordinary = strongest_without_the_method(result, found.ordinary)
    informed = max([ordinary, *found.informed.values()], key=lambda score: score.value)
    return {
        "known": len(found.attributes),
        "ordinary": ordinary,
        "informed": informed,
        "cost": informed.value - ordinary.value,
        "linkage": found.ordinary.name,
        "certain": intersection.details.get("certain_matches") if intersection else None,
        "chart": known_attributes(found),
    }
