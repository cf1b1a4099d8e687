"""Most exposed: a table of the records with the highest risks. It names records, so no public document has it."""

from collections.abc import Iterable

from sdckit.charts.chart import Chart, drawn
from sdckit.charts.figures_by_measure import figures_by_measure
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.most_exposed import most_exposed_records
from sdckit.measure import Score

PUBLIC = False
LIMIT = 20


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """The records with the highest mean of all risks."""
    chart = most_exposed(dossier.assessment.of_kind("risk"), dossier.release.original.unit)
    return () if chart is None else (chart,)


def most_exposed(scores: Iterable[Score], unit: str = "record", limit: int = LIMIT) -> Chart | None:
    """The records with the highest mean risk, with each of their risks; records are numbered as in the file, from 1."""
    exposed = most_exposed_records(scores, limit)
    if exposed is None:
        return None
    records = tuple(
        {"record": record + 1, "measure": name, "value": drawn(figures[record])}
        for record in exposed.records
        for name, figures in exposed.risks.items()
    )
    note = (
        f"{unit.title()}s left out that are as exposed as the last one shown: {exposed.tied:,}." if exposed.tied else ""
    )
    figure = {"text": {"field": "value", "type": "quantitative", "format": ".0%"}}
    rows = {"field": "record", "title": f"{unit} number"}
    spec = figures_by_measure(rows, exposed.risks, "value", ["#fdf1e7", "#e8924f"], figure)
    return Chart(f"Most exposed {unit}s", records, spec, note)
