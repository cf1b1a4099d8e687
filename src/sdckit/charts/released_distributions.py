"""Released distributions: the masked file alone, for publication; bins and categories of few records are hidden."""

from typing import Any

import numpy as np

from sdckit.charts.bins import BINS, round_edges, shares
from sdckit.charts.categories import category_shares
from sdckit.charts.chart import AFTER, VALUES, Chart, drawn
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.recoded_attributes import banded_categories
from sdckit.microdata import Microdata, Role

FEWEST = 10  # records a bin or category needs to be shown


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """One chart for each released attribute that is not an identifier."""
    masked = dossier.release.masked
    names = masked.names(role=set(Role) - {Role.IDENTIFIER, Role.HOUSEHOLD})
    return tuple(released_distribution(masked, name) for name in names)


def released_distribution(masked: Microdata, name: str) -> Chart:
    """One attribute of the masked file: no edge of a bin is a value, and no bin has fewer than ten records."""
    bands = masked.attribute(name).bands
    if bands is not None and None not in bands.labels:
        masked = banded_categories(masked, name, bands)
    if masked.attribute(name).coded:
        records, left = category_shares({"after": masked}, name, FEWEST)
        large = tuple(each for each in records if each["share"] * len(masked) >= FEWEST - 0.5)
        spec = {
            "height": {"step": 20},
            "mark": {"type": "bar", "color": AFTER, "cornerRadiusEnd": 2, "tooltip": True},
            "encoding": {
                "y": {"field": "category", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 120}},
                "x": {
                    "field": "share",
                    "type": "quantitative",
                    "axis": {"format": "~%", "title": None, "tickCount": 3},
                },
            },
        }
        return Chart(
            name, _rounded(large), spec, f"categories of fewer than {FEWEST} records, not shown: {left}" if left else ""
        )
    present = masked.columns[name][~masked.absent(name)]
    if len(present) < FEWEST:
        return Chart(name, (), {"mark": "bar", "height": 150}, "Too few values to show.")
    edges = round_edges(present, min(BINS, max(3, len(present) // (2 * FEWEST))))
    heights = shares(present, edges, len(masked))
    shown = heights * len(masked) >= FEWEST - 0.5
    records = tuple(
        {"from": drawn(low), "to": drawn(high), "share": drawn(share)}
        for low, high, share in zip(edges[:-1][shown], edges[1:][shown], heights[shown], strict=True)
    )
    hidden = int(np.count_nonzero(heights[~shown]))
    note = f"bins of fewer than {FEWEST} records, not shown: {hidden}" if hidden else ""
    spec = {
        "height": 150,
        "mark": {"type": "bar", "color": AFTER, "binSpacing": 1, "tooltip": True},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "bin": {"binned": True},
                "scale": {"zero": False, "nice": False},
                "axis": VALUES,
            },
            "x2": {"field": "to"},
            "y": {"field": "share", "type": "quantitative", "axis": {"format": "~%", "title": None, "tickCount": 4}},
        },
    }
    return Chart(name, _rounded(records), spec, note)


def _rounded(records: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    """Shares to a tenth of a per cent: more digits could disclose counts."""
    return tuple({**each, "share": round(each["share"], 3)} for each in records)
