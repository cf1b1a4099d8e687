"""Loss by attribute: which attribute suffers, by which measure."""

from collections.abc import Iterable

from sdckit.charts.chart import Chart, drawn
from sdckit.charts.figures_by_measure import figures_by_measure
from sdckit.measure import Score

LIMIT = 30  # attributes in one picture: more rows than this nobody reads


def loss_by_attribute(scores: Iterable[Score]) -> Chart | None:
    """Losses told by attribute; `relative` is the figure as a share of that measure's worst attribute."""
    told = [score for score in scores if score.by_attribute]
    names = list(dict.fromkeys(name for score in told for name in score.by_attribute or ()))
    if not told or len(names) < 2:
        return None
    worst = {score.name: max(score.by_attribute.values()) for score in told if score.by_attribute}
    relative = {
        (score.name, name): value / worst[score.name] if worst[score.name] > 1e-9 else 0.0
        for score in told
        for name, value in (score.by_attribute or {}).items()
    }
    ranked = sorted(names, key=lambda name: -sum(relative.get((score.name, name), 0.0) for score in told))
    records = tuple(
        {
            "attribute": name,
            "measure": score.name,
            "value": drawn((score.by_attribute or {})[name]),
            "relative": drawn(relative[score.name, name]),
        }
        for name in ranked[:LIMIT]
        for score in told
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
    return Chart("Loss by attribute (darker: nearer to that measure's worst)", records, spec, note)
