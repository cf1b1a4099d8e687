"""Risk–utility map: every setting as a dot, the frontier as a line, and the baselines marked."""

from typing import Any

from sdckit.charts.chart import BEFORE, FAINT, GUESSING, INK, Chart, drawn
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.measure_traits import measure_class
from sdckit.evaluation.released_setting import released_setting
from sdckit.evaluation.risk_utility_map import RiskUtilityMap, Setting
from sdckit.graph import Graph
from sdckit.microdata import Microdata

COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#9c755f", "#edc948", "#ff9da7")
FAMILIES = len(COLOURS)  # methods with a colour of their own in the legend: more cannot be distinguished
OTHERS = "(others)"
NEEDS = ("map",)


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """The map with the released setting marked; none where it has no risk or no loss."""
    swept = dossier.map
    if swept is None or not swept.risks or not swept.losses:
        return ()
    return (risk_utility_map(swept, chosen=released_setting(swept, dossier.release.recipe)),)


def map_figures(dossier: Dossier) -> dict[str, Any] | None:
    """The axes and the settings for a program; None where there is no map."""
    charts = draw(dossier, public=False)
    if dossier.map is None or not charts:
        return None
    risk, loss = dossier.map.axes()
    return {"risk": risk, "loss": loss, "settings": charts[0].records}


def risk_utility_map(
    result: RiskUtilityMap, risk: str | None = None, loss: str | None = None, chosen: str = ""
) -> Chart:
    """The means over the seeds, with the range of the risk; `chosen` is the label of the setting that was released.

    Drag to move, scroll to zoom, and click a method in the legend to see it alone.
    """
    risk, loss = result.axes(risk, loss)
    frontier = [setting.label for setting in result.frontier(risk, loss)]
    named = _named(result, frontier)
    records: list[dict[str, Any]] = []
    for setting in result.settings:
        if risk not in setting.mean or loss not in setting.mean:
            continue
        records.append(
            {
                "setting": setting.label,
                "method": "baseline" if setting.baseline else setting.method if setting.method in named else OTHERS,
                "risk": drawn(setting.mean[risk]),
                "loss": drawn(setting.mean[loss]),
                "on the frontier": setting.label in frontier,
                "released": setting.label == chosen,
            }
            | _range_over_draws(setting, risk)
        )
    note = "A dot is the mean over the random draws of a setting; the line is the frontier."
    return Chart(
        f"Loss ({loss}) against risk ({risk})", tuple(records), _spec(risk, loss, _unit(result), named, records), note
    )


def _range_over_draws(setting: Setting, risk: str) -> dict[str, Any]:
    """The range of the risk over the draws, where the map has it."""
    if risk not in setting.lowest:
        return {}
    low, high = drawn(setting.lowest[risk]), drawn(setting.highest[risk])
    return {"risk from": low, "risk to": high, "draws": setting.seeds}


def _named(result: RiskUtilityMap, frontier: list[str]) -> list[str]:
    """The methods with a colour of their own: those on the frontier first."""
    ahead = [each.method for label in frontier for each in result.settings if each.label == label]
    every = [each.method for each in result.settings if not each.baseline]
    return list(dict.fromkeys([*ahead, *every]))[:FAMILIES]


def _unit(result: RiskUtilityMap) -> str:
    """What the rows of the file are: nodes where a measure of graphs applied, otherwise records."""
    measures = (measure_class(name) for name in (*result.risks, *result.losses))
    return Graph.unit if any(each is not None and each.domain is Graph for each in measures) else Microdata.unit


def _spec(risk: str, loss: str, unit: str, named: list[str], records: list[dict[str, Any]]) -> dict[str, Any]:
    with_range = any("draws" in each for each in records)
    far_right = 0.8 * max((each["risk"] for each in records), default=1.0)
    colours = dict(zip(named, COLOURS, strict=False))
    if any(each["method"] == OTHERS for each in records):
        colours[OTHERS] = BEFORE
    room = {"padding": 10, "nice": False}  # a dot on the edge is drawn whole, and no axis goes below 0
    x = {
        "field": "risk",
        "type": "quantitative",
        "scale": room,
        "axis": {"title": f"risk: {risk} (share of {unit}s)", "format": "~%", "labelBound": True, "tickCount": 10},
    }
    y = {"field": "loss", "type": "quantitative", "scale": room, "axis": {"title": f"loss: {loss}"}}
    tooltip = [
        {"field": "setting"},
        {"field": "risk", "format": ".2%"},
        {"field": "loss", "format": ".4"},
        {"field": "on the frontier"},
    ]
    if with_range:
        ends = ({"field": field, "format": ".2%"} for field in ("risk from", "risk to"))
        tooltip += [*ends, {"field": "draws"}]
    line = {
        "transform": [{"filter": "datum['on the frontier']"}],
        "mark": {"type": "line", "interpolate": "step-after", "color": INK, "strokeWidth": 1, "opacity": 0.6},
        "encoding": {"x": x, "y": y, "order": {"field": "risk", "type": "quantitative"}},
    }
    dots = {
        "transform": [{"filter": "datum.method !== 'baseline'"}],
        "params": [
            {"name": "method", "select": {"type": "point", "fields": ["method"]}, "bind": "legend"},
            {"name": "view", "select": "interval", "bind": "scales"},
        ],
        "mark": {"type": "circle", "size": 60},
        "encoding": {
            "x": x,
            "y": y,
            "tooltip": tooltip,
            "color": {
                "field": "method",
                "type": "nominal",
                "scale": {"domain": list(colours), "range": list(colours.values())},
                "legend": {"columns": 4, "labelLimit": 180},
            },
            "opacity": {"condition": {"param": "method", "value": 0.9}, "value": 0.08},
            "size": {"condition": {"test": "datum['on the frontier']", "value": 110}, "value": 45},
        },
    }
    ranges = {
        "transform": [{"filter": "datum['on the frontier']"}],
        "mark": {"type": "rule", "color": FAINT, "opacity": 0.5},
        "encoding": {"x": {**x, "field": "risk from"}, "x2": {"field": "risk to"}, "y": y},
    }
    baselines = {
        "transform": [{"filter": "datum.method === 'baseline'"}],
        "encoding": {"x": x, "y": y, "tooltip": tooltip},
        "layer": [
            {"mark": {"type": "point", "shape": "cross", "size": 90, "filled": True, "color": INK}},
            {
                "mark": {
                    "type": "text",
                    "dy": {"expr": "datum.loss > 0 ? 15 : -12"},  # nothing but the axis is below 0
                    "align": {
                        "expr": f"datum.risk > {far_right:.4g} ? 'right' : 'left'"
                    },  # a name stays in the picture
                    "color": INK,
                },
                "encoding": {"text": {"field": "setting"}},
            },
        ],
    }
    released = {
        "transform": [{"filter": "datum.released"}],
        "mark": {"type": "point", "size": 260, "color": GUESSING, "strokeWidth": 2.5},
        "encoding": {"x": x, "y": y},
    }
    return {"height": 380, "layer": [*([ranges] if with_range else []), line, dots, baselines, released]}
