"""Risk: every risk with its interval, what guessing reaches, before and after, and how it is spread over records."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.exposure import exposure
from sdckit.charts.risk_before_after import risk_before_after
from sdckit.evaluation.assess import Assessment

TITLE = "Risk before and after"
ORDER = 40


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no risk was measured."""
    chart = risk_before_after(result)
    if chart is None:
        return None
    return {
        "chart": chart,
        "rows": [(score, result.before.get(score.name)) for score in result.of_kind("risk")],
        "guessing": any(score.baseline is not None for score in result.of_kind("risk")),
        "bounded": any(score.bound is not None for score in result.of_kind("risk")),
        "exposure": exposure(result),
    }
