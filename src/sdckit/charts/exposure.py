"""Exposure: the distribution of a risk over the records, since an average can hide single records at high risk."""

from collections.abc import Iterable

import numpy as np

from sdckit.charts.chart import AFTER, Chart, drawn
from sdckit.evaluation.dossier import Dossier
from sdckit.measure import Score

BINS = 20


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """One histogram for each risk that has figures by record."""
    return exposure(dossier.assessment.of_kind("risk"), dossier.release.original.unit)


def exposure(scores: Iterable[Score], unit: str = "record") -> tuple[Chart, ...]:
    """One histogram of the figures by record for each risk that has them."""
    return tuple(chart for score in scores if (chart := _histogram(score, unit)) is not None)


def _histogram(score: Score, unit: str) -> Chart | None:
    if score.by_record is None:
        return None
    judged = score.by_record[np.isfinite(score.by_record)]
    if len(judged) == 0:
        return None
    counts, edges = np.histogram(np.clip(judged, 0, 1), bins=BINS, range=(0, 1))
    records = tuple(
        {"from": drawn(low), "to": drawn(high), "share": drawn(count / len(judged))}
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    )
    spec = {
        "height": 150,
        "mark": {"type": "bar", "color": AFTER, "binSpacing": 1, "tooltip": True},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "bin": {"binned": True, "step": 1 / BINS},
                "axis": {
                    "format": "~%",
                    "title": f"risk of the {unit}",
                    "grid": False,
                    "values": [0, 0.5, 1],
                },
                "scale": {"domain": [0, 1]},
            },
            "x2": {"field": "to"},
            "y": {
                "field": "share",
                "type": "quantitative",
                "axis": {"format": "~%", "title": f"share of {unit}s", "tickCount": 4},
            },
        },
    }
    return Chart(score.name, records, spec)
