"""Most exposed: the records with the highest risk. It names records, so it belongs to no public document."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sdckit.charts.chart import Chart, drawn
from sdckit.charts.figures_by_measure import figures_by_measure
from sdckit.measure import Score

LIMIT = 20


def most_exposed(scores: Iterable[Score], limit: int = LIMIT) -> Chart | None:
    """The records whose risks are highest on average, with each of their risks; records count from 0.

    Risks that are the same for every record say nothing of who is exposed and are left out.
    """
    risks = _risks_by_record(scores)
    if not risks:
        return None
    total = np.sum([np.nan_to_num(figures) for figures in risks.values()], axis=0)
    ranked = np.argsort(-total, kind="stable")
    exposed = ranked[total[ranked] > 0]
    if len(exposed) == 0:
        return None
    records = tuple(
        {"record": int(record), "measure": name, "value": drawn(figures[record])}
        for record in exposed[:limit]
        for name, figures in risks.items()
    )
    tied = int((total[exposed[limit:]] == total[exposed[limit - 1]]).sum()) if len(exposed) > limit else 0
    note = f"As exposed as the last one shown, but left out: {tied:,}." if tied else ""
    figure = {"text": {"field": "value", "type": "quantitative", "format": ".1%"}}
    rows = {"field": "record", "title": "record number"}
    spec = figures_by_measure(rows, risks, "value", ["#fdf1e7", "#e8924f"], figure)
    return Chart("Most exposed records", records, spec, note)


def _risks_by_record(scores: Iterable[Score]) -> dict[str, NDArray[np.float64]]:
    """Each risk that differs between records, in the order of the original, NaN where a record was not judged."""
    found = {}
    for score in scores:
        if score.by_record is None:
            continue
        judged = score.by_record[np.isfinite(score.by_record)]
        if len(judged) and judged.min() < judged.max():
            found[score.name] = score.by_record
    return found
