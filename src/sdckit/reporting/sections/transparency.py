"""Transparency: what publishing the method and its parameters costs, where the recipe is known."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.known_attributes import known_attributes
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import certain_share
from sdckit.graph import Graph

TITLE = "If method and parameters are public"
ORDER = 45
NEEDS = ("attack",)
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  An intruder who has only the released file and knows
  {% if links %}the links{% if known %} and {% endif %}{% endif %}
  {%- if known %} {{ known }} attribute{{ "s" if known > 1 }}{% endif %} of every {{ unit }}
  re-identifies <strong>{{ ordinary.value | percent }}</strong> of the {{ unit }}s
  ({{ describe(ordinary.name).title | lower }}). An intruder who also knows the masking method and its parameters
  re-identifies <strong>{{ informed.value | percent }}</strong>
  {%- if informed.name != ordinary.name %} ({{ describe(informed.name).title | lower }}){% endif %}
  {%- if certain is not none %}; <strong>{{ certain | percent }}</strong> of the {{ unit }}s with certainty, since
  only one released {{ unit }} remains possible{% endif %}.
</p>
<p>
  The difference, <strong>{{ cost | percent }}</strong> of the {{ unit }}s, is the cost of transparency. If it is too
  high, choose a method that excludes no {{ unit }} or mask more, rather than keep the method secret.
</p>
{% if known %}
{{ figure(chart) }}
<p class="note">
  Means over some sets of attributes for each number known.
  {% if sampled %}In this chart, the intruders know {{ sampled }} of the {{ unit }}s.{% endif %}
</p>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no attack used the method."""
    attack = dossier.attack
    if attack is None or attack.informed is None:
        return None
    return {
        "known": len(attack.attributes),
        "links": isinstance(dossier.release.original, Graph),
        "ordinary": attack.ordinary,
        "informed": attack.informed,
        "cost": max(attack.cost_of_transparency or 0.0, 0.0),
        "certain": certain_share(attack.informed),
        "sampled": None if attack.curve_records is None else f"{attack.curve_records:,}",
        "chart": known_attributes(attack, dossier.release.original.unit),
    }
