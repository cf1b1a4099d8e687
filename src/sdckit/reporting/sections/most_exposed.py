"""Most exposed: the record numbers of those at highest risk, in the internal edition only."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.most_exposed import most_exposed
from sdckit.evaluation.assess import Assessment
from sdckit.reporting.main_figures import main_risks

TITLE = "Who is most exposed"
ORDER = 50


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None in public, and where no record stands out."""
    chart = None if public else most_exposed(risk.score for risk in main_risks(result))
    return None if chart is None else {"chart": chart}
