"""Evidence: a waterfall by attribute for each of the most confident claims. It names records: never published."""

from typing import Any

from sdckit.charts.chart import AFTER, BOUND, GUESSING, Chart, drawn
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.evidence import Explanation
from sdckit.formatting import percent

PUBLIC = False  # names records
NEEDS = ("attack",)
KINDS = {"for the claimed row": AFTER, "for the next row": GUESSING, "next row impossible": BOUND}
SHOWN = 0.05  # smaller weights are added up
ROOM = 0.45  # of the axis, right of the bars, for their labels


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """One waterfall for each record that the attack explains."""
    explained = () if dossier.attack is None else dossier.attack.explanations
    return tuple(waterfall(each) for each in explained if each.weights)


def waterfall(explanation: Explanation) -> Chart:
    """The log-likelihood ratio of the claimed row and the next one, attribute by attribute.

    A weight that makes the next row impossible is infinite: its bar goes to the end of the axis.
    """
    finite = [each for each in explanation.weights if not each.decisive]
    reach = max(sum(max(each.log_ratio, 0.0) for each in finite), 1.0)
    records: list[dict[str, Any]] = []
    level, rest = 0.0, 0.0
    for each in finite:
        if abs(each.log_ratio) < SHOWN:
            rest += each.log_ratio
            continue
        records.append(_bar(each.label, level, level + each.log_ratio, f"{each.log_ratio:+.1f}"))
        level += each.log_ratio
    if abs(rest) >= SHOWN:
        records.append(_bar("other attributes", level, level + rest, f"{rest:+.1f}"))
        level += rest
    records += [
        _bar(each.label, level, max(reach, level) * 1.3, "impossible", "next row impossible")
        for each in explanation.weights
        if each.decisive
    ]
    title = f"Record {explanation.record + 1}: {percent(explanation.confidence)} confidence"
    return Chart(title, tuple(records), _spec(records))


def _bar(label: str, start: float, end: float, text: str, kind: str = "") -> dict[str, Any]:
    return {
        "attributes": label,
        "start": drawn(start),
        "end": drawn(end),
        "label": text,
        "kind": kind or ("for the claimed row" if end >= start else "for the next row"),
    }


def _spec(records: list[dict[str, Any]]) -> dict[str, Any]:
    ends = [0.0, *(record[side] for record in records for side in ("start", "end"))]
    room = max(ends) + ROOM * (max(ends) - min(ends))
    y = {"field": "attributes", "type": "nominal", "sort": None, "axis": {"title": None}}
    scale = {"domain": [min(ends), room], "nice": False}
    axis = {"title": "logarithm of the likelihood ratio", "titleAnchor": "end", "tickCount": 4}
    colour = {"field": "kind", "type": "nominal", "scale": {"domain": list(KINDS), "range": list(KINDS.values())}}
    bars = {
        "mark": {"type": "bar", "tooltip": True, "minBandSize": 8},
        "encoding": {
            "y": y,
            "x": {"field": "start", "type": "quantitative", "axis": axis, "scale": scale},
            "x2": {"field": "end"},
            "color": {**colour, "legend": None},
        },
    }
    labels = {
        "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 11},
        "transform": [{"calculate": "max(datum.start, datum.end)", "as": "right"}],
        "encoding": {"y": y, "x": {"field": "right", "type": "quantitative"}, "text": {"field": "label"}},
    }
    return {"height": {"step": 22}, "layer": [bars, labels]}
