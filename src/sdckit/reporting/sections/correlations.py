"""Correlations: before, after and difference in the internal edition; of the released file alone in the public one."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts import correlations
from sdckit.evaluation.dossier import Dossier

TITLE = "Correlations"
ORDER = 70
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  {% if public %}
  Correlations between the ordered attributes of the released file.
  {% else %}
  Correlations between the ordered attributes before and after masking, and the difference. White in the difference
  means no change; the difference has a colour scale of its own.
  {% endif %}
</p>
<div class="grid three">
{% for chart in charts %}{{ figure(chart) }}{% endfor %}
</div>
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None with fewer than two ordered attributes."""
    charts = correlations.draw(dossier, public=public)
    return {"charts": charts} if charts else None
