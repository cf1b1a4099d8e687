"""Transparency: what publishing method and parameters costs, where the recipe is known."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.known_attributes import known_attributes
from sdckit.evaluation.assess import Assessment

TITLE = "If method and parameters are public"
ORDER = 45


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no informed intruder was let loose."""
    found = result.attack
    if found is None or not found.informed:
        return None
    intersection = found.informed.get("intersection-attack")
    return {
        "known": len(found.attributes),
        "ordinary": found.ordinary.value,
        "worst": found.worst.value,
        "cost": max(found.worst.value - found.ordinary.value, 0.0),
        "certain": intersection.details.get("certain_matches") if intersection else None,
        "chart": known_attributes(found),
    }
