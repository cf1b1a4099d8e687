"""Risk–utility map: what other maskings of the same file would have given, where a sweep is at hand."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.risk_utility_map import risk_utility_map
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.risk_utility_map import USUAL_LOSS, WORST_CASE

TITLE = "Risk against utility"
ORDER = 58
FRONTIER = 12  # settings in the table


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no sweep was given, or it measured no risk or no loss."""
    if result.map is None or not result.map.risks or not result.map.losses:
        return None
    risk, loss = result.map.axes()
    chosen = released_setting(result)
    frontier = result.map.frontier()
    return {
        "chart": risk_utility_map(result.map, chosen=chosen),
        "risk": risk,
        "loss": loss,
        "worst_case": risk == WORST_CASE,
        "attacks": result.map.attacks,
        "usual": loss in USUAL_LOSS,
        "frontier": [
            {"label": each.label, "mean": each.mean, "highest": each.highest, "spread": each.deviation}
            for each in frontier[:FRONTIER]
        ],
        "with_spread": any(risk in each.highest for each in frontier),
        "more": max(len(frontier) - FRONTIER, 0),
        "tried": sum(not setting.baseline for setting in result.map.settings),
        "chosen": chosen,
    }


def map_figures(result: Assessment) -> dict[str, Any] | None:
    """The axes and the settings for a program; None where there is no map."""
    told = content(result, public=False)
    return None if told is None else {"risk": told["risk"], "loss": told["loss"], "settings": told["chart"].records}


def released_setting(result: Assessment) -> str:
    """The label of the setting on the map that is the recipe of this release; empty where it is none of them."""
    if result.map is None or result.release.recipe is None:
        return ""
    steps = [{key: value for key, value in step.items() if key != "attributes"} for step in _steps(result)]
    for setting in result.map.settings:
        told = [{key: value for key, value in step.items() if key != "attributes"} for step in setting.steps]
        if len(told) == len(steps) and all(
            part.items() <= whole.items() for part, whole in zip(told, steps, strict=True)
        ):
            return setting.label
    return ""


def _steps(result: Assessment) -> list[dict[str, Any]]:
    assert result.release.recipe is not None
    steps: list[dict[str, Any]] = result.release.recipe.to_dict()["steps"]
    return steps
