"""Figures by measure: a table of shaded cells, one column per measure."""

from collections.abc import Iterable, Sequence
from typing import Any

from sdckit.charts.chart import axis_of_measures


def figures_by_measure(
    rows: dict[str, Any], measures: Iterable[str], shade: str, colours: Sequence[str], figure: dict[str, Any]
) -> dict[str, Any]:
    """The spec of the table: `shade` is the field, from 0 to 1, that colours a cell, `figure` encodes its text."""
    return {
        "height": {"step": 24},
        "encoding": {
            "x": {
                "field": "measure",
                "type": "nominal",
                "sort": None,
                "title": None,
                "axis": axis_of_measures(measures),
            },
            "y": {"type": "nominal", "sort": None, **rows},
        },
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "white", "strokeWidth": 2, "cornerRadius": 3, "tooltip": True},
                "encoding": {
                    "color": {
                        "field": shade,
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": list(colours)},
                        "legend": None,
                    }
                },
            },
            {"mark": {"type": "text", "fontSize": 11}, "encoding": figure},
        ],
    }
