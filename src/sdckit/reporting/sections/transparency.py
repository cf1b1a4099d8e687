"""Transparency: what publishing the method and its parameters costs, where the recipe is known."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.known_attributes import known_attributes
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.verdict import strongest_linkage

TITLE = "If method and parameters are public"
ORDER = 45
NEEDS = ("attack",)
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  An intruder who has only the released file and knows {{ known }} attribute{{ "s" if known > 1 }} of every record
  re-identifies <strong>{{ ordinary.value | percent }}</strong> of the records
  ({{ describe(ordinary.name).title | lower }}). An intruder who also knows the masking method and its parameters
  re-identifies <strong>{{ informed.value | percent }}</strong>
  {%- if informed.name != ordinary.name %} ({{ describe(informed.name).title | lower }}){% endif %}
  {%- if certain is not none %}; <strong>{{ certain | percent }}</strong> of the records with certainty, since only one
  released record remains possible{% endif %}.
</p>
<p>
  The difference, <strong>{{ cost | percent }}</strong> of the records, is the cost of transparency. If it is too high,
  choose a method that excludes no record or mask more, rather than keep the method secret.
</p>
{{ figure(chart) }}
<p class="note">
  Averages over random sets of attributes for each number known. In this chart, the intruder who has only the file uses
  {{ describe(linkage).title | lower }}.
</p>
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no attack used the method."""
    attack = dossier.attack
    if attack is None or not attack.informed:
        return None
    ordinary = strongest_linkage(dossier.assessment, attack.ordinary)
    informed = max([ordinary, *attack.informed.values()], key=lambda score: score.value)
    certain = [
        score.details["certain_matches"] for score in attack.informed.values() if "certain_matches" in score.details
    ]
    return {
        "known": len(attack.attributes),
        "ordinary": ordinary,
        "informed": informed,
        "cost": informed.value - ordinary.value,
        "linkage": attack.ordinary.name,
        "certain": max(certain, default=None),
        "chart": known_attributes(attack),
    }
