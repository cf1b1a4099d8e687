"""Known attributes: how the share of records found grows with what an intruder knows, method known or not."""

from sdckit.charts.chart import AFTER, GUESSING, Chart, drawn
from sdckit.evaluation.attack import Attack

SERIES = {"ordinary": "has only the file", "informed": "knows method and parameters too"}


def known_attributes(attack: Attack) -> Chart:
    """Two lines over the number of attributes known; what lies between them is the price of openness."""
    records = tuple(
        {"known": each.known, "intruder": label, "found": drawn(getattr(each, series))}
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
                "field": "found",
                "type": "quantitative",
                "axis": {"format": "~%", "title": "records found", "tickCount": 5},
                "scale": {"domain": [0, 1]} if highest > 0.5 else {"zero": True, "nice": True},
            },
            "color": {
                "field": "intruder",
                "type": "nominal",
                "scale": {"domain": list(SERIES.values()), "range": [AFTER, GUESSING]},
            },
        },
    }
    return Chart("Records found by what the intruder knows", records, spec)
