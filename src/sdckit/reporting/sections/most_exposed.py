"""Most exposed: the record numbers of those at highest risk, in the internal edition only."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.most_exposed import most_exposed
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import main_risks

TITLE = "Most exposed records"
ORDER = 50
PUBLIC = False  # names records
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  The records with the highest mean of the risks below, numbered from 0 in the order of the original file. Risks that
  are equal for all records are left out. Consider masking these records more, or suppressing them.
</p>
{{ figure(chart, title=false, roomy=true) }}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no record stands out."""
    chart = most_exposed(risk.score for risk in main_risks(dossier.assessment))
    return None if chart is None else {"chart": chart}
