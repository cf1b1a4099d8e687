"""Published against ours: each printed figure against the one computed for it, and the line where the two are equal."""

from collections.abc import Mapping, Sequence
from typing import Any

from sdckit.charts.chart import AFTER, FAINT, GUESSING, Chart, drawn

SIDE = 190  # of a square, so that the line of equality is the diagonal
COLUMNS = 3
OUTCOMES = {"reproduced": AFTER, "not reproduced": GUESSING}
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]


def published_against_ours(title: str, cells: Sequence[Mapping[str, Any]]) -> Chart:
    """Cells with `figure`, `labels`, `kind`, `printed`, `ours`, `spread`, `outcome`: a square per figure of the table.

    The printed figure is on the horizontal axis, ours on the vertical one, and the colour shows the outcome.
    """
    records = tuple(
        {
            "figure": cell["figure"],
            "cell": cell["labels"],
            "printed": drawn(float(cell["printed"])),
            "ours": drawn(float(cell["ours"])),
            "low": drawn(float(cell["ours"]) - float(cell["spread"] or 0.0)),
            "high": drawn(float(cell["ours"]) + float(cell["spread"] or 0.0)),
            "outcome": cell["outcome"],
            "kind": cell["kind"],
        }
        for cell in cells
    )
    figures = list(dict.fromkeys(record["figure"] for record in records))
    squares = [_square(figure, [each for each in records if each["figure"] == figure], records) for figure in figures]
    note = "On the line ours equals what is printed; a whisker is one standard deviation of ours over the draws."
    return Chart(title, records, {"concat": squares, "columns": COLUMNS}, note)


def _square(figure: str, own: Sequence[Mapping[str, Any]], every: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    ends = [end for record in own for end in (record["printed"], record["low"], record["high"])]
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    corners = [drawn(min(ends) - room), drawn(max(ends) + room)]
    scale = {"domain": corners, "nice": False, "zero": False}
    kinds = list(dict.fromkeys(record["kind"] for record in every))
    position = {
        "x": {"field": "printed", "type": "quantitative", "scale": scale, "axis": _axis("printed in the source")},
        "y": {"field": "ours", "type": "quantitative", "scale": scale, "axis": _axis("computed by us")},
    }
    colour = {
        "field": "outcome",
        "type": "nominal",
        "scale": {"domain": list(OUTCOMES), "range": list(OUTCOMES.values())},
    }
    shape = {"field": "kind", "type": "nominal", "scale": {"domain": kinds, "range": SHAPES[: len(kinds)]}}
    tooltip = [{"field": name} for name in ("cell", "printed", "ours", "outcome")]
    equal = {
        "data": {"values": [{"printed": end, "ours": end} for end in corners]},
        "mark": {"type": "line", "color": FAINT, "strokeDash": [4, 3], "strokeWidth": 1},
        "encoding": position,
    }
    named = {
        "data": {"values": [{"printed": corners[1], "ours": corners[1]}]},
        "mark": {"type": "text", "text": "equal", "color": FAINT, "angle": 315, "align": "right", "dx": -8, "dy": -6},
        "encoding": position,
    }
    whiskers = {
        "mark": {"type": "rule", "strokeWidth": 1},
        "encoding": position
        | {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}, "color": colour},
    }
    dots = {
        "mark": {"type": "point", "filled": True, "size": 42, "opacity": 0.9},
        "encoding": position | {"color": colour, "tooltip": tooltip} | ({"shape": shape} if len(kinds) > 1 else {}),
    }
    return {
        "title": {"text": figure, "fontSize": 12, "anchor": "start"},
        "width": SIDE,
        "height": SIDE,
        "layer": [
            equal,
            named,
            {"transform": [{"filter": {"field": "figure", "equal": figure}}], "layer": [whiskers, dots]},
        ],
    }


def _axis(title: str) -> dict[str, Any]:
    return {"title": title, "tickCount": 4}
