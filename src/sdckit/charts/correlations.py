"""Correlations: heat maps of the original, the masked file and their difference. Before is original: internal only."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.charts.chart import BELOW_AND_ABOVE, Chart, drawn, steep
from sdckit.errors import NotApplicableError
from sdckit.evaluation.assess import Assessment
from sdckit.kernels.pairwise_correlations import pairwise_correlations
from sdckit.microdata import Microdata

LIMIT = 20  # attributes in one heat map: more cells than this cannot be told apart


def correlations(result: Assessment) -> tuple[Chart, Chart, Chart] | None:
    """Before, after and difference over the ordered attributes; where they are too many, those that changed most."""
    names = measured(result)
    if len(names) < 2:
        return None
    before = _correlation(result.release.original, names)
    after = _correlation(result.release.masked, names)
    moved = np.abs(after - before).sum(axis=0)
    kept = np.sort(np.argsort(-moved, kind="stable")[:LIMIT])
    left = len(names) - len(kept)
    note = f"The {LIMIT} attributes whose correlations changed most are shown; {left} are left out." if left else ""
    names = [names[place] for place in kept]
    square = np.ix_(kept, kept)
    difference = (after - before)[square]
    reach = max(0.05, float(np.abs(difference).max()))
    return (
        heat_map("Before", names, before[square], 1.0, note),
        heat_map("After", names, after[square], 1.0, note),
        heat_map("Difference (after − before)", names, difference, reach, note),
    )


def released_correlations(masked: Microdata, names: Sequence[str]) -> Chart | None:
    """The correlations of the masked file alone, fit to be published."""
    shown = list(names)[:LIMIT]
    if len(shown) < 2:
        return None
    left = len(names) - len(shown)
    note = f"The first {LIMIT} attributes are shown; {left} are left out." if left else ""
    return heat_map("Correlations of the released file", shown, _correlation(masked, shown), 1.0, note)


def measured(result: Assessment) -> list[str]:
    """The ordered attributes that losses are measured on, none where there are none."""
    try:
        return list(result.release.evaluated_attributes())
    except NotApplicableError:
        return []


def heat_map(title: str, names: Sequence[str], matrix: NDArray[np.float64], reach: float, note: str) -> Chart:
    """A square of coloured cells from −reach to reach, with the figures in them where there is room."""
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
                "axis": {**axis, "labelAngle": steep(names)},
            },
            "y": {"field": "row", "type": "nominal", "sort": None, "title": None, "axis": axis},
        },
        "layer": [cell, figure] if len(names) <= 8 else [cell],
    }
    return Chart(title, records, spec, note)


def _correlation(data: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
    return pairwise_correlations(data.matrix(names))
