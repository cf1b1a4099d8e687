"""The released setting: which point of a risk–utility map the release itself is."""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.evaluation.risk_utility_map import RiskUtilityMap
from sdckit.recipe import Recipe


def released_setting(swept: RiskUtilityMap, recipe: Recipe | None) -> str:
    """The label of the setting that is this recipe, whatever the attributes; empty where it is none of them."""
    if recipe is None:
        return ""
    steps = _without_attributes(recipe.to_dict()["steps"])
    for setting in swept.settings:
        tried = _without_attributes(setting.steps)
        if len(tried) == len(steps) and all(
            part.items() <= whole.items() for part, whole in zip(tried, steps, strict=True)
        ):
            return setting.label
    return ""


def _without_attributes(steps: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in step.items() if key != "attributes"} for step in steps]
