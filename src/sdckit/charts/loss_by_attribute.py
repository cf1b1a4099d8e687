"""Loss by attribute: which attribute lost most, by which measure."""

from collections.abc import Iterable

from sdckit.charts.chart import Chart, drawn
from sdckit.charts.figures_by_measure import figures_by_measure
from sdckit.evaluation.dossier import Dossier
from sdckit.measure import Score

LIMIT = 30  # attributes in one picture: more rows than this nobody reads


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """All losses of the assessment that have a figure for each attribute."""
    chart = loss_by_attribute(dossier.assessment.of_kind("loss"))
    return () if chart is None else (chart,)


def loss_by_attribute(scores: Iterable[Score]) -> Chart | None:
    """Losses with a figure for each attribute; `relative` is that figure as a share of the measure's largest."""
    detailed = [score for score in scores if score.by_attribute]
    names = list(dict.fromkeys(name for score in detailed for name in score.by_attribute or ()))
    if not detailed or len(names) < 2:
        return None
    worst = {score.name: max(score.by_attribute.values()) for score in detailed if score.by_attribute}
    relative = {
        (score.name, name): value / worst[score.name] if worst[score.name] > 1e-9 else 0.0
        for score in detailed
        for name, value in (score.by_attribute or {}).items()
    }
    ranked = sorted(names, key=lambda name: -sum(relative.get((score.name, name), 0.0) for score in detailed))
    records = tuple(
        {
            "attribute": name,
            "measure": score.name,
            "value": drawn((score.by_attribute or {})[name]),
            "relative": drawn(relative[score.name, name]),
        }
        for name in ranked[:LIMIT]
        for score in detailed
        if name in (score.by_attribute or {})
    )
    left = len(ranked) - LIMIT
    figure = {
        "text": {"field": "value", "type": "quantitative", "format": ".3~g"},
        "color": {"condition": {"test": "datum.relative > 0.65", "value": "white"}, "value": "#26313d"},
    }
    rows = {"field": "attribute", "title": None}
    spec = figures_by_measure(rows, worst, "relative", ["#f2f5f8", "#0067a8"], figure)
    note = f"The {LIMIT} attributes that lost most are shown; {left} that lost less are left out." if left > 0 else ""
    return Chart("Loss by attribute (darker: closer to the largest loss by that measure)", records, spec, note)
