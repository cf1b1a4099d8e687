"""Loss: what the masking cost, by the main measures, by attribute, and by all that was measured."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.loss import loss
from sdckit.charts.loss_by_attribute import loss_by_attribute
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.edit_checks import broken_edits
from sdckit.evaluation.main_figures import main_losses

TITLE = "Information loss"
ORDER = 80
TEMPLATE = """
{% from "figures.html" import figure, folded with context %}
{% macro table(scores, defined=true) %}
<div class="table stacked"><table>
  <tr><th>Loss</th><th class="figure">Value</th><th class="figure">95% interval</th></tr>
  {% for score in scores %}
  {% set term = describe(score.name) %}
  <tr>
    <td class="long">
      <span class="strong">{{ term.title }}</span> <code>{{ score.name }}</code>
      {% if defined and term.definition %}<p>{{ term.definition | prose }}</p>{% endif %}
      {% if score.baseline %}<p class="note">Without masking: {{ score.baseline | figure }}</p>{% endif %}
    </td>
    <td class="figure strong" data-label="Value">{{ score.value | figure }}</td>
    <td class="figure" data-label="95% interval">{{ score.interval | between_figures }}</td>
  </tr>
  {% endfor %}
</table></div>
{% endmacro %}
<p>
  0 means no loss by that measure. Some measures have no upper limit: compare a figure with that of the same measure on
  another masking, not with other measures.
</p>
{% if broken_edits %}
<p class="warning"><strong>The masked file breaks edits of the original:</strong></p>
<ul>
{% for check in broken_edits %}
  <li>{{ check }}</li>
{% endfor %}
</ul>
{% endif %}
{{ figure(chart, title=false, roomy=true) }}
{{ table(main) }}
{% if by_attribute %}
<h3>{{ by_attribute.title }}</h3>
{{ figure(by_attribute, title=false, roomy=true) }}
{% endif %}
{% if every %}
{% call folded("All " ~ every | length ~ " losses measured") %}
<p class="note">The <a href="#glossary">glossary</a> defines them.</p>
{{ table(every, defined=false) }}
{% endcall %}
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no loss was measured."""
    every, main = dossier.assessment.of_kind("loss"), main_losses(dossier.assessment)
    chart = loss(main)
    if chart is None:
        return None
    return {
        "chart": chart,
        "main": main,
        "broken_edits": [] if public else [str(check) for check in broken_edits(dossier.release)],
        "every": every if len(every) > len(main) else (),
        "by_attribute": loss_by_attribute(main) or loss_by_attribute(every),
    }
