"""Risk before and after: each risk with its interval, what guessing reaches, and a proven bound where there is one."""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from sdckit.charts.chart import AFTER, BEFORE, BOUND, GUESSING, Chart, drawn
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.verdict import risk_before
from sdckit.formatting import percent
from sdckit.measure import Score

LINE = 17  # pixels
WIDEST = 24  # characters of a line of a heading: as many fit beside the chart on a telephone
LINES = {"labelFontSize": 13, "labelExpr": "split(datum.label, '\\n')", "labelLineHeight": LINE, "labelLimit": 260}


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """All risks of the assessment in one chart."""
    chart = risk_before_after(dossier.assessment)
    return () if chart is None else (chart,)


def risk_before_after(result: Assessment, headings: Mapping[str, str] | None = None) -> Chart | None:
    """Every risk of the release and of the unmasked file; None where no risk was measured.

    With `headings`, the risks named there, each with its heading. An attack on the recipe is compared with the main
    attack on the unmasked file that needs none.
    """
    if headings is None:
        headings = {score.name: "" for score in result.of_kind("risk")}
    records = []
    for name, heading in headings.items():
        label = "\n".join([*wrap(heading, WIDEST), name])
        before = risk_before(result, result[name])
        if before is not None:
            records.append(_record("before", before, label))
        records.append(_record("after", result[name], label))
    if not records:
        return None
    return Chart("Risk before and after masking", tuple(records), _spec(records))


def _record(stage: str, score: Score, label: str) -> dict[str, Any]:
    low, high = score.interval or (None, None)
    return {
        "risk": label,
        "measure": score.name,
        "stage": stage,
        "value": drawn(score.value),
        "label": percent(score.value),
        "low": drawn(low),
        "high": drawn(high),
        "baseline": drawn(score.baseline),
        "bound": drawn(score.bound),
    }


def _spec(records: list[dict[str, Any]]) -> dict[str, Any]:
    share = {
        "type": "quantitative",
        "axis": {"format": "~%", "title": None, "values": [0, 0.25, 0.5, 0.75, 1]},
        "scale": {"domain": [0, 1], "clamp": True},
    }
    y = {"field": "risk", "type": "nominal", "sort": None, "title": None, "axis": LINES}
    offset = {"field": "stage", "type": "nominal", "sort": ["before", "after"]}
    kinds = {"before": BEFORE, "after": AFTER, "guessing": GUESSING, "proven bound": BOUND}
    has = {
        "before": any(each["stage"] == "before" for each in records),
        "after": True,
        "guessing": any(each["baseline"] is not None for each in records),
        "proven bound": any(each["bound"] is not None for each in records),
    }
    shown = [kind for kind in kinds if has[kind]]
    colour = {"type": "nominal", "scale": {"domain": shown, "range": [kinds[kind] for kind in shown]}}
    position = {"y": y, "yOffset": offset}
    by_stage = {**position, "color": {"field": "stage", **colour}}
    tooltip = [
        {"field": "measure", "type": "nominal"},
        {"field": "stage", "type": "nominal"},
        *(
            {"field": field, "type": "quantitative", "format": ".2%", "title": title}
            for field, title in (("value", "risk"), ("low", "from"), ("high", "to"), ("baseline", "guessing"))
        ),
    ]
    layers: list[dict[str, Any]] = [
        {
            "transform": [{"filter": "datum.low !== null"}],
            "mark": {"type": "rule", "strokeWidth": 6, "opacity": 0.35, "strokeCap": "round"},
            "encoding": {**by_stage, "x": {"field": "low", **share}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 110, "opacity": 1},
            "encoding": {**by_stage, "x": {"field": "value", **share}, "tooltip": tooltip},
        },
        _label("datum.value <= 0.85", "left", 14, position, share),
        _label("datum.value > 0.85", "right", -14, position, share),
    ]
    for field, kind in (("baseline", "guessing"), ("bound", "proven bound")):
        if has[kind]:
            layers.append(
                {
                    "transform": [{"filter": f"datum.{field} !== null && datum.stage === 'after'"}],
                    "mark": {"type": "tick", "thickness": 3, "size": 22, "opacity": 1},
                    "encoding": {**position, "color": {"datum": kind}, "x": {"field": field, **share}},
                }
            )
    lines = max(each["risk"].count("\n") + 1 for each in records)
    step = max(30, -(-LINE * (lines + 1) // (1 + has["before"])))
    return {"height": {"step": step, "for": "offset"}, "layer": layers}


def _label(when: str, align: str, dx: int, position: dict[str, Any], share: dict[str, Any]) -> dict[str, Any]:
    """The figure beside its point, on the side where there is room."""
    return {
        "transform": [{"filter": when}],
        "mark": {"type": "text", "align": align, "dx": dx, "fontSize": 12, "fontWeight": 600, "dy": -11},
        "encoding": {
            **position,
            "x": {"field": "value", **share},
            "text": {"field": "label", "type": "nominal"},
        },
    }
