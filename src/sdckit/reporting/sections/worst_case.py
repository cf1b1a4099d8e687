"""Worst case: the best distance an intruder could use, what is proven about it, and the weights of the attributes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sdckit.charts.chart import Chart
from sdckit.charts.learned_weights import interactions, learned, weights
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.measure import Score

TITLE = "Worst case of distance-based linkage"
ORDER = 47
PUBLIC = False  # weights by attribute
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  Here the distance itself is learnt from the true links, which no intruder has. The best distance found
  (<code>{{ best.name }}</code>) re-identifies <strong>{{ best.value | percent }}</strong> of the {{ unit }}s
  {%- if best.bound is not none %}, and it is proven that no distance of its family re-identifies more than
  <strong>{{ best.bound | percent }}</strong>{% endif %}.
  {%- if best.details.records_learnt_on is defined %}
  It rests on the true links of {{ "{:,}".format(best.details.records_learnt_on) }} {{ unit }}s and on
  {{ best.details.attributes | listed(30) }}: no intruder has these links, so read it as a limit, not as an attack.
  {%- endif %}
</p>
<div class="table stacked"><table>
  <tr>
    <th>Family of distances</th><th class="figure">Re-identified</th><th class="figure">Proven bound</th><th>Proof</th>
  </tr>
  {% for score in scores %}
  <tr>
    <td>{{ describe(score.name).title }}</td>
    <td class="figure strong" data-label="Re-identified">{{ score.value | percent }}</td>
    <td class="figure" data-label="Proven bound">{{ score.bound | percent }}</td>
    <td class="long" data-label="Proof">
      {{ score.details.proof }}{{ "; value and bound agree: this is the optimum" if score.details.proven }}
    </td>
  </tr>
  {% endfor %}
</table></div>
<h3>Weights of the attributes</h3>
<p>An attribute with a large weight helps the intruder most; mask it more to reduce the risk.</p>
<div class="grid">{% for each in weights %}{{ figure(each) }}{% endfor %}</div>
{% if together %}
<h3>Interactions between attributes</h3>
<p>
  A negative interaction means that two attributes are redundant for linkage, a positive one that they identify more
  together than each by itself. Attributes that were masked together tend to be redundant, numbers and categories alike;
  where values are missing, all interactions are higher, and only their order is informative. With fewer than a few
  hundred {{ unit }}s many distances link equally well, and a single one is not informative.
</p>
<div class="grid">{% for each in together %}{{ figure(each) }}{% endfor %}</div>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no distance was learnt."""
    scores = learned(dossier.assessment)
    if not scores:
        return None
    best = max(scores, key=lambda score: (score.value, score.bound or 0.0))
    together = [_titled(chart, score) for score in scores if (chart := interactions(score)) is not None]
    charts = [_titled(weights(score), score) for score in scores]
    return {"scores": scores, "best": best, "weights": charts, "together": together}


def _titled(chart: Chart, score: Score) -> Chart:
    return replace(chart, title=describe_component(score.name).title)
