"""Learned weights: which attributes, and which pairs of them, a worst-case distance lives on."""

import numpy as np

from sdckit.charts.chart import AFTER, Chart, drawn
from sdckit.evaluation.assess import Assessment
from sdckit.measure import Score


def learned(result: Assessment) -> tuple[Score, ...]:
    """The scores that come with a proof: those of distances that were learnt."""
    return tuple(score for score in result.of_kind("risk") if "proof" in score.details and score.by_attribute)


def weights(score: Score) -> Chart:
    """What each attribute weighs in the best distance of a family, as a share of the whole."""
    told = dict(score.by_attribute or {})
    total = sum(abs(weight) for weight in told.values()) or 1.0
    records = tuple({"attribute": name, "weight": drawn(weight / total)} for name, weight in told.items())
    spec = {
        "height": {"step": 22},
        "mark": {"type": "bar", "color": AFTER, "tooltip": True},
        "encoding": {
            "y": {"field": "attribute", "type": "nominal", "sort": "-x", "axis": {"title": None}},
            "x": {"field": "weight", "type": "quantitative", "axis": {"format": "~%", "title": "share of the weight"}},
        },
    }
    return Chart(score.name, records, spec)


def interactions(score: Score) -> Chart | None:
    """How much two attributes say together beyond what they say alone; None where the family knows no such thing."""
    table = score.details.get("interactions")
    if table is None:
        return None
    names = list(score.by_attribute or {})
    matrix = np.asarray(table, dtype=float)
    records = tuple(
        {"one": names[i], "other": names[j], "interaction": drawn(matrix[i, j])}
        for i in range(len(names))
        for j in range(len(names))
        if i != j
    )
    ends = float(np.abs(matrix).max()) or 1.0
    spec = {
        "height": {"step": 26},
        "mark": {"type": "rect", "tooltip": True},
        "encoding": {
            "x": {"field": "one", "type": "nominal", "sort": names, "axis": {"title": None, "labelAngle": -45}},
            "y": {"field": "other", "type": "nominal", "sort": names, "axis": {"title": None}},
            "color": {
                "field": "interaction",
                "type": "quantitative",
                "scale": {"scheme": "purpleorange", "domain": [-ends, ends], "reverse": True},
                "legend": {"title": "interaction", "format": ".2f"},
            },
        },
    }
    return Chart(f"{score.name}: attributes together", records, spec)
