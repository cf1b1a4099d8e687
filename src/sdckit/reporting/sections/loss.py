"""Loss: what the masking cost, by the measures that tell most, by attribute, and by all that was measured."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.loss import loss
from sdckit.charts.loss_by_attribute import loss_by_attribute
from sdckit.evaluation.assess import Assessment
from sdckit.reporting.main_figures import main_losses

TITLE = "Information loss"
ORDER = 80


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no loss was measured."""
    every, main = result.of_kind("loss"), main_losses(result)
    chart = loss(main)
    if chart is None:
        return None
    return {
        "chart": chart,
        "main": main,
        "every": every if len(every) > len(main) else (),
        "by_attribute": loss_by_attribute(main) or loss_by_attribute(every),
    }
