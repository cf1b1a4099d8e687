"""Loss: what the masking cost, by measure and by attribute."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.loss import loss
from sdckit.charts.loss_by_attribute import loss_by_attribute
from sdckit.evaluation.assess import Assessment

TITLE = "Information loss"
ORDER = 80


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no loss was measured."""
    chart = loss(result)
    if chart is None:
        return None
    return {"chart": chart, "by_attribute": loss_by_attribute(result), "scores": result.of_kind("loss")}
