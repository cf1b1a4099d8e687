"""Learned weights: the weights of attributes, and of pairs of them, in a worst-case distance."""

import numpy as np

from sdckit.charts.chart import AFTER, BELOW_AND_ABOVE, Chart, drawn, label_angle
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.measure import Score

PUBLIC = False  # weights by attribute
NOTHING = 0.005  # an interaction below it would be shown as 0.00


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """Weights, and interactions where there are any, of each distance that was learnt."""
    scores = learned(dossier.assessment)
    together = [chart for score in scores if (chart := interactions(score)) is not None]
    return (*(weights(score) for score in scores), *together)


def learned(result: Assessment) -> tuple[Score, ...]:
    """The scores with a proof: those of distances that were learnt."""
    return tuple(score for score in result.of_kind("risk") if "proof" in score.details and score.by_attribute)


def weights(score: Score) -> Chart:
    """The weight of each attribute in the best distance of a family, as a share of the total."""
    figures = dict(score.by_attribute or {})
    total = sum(abs(weight) for weight in figures.values()) or 1.0
    records = tuple({"attribute": name, "weight": drawn(weight / total)} for name, weight in figures.items())
    spec = {
        "height": {"step": 22},
        "mark": {"type": "bar", "color": AFTER, "tooltip": True},
        "encoding": {
            "y": {"field": "attribute", "type": "nominal", "sort": "-x", "axis": {"title": None}},
            "x": {
                "field": "weight",
                "type": "quantitative",
                "axis": {"format": "~%", "title": "share of the total weight", "tickCount": 3},
                "scale": {"domainMax": 1},
            },
        },
    }
    return Chart(score.name, records, spec)


def interactions(score: Score) -> Chart | None:
    """How much two attributes identify together beyond each by itself; None where that is nothing, or not known."""
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
    ends = float(np.abs(matrix).max())
    if ends < NOTHING:
        return None
    spec = {
        "height": {"step": 26},
        "mark": {"type": "rect", "tooltip": True},
        "encoding": {
            "x": {
                "field": "one",
                "type": "nominal",
                "sort": names,
                "axis": {"title": None, "labelAngle": label_angle(names)},
            },
            "y": {"field": "other", "type": "nominal", "sort": names, "axis": {"title": None}},
            "color": {
                "field": "interaction",
                "type": "quantitative",
                "scale": {"domain": [-ends, 0, ends], "range": BELOW_AND_ABOVE},
                "legend": {"format": ".2~f", "gradientThickness": 8, "gradientLength": 120, "tickCount": 3},
            },
        },
    }
    return Chart(f"{score.name}: interactions", records, spec)
