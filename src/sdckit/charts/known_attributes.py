"""Known attributes: records re-identified by the number of attributes known, with and without the method."""

from sdckit.charts.chart import AFTER, GUESSING, Chart, drawn
from sdckit.evaluation.attack import Attack
from sdckit.evaluation.dossier import Dossier

NEEDS = ("attack",)
SERIES = {"ordinary": "has only the released file", "informed": "also knows method and parameters"}


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """The chart of the dossier's attack."""
    return () if dossier.attack is None else (known_attributes(dossier.attack, dossier.release.original.unit),)


def known_attributes(attack: Attack, unit: str = "record") -> Chart:
    """Two lines over the number of attributes known; the gap between them is the cost of transparency."""
    records = tuple(
        {"known": each.known, "intruder": label, "re-identified": drawn(getattr(each, series))}
        for each in attack.curve
        for series, label in SERIES.items()
        if getattr(each, series) is not None
    )
    highest = max((each.informed or each.ordinary for each in attack.curve), default=0.0)
    spec = {
        "height": 260,
        "mark": {"type": "line", "point": {"filled": True, "size": 60}, "strokeWidth": 2.5, "tooltip": True},
        "encoding": {
            "x": {
                "field": "known",
                "type": "quantitative",
                "axis": {
                    "title": "attributes known",
                    "grid": False,
                    "values": [each.known for each in attack.curve],
                    "format": "d",
                },
            },
            "y": {
                "field": "re-identified",
                "type": "quantitative",
                "axis": {"format": "~%", "title": f"{unit}s re-identified", "tickCount": 5},
                "scale": {"domain": [0, 1]} if highest > 0.5 else {"zero": True, "nice": True},
            },
            "color": {
                "field": "intruder",
                "type": "nominal",
                "scale": {"domain": list(SERIES.values()), "range": [AFTER, GUESSING]},
            },
        },
    }
    return Chart(f"{unit.capitalize()}s re-identified, by number of attributes known", records, spec)
