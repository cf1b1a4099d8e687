"""Reliability: how often the claims of an intruder are correct, by the confidence stated."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.chart import AFTER, BEFORE, GUESSING, Chart, drawn
from sdckit.evaluation.attack import Attack
from sdckit.evaluation.dossier import Dossier
from sdckit.measure import Score

NEEDS = ("attack",)


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """The chart of the dossier's attack."""
    chart = None if dossier.attack is None else reliability(dossier.attack)
    return () if chart is None else (chart,)


def reliability(attack: Attack) -> Chart | None:
    """The share of correct claims over the confidence stated, by intruder; None where no intruder states any.

    On the diagonal, confidence and correctness agree.
    """
    records = tuple(record for score in attack.intruders for record in _records(score))
    colours = {score.name: AFTER if score is attack.ordinary else GUESSING for score in attack.intruders}
    return Chart("Correct claims by the confidence stated", records, _spec(colours)) if records else None


def _records(score: Score) -> list[dict[str, Any]]:
    return [
        {
            "intruder": score.name,
            "stated": drawn(each["stated"]),
            "correct": drawn(each["correct"]),
            "low": drawn(each["interval"][0]),
            "high": drawn(each["interval"][1]),
            "claims": each["count"],
        }
        for each in score.details.get("calibration", ())
    ]


def _spec(colours: Mapping[str, str]) -> dict[str, Any]:
    axis = {"format": "~%", "values": [0, 0.25, 0.5, 0.75, 1]}
    share = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    x = {"field": "stated", **share, "axis": {**axis, "title": "confidence stated", "grid": False}}
    y = {**share, "axis": {**axis, "title": "claims that are correct"}}
    colour = {
        "field": "intruder",
        "type": "nominal",
        "scale": {"domain": list(colours), "range": list(colours.values())},
    }
    diagonal = {
        "data": {"values": [{"stated": 0, "correct": 0}, {"stated": 1, "correct": 1}]},
        "mark": {"type": "line", "color": BEFORE, "strokeDash": [5, 4], "strokeWidth": 1.5},
        "encoding": {"x": x, "y": {"field": "correct", **y}},
    }
    intervals = {
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.45},
        "encoding": {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}, "color": colour},
    }
    points = {
        "mark": {"type": "point", "filled": True, "opacity": 0.9, "tooltip": True},
        "encoding": {
            "x": x,
            "y": {"field": "correct", **y},
            "color": colour,
            "size": {"field": "claims", "type": "quantitative", "scale": {"range": [40, 420]}, "legend": None},
        },
    }
    return {"height": 300, "layer": [diagonal, intervals, points]}
