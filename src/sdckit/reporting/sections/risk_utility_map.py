"""Risk–utility map: what other maskings of the same file would have given, where a sweep is given."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.risk_utility_map import risk_utility_map
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.measure_traits import finds_records, is_composite, measure_class
from sdckit.evaluation.measurement import without_recipe
from sdckit.evaluation.released_setting import released_setting

TITLE = "Risk–utility map"
ORDER = 58
NEEDS = ("map",)
FRONTIER = 12  # settings in the table
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  Each dot is one of {{ tried }} setting{{ "" if tried == 1 else "s" }} tried on this file: further left is safer, lower
  is more useful.
  {% if baselines_ordinary %}
  The risk is the share of {{ unit }}s that {{ describe(risk).title | lower }} re-identifies; the baselines have no
  recipe, and theirs is the share that {{ describe(baselines_ordinary).title | lower }} re-identifies.
  {% endif %}
  {% if worst_case %}
  The risk is the worst case: the share of {{ unit }}s that the strongest of these attacks re-identifies:
  {{ attacks | listed }}.
  {% endif %}
  {% if chosen %}The ring marks the released setting: <strong>{{ chosen }}</strong>.{% else %}The released setting is
  not among them.{% endif %}
</p>
{{ figure(chart) }}
<p class="note">
  Crosses are baselines: the unmasked file, the file with every key shuffled, and the file with every key constant. On a
  screen: drag to move, scroll to zoom, click a method in the legend to see it alone.
  {% if public %}Settings that were drawn once, or whose parameters name categories, are left out.{% endif %}
</p>
<h3>The frontier</h3>
<p>
  No other setting {{ "shown" if public else "tried" }} is both safer and more useful than one of these. Figures are
  means over the random draws of a setting.
</p>
<div class="table stacked"><table>
  <tr>
    <th>Setting</th><th class="figure">Risk</th>{% if with_draws %}<th class="figure">Highest risk</th>{% endif %}
    <th class="figure">Loss</th>{% if with_draws %}<th class="figure">Standard deviation of the loss</th>{% endif %}
  </tr>
  {% for setting in frontier %}
  <tr>
    <td>{{ setting.label }}{% if setting.label == chosen %} <strong>(released)</strong>{% endif %}</td>
    <td class="figure strong" data-label="Risk">{{ setting.mean[risk] | percent }}</td>
    {% if with_draws %}
    <td class="figure" data-label="Highest risk">{{ setting.highest[risk] | percent }}</td>
    {% endif %}
    <td class="figure strong" data-label="Loss">{{ setting.mean[loss] | figure }}</td>
    {% if with_draws %}
    <td class="figure" data-label="Standard deviation of the loss">{{ setting.deviation[loss] | figure }}</td>
    {% endif %}
  </tr>
  {% endfor %}
</table></div>
{% if more %}<p class="note">And {{ more }} more.</p>{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no sweep was given, or it measured no risk or no loss."""
    swept = dossier.map
    if swept is None or not swept.risks or not swept.losses:
        return None
    risk, loss = swept.axes()
    chosen = released_setting(swept, dossier.release.recipe)
    frontier = swept.frontier()
    return {
        "chart": risk_utility_map(swept, chosen=chosen),
        "risk": risk,
        "loss": loss,
        "baselines_ordinary": _without_recipe(risk),
        "worst_case": finds_records(risk) and is_composite(risk),
        "attacks": [name for name in swept.risks if finds_records(name) and not is_composite(name)],
        "frontier": [
            {"label": each.label, "mean": each.mean, "highest": each.highest, "deviation": each.deviation}
            for each in frontier[:FRONTIER]
        ],
        "with_draws": any(risk in each.highest for each in frontier),
        "more": max(len(frontier) - FRONTIER, 0),
        "tried": sum(not setting.baseline for setting in swept.settings),
        "chosen": chosen,
    }


def _without_recipe(risk: str) -> str | None:
    """The risk that the baselines are measured by, where it is another one."""
    measure = measure_class(risk)
    other = None if measure is None else without_recipe(measure)
    return None if other is None else other.name
