"""Risk: the main risks with interval, guessing and before, how they are spread over records, and then all others."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.exposure import exposure
from sdckit.charts.risk_before_after import risk_before_after
from sdckit.evaluation.assess import Assessment
from sdckit.report.main_figures import main_risks

TITLE = "Risk before and after"
ORDER = 40


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no risk was measured."""
    every, main = result.of_kind("risk"), main_risks(result)
    chart = risk_before_after(result, {risk.score.name: risk.heading for risk in main})
    if chart is None:
        return None
    told = {risk.score.name for risk in main}
    others = [score for score in every if score.name not in told]
    return {
        "chart": chart,
        "main": [(risk.score, result.before.get(risk.score.name), risk.heading) for risk in main],
        "every": [(score, result.before.get(score.name), "") for score in every] if others else (),
        "guessing": any(risk.score.baseline is not None for risk in main),
        "exposure": exposure(risk.score for risk in main),
        "more_exposure": exposure(others),
    }
