"""Correlations: heat maps of the original, the masked file and their difference. Before is original: internal only."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.charts.chart import BELOW_AND_ABOVE, Chart, drawn, label_angle
from sdckit.errors import NotApplicableError
from sdckit.evaluation.dossier import Dossier
from sdckit.kernels.pairwise_correlations import pairwise_correlations
from sdckit.microdata import Microdata
from sdckit.release import Release

LIMIT = 20  # attributes in one heat map: more cells cannot be distinguished


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """Before, after and difference; in public the released file alone. None with fewer than two attributes."""
    if public:
        chart = released_correlations(dossier.release.masked, ordered_attributes(dossier.release))
        return () if chart is None else (chart,)
    return correlations(dossier.release) or ()


def correlations(release: Release) -> tuple[Chart, Chart, Chart] | None:
    """Before, after and difference over the ordered attributes; where they are too many, those that changed most."""
    names = ordered_attributes(release)
    if len(names) < 2:
        return None
    before = _correlation(release.original, names)
    after = _correlation(release.masked, names)
    change = np.abs(after - before).sum(axis=0)
    chosen = np.sort(np.argsort(-change, kind="stable")[:LIMIT])
    left = len(names) - len(chosen)
    note = f"The {LIMIT} attributes whose correlations changed most are shown; {left} are left out." if left else ""
    names = [names[index] for index in chosen]
    square = np.ix_(chosen, chosen)
    difference = (after - before)[square]
    reach = max(0.05, float(np.abs(difference).max()))
    return (
        heat_map("Before", names, before[square], 1.0, note),
        heat_map("After", names, after[square], 1.0, note),
        heat_map("Difference (after − before)", names, difference, reach, note),
    )


def released_correlations(masked: Microdata, names: Sequence[str]) -> Chart | None:
    """The correlations of the masked file alone, for publication."""
    shown = list(names)[:LIMIT]
    if len(shown) < 2:
        return None
    left = len(names) - len(shown)
    note = f"The first {LIMIT} attributes are shown; {left} are left out." if left else ""
    return heat_map("Correlations of the released file", shown, _correlation(masked, shown), 1.0, note)


def ordered_attributes(release: Release) -> list[str]:
    """The ordered attributes that losses are measured on, none where there are none."""
    try:
        return list(release.evaluated_attributes())
    except NotApplicableError:
        return []


def heat_map(title: str, names: Sequence[str], matrix: NDArray[np.float64], reach: float, note: str) -> Chart:
    """A matrix of coloured cells from −reach to reach, with the figures in them where there is room."""
    records = tuple(
        {"row": row, "column": column, "value": drawn(round(float(matrix[i, j]), 3))}
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    )
    axis = {"labelLimit": 90, "labelFontSize": 11}
    cell = {
        "mark": {"type": "rect", "stroke": "white", "strokeWidth": 1, "tooltip": True},
        "encoding": {
            "color": {
                "field": "value",
                "type": "quantitative",
                "scale": {"domain": [-reach, 0, reach], "range": BELOW_AND_ABOVE},
                "legend": {"format": ".2~f", "gradientThickness": 8, "gradientLength": 120, "tickCount": 3},
            }
        },
    }
    figure = {
        "mark": {"type": "text", "fontSize": 10},
        "encoding": {
            "text": {"field": "value", "type": "quantitative", "format": ".2f"},
            "color": {
                "condition": {"test": f"abs(datum.value) > {0.6 * reach:g}", "value": "white"},
                "value": "#26313d",
            },
        },
    }
    spec = {
        "height": max(120, 26 * len(names)),
        "encoding": {
            "x": {
                "field": "column",
                "type": "nominal",
                "sort": None,
                "title": None,
                "axis": {**axis, "labelAngle": label_angle(names)},
            },
            "y": {"field": "row", "type": "nominal", "sort": None, "title": None, "axis": axis},
        },
        "layer": [cell, figure] if len(names) <= 8 else [cell],
    }
    return Chart(title, records, spec, note)


def _correlation(data: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
    return pairwise_correlations(data.matrix(names))
