"""Differential privacy: what the recipe guarantees, for which attributes, and how the losses add up."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.privacy import privacy_budget

TITLE = "Differential privacy"
ORDER = 21
TEMPLATE = """
<p class="{{ 'good' if whole and not conditional else 'warning' }}">{{ statement }}</p>
<div class="table stacked"><table>
  <tr><th>Step</th><th>Attributes</th><th class="figure">ε</th><th class="figure">δ</th><th>Public bounds</th></tr>
  {% for step in steps %}
  <tr>
    <td>{{ step.title }} <code>{{ step.method }}</code></td>
    <td class="long" data-label="Attributes">{{ step.attributes | listed(30) }}</td>
    <td class="figure" data-label="ε">{{ "%g" | format(step.epsilon) }}</td>
    <td class="figure" data-label="δ">{{ "%g" | format(step.delta) }}</td>
    <td class="long" data-label="Public bounds">{{ step.bounds | listed(30) or "–" }}</td>
  </tr>
  {% endfor %}
  {% if steps | length != 1 %}
  <tr>
    <td class="strong">Together</td><td></td>
    <td class="figure strong" data-label="ε">{{ "%g" | format(epsilon) }}</td>
    <td class="figure strong" data-label="δ">{{ "%g" | format(delta) }}</td><td></td>
  </tr>
  {% endif %}
</table></div>
<p>
  The guarantee is about the released file. Figures about it that were computed from the original, such as those of
  this report, are not covered: they have a privacy loss of their own, which is not counted here.
</p>
{% if advantage is not none %}
<p>
  With this guarantee no intruder can distinguish members from others with an advantage above
  <strong>{{ advantage | percent }}</strong>, whatever else is known{% if conditional %}, on the condition that the
  categories are public{% endif %}{% if played is not none %}; the membership game
  reaches {{ played | percent }}{% endif %}.
</p>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no step of the recipe is differentially private."""
    release = dossier.release
    budget = privacy_budget(release.recipe, release.original, release.masked)
    if budget is None:
        return None
    played = dossier.assessment.scores.get("membership")
    return {
        "statement": budget.statement,
        "whole": budget.of_whole_release,
        "conditional": bool(budget.read_off),
        "epsilon": budget.epsilon,
        "delta": budget.delta,
        "steps": [
            {
                "method": step.method,
                "title": describe_component(step.method).title,
                "attributes": step.attributes,
                "epsilon": step.epsilon,
                "delta": step.delta,
                "bounds": [f"{name} {low:g} to {high:g}" for name, (low, high) in step.bounds.items()],
            }
            for step in budget.steps
        ],
        "advantage": budget.largest_advantage if budget.of_whole_release else None,
        "played": None if played is None else played.value,
    }
