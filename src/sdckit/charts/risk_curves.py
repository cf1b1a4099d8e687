"""Risk curves: how risks decrease as a masking becomes stronger, one line for each size of file."""

from collections.abc import Mapping, Sequence
from typing import Any

from sdckit.charts.chart import AFTER, BOUND, GUESSING, INK, Chart, drawn

LABEL = "format(datum.value, ',')"
FAR_TICKS = [0, *(lead * 10**power for power in range(6) for lead in (1, 2, 5))]
DASHES = {"minimal": [4, 3], "maximal": [1, 0]}


def risk_curves(title: str, rows: Sequence[Mapping[str, Any]], strength: str) -> Chart:
    """Rows with `records`, `strength`, `risk` and `value` as curves; a strength above 1 is on a log scale."""
    records = tuple(
        {
            "strength": drawn(float(row["strength"])),
            "value": drawn(float(row["value"])),
            "risk": row["risk"],
            "records": f"{row['records']:,} records",
        }
        for row in rows
    )
    sizes = list(dict.fromkeys(record["records"] for record in records))
    shown = list(dict.fromkeys(record["risk"] for record in records))
    far = any(row["strength"] > 1 for row in rows)
    encoding = {
        "x": {
            "field": "strength",
            "type": "quantitative",
            "scale": {"type": "symlog" if far else "linear"},
            "axis": {"title": strength, "grid": False, "labelExpr": LABEL} | ({"values": FAR_TICKS} if far else {}),
        },
        "y": {
            "field": "value",
            "type": "quantitative",
            "axis": {"title": "disclosure risk (dashed: minimal)", "format": "~%"},
            "scale": {"domain": [0, 1]},
        },
        "color": {
            "field": "records",
            "type": "nominal",
            "scale": {"domain": sizes, "range": [AFTER, GUESSING, BOUND, INK][: len(sizes)]},
        },
        "strokeDash": {
            "field": "risk",
            "type": "nominal",
            "scale": {"domain": shown, "range": [DASHES.get(each, [2, 2]) for each in shown]},
            "legend": None,
        },
    }
    spec = {"height": 260, "mark": {"type": "line", "point": {"size": 30}, "tooltip": True}, "encoding": encoding}
    return Chart(title, records, spec)
