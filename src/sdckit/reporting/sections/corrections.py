"""Corrections: what researchers can undo with the published recipe, from the released file alone."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.measure import number

TITLE = "Corrections for researchers"
ORDER = 75


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no correction was asked for, or the recipe tells none."""
    told = [each for each in result.corrections if number(each.corrected) is not None]
    if not told:
        return None
    return {"estimates": [each.to_dict() for each in told], "untold": len(result.corrections) - len(told)}
