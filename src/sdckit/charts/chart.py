"""Chart: plain records and the Vega-Lite spec that draws them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

# Distinguishable with every kind of colour vision, and printed in grey.
BEFORE = "#a3abb5"
AFTER = "#0067a8"
GUESSING = "#d55e00"
BOUND = "#6a3d7c"
INK = "#26313d"
FAINT = "#5b6875"

THEME: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": FAINT,
        "titleColor": FAINT,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "gridColor": "#e8ebef",
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
        "labelLimit": 220,
    },
    "legend": {
        "orient": "top",
        "title": None,
        "labelColor": FAINT,
        "titleColor": FAINT,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "symbolType": "circle",
        "symbolOpacity": 1,
        "labelLimit": 320,
    },
    "text": {"color": INK, "fontSize": 12},
    "bar": {"color": AFTER},
}

# A diverging scale, for figures below and above 0.
BELOW_AND_ABOVE = ["#b35806", "#f7f7f7", "#0067a8"]

# The axis of an attribute's values: 20k for 20,000, and 0 as 0.
VALUES: dict[str, Any] = {
    "title": None,
    "grid": False,
    "tickCount": 4,
    "labelFlush": True,
    "labelExpr": "datum.value === 0 ? '0' : format(datum.value, '~s')",
}


@dataclass(frozen=True)
class Chart:
    """A title, the records behind the picture, and how to draw them; `note` is a caption."""

    title: str
    records: tuple[dict[str, Any], ...]
    spec: Mapping[str, Any] = field(repr=False)
    note: str = ""

    def vega_lite(self) -> dict[str, Any]:
        """The whole specification, for any Vega-Lite viewer."""
        return {
            "$schema": SCHEMA,
            "description": self.title,
            "data": {"values": list(self.records)},
            "width": "container",
            "autosize": {"type": "fit-x", "contains": "padding"},
            **self.spec,
            "config": THEME,
        }

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        from sdckit.charts.picture import svg

        return svg(self)


def label_angle(names: Sequence[str]) -> int:
    """The angle of the names below a matrix: vertical where they are many, so that they do not overlap."""
    return -45 if len(names) <= 8 else -90


def axis_of_measures(names: Iterable[str]) -> dict[str, Any]:
    """The axis of measures above a table: a name of several words takes as many lines, and many names are vertical.

    Columns of a phone are too narrow for more than three names side by side.
    """
    line, every = 14, list(names)
    if len(every) > 3:
        return {"orient": "top", "labelAngle": -90, "labelLimit": 200, "labelOverlap": False}
    hyphens = max((name.count("-") for name in every), default=0)
    return {
        "orient": "top",
        "labelAngle": 0,
        "labelExpr": "split(replace(datum.label, /-/g, '-\\n'), '\\n')",
        "labelLineHeight": line,
        "labelBaseline": "top",
        "labelPadding": line * (hyphens + 1) + 4,
        "labelOverlap": False,
    }


def drawn(value: float | None) -> float | None:
    """A figure to six digits, so that rounding errors are not drawn as figures; None where there is none.

    >>> drawn(3.0e-16), drawn(0.1234567891), drawn(float("nan"))
    (0.0, 0.123457, None)
    """
    if value is None or not math.isfinite(value):
        return None
    return 0.0 if abs(value) < 1e-9 else float(f"{value:.6g}")
