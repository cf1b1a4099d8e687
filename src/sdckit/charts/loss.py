"""Loss: the information loss by each measure; 0 means no loss."""

from collections.abc import Iterable

from sdckit.charts.chart import AFTER, Chart, drawn
from sdckit.evaluation.dossier import Dossier
from sdckit.measure import Score


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """All losses of the assessment in one chart."""
    chart = loss(dossier.assessment.of_kind("loss"))
    return () if chart is None else (chart,)


def loss(scores: Iterable[Score]) -> Chart | None:
    """Losses of a release side by side; None where there is none."""
    records = tuple({"measure": score.name, "value": drawn(score.value)} for score in scores)
    if not records:
        return None
    y = {"field": "measure", "type": "nominal", "sort": None, "title": None, "axis": {"labelFontSize": 13}}
    x = {"field": "value", "type": "quantitative", "axis": {"title": None, "tickCount": 5}, "scale": {"nice": True}}
    spec = {
        "height": {"step": 30},
        "encoding": {"y": y, "x": x},
        "layer": [
            {"mark": {"type": "bar", "height": 14, "cornerRadiusEnd": 3, "color": AFTER, "tooltip": True}},
            {
                "mark": {"type": "text", "align": "left", "dx": 6, "fontWeight": 600},
                "encoding": {"text": {"field": "value", "type": "quantitative", "format": ".3~g"}},
            },
        ],
    }
    return Chart("Information loss", records, spec)
