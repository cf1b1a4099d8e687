"""Correlations: before, after and difference in the internal edition; of the released file alone in the public one."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.correlations import correlations, measured, released_correlations
from sdckit.evaluation.assess import Assessment

TITLE = "Correlations"
ORDER = 70


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None with fewer than two ordered attributes."""
    if public:
        chart = released_correlations(result.release.masked, measured(result))
        return None if chart is None else {"charts": (chart,)}
    charts = correlations(result)
    return None if charts is None else {"charts": charts}
