"""Risk: the main risks with interval, guessing and before, their distribution over records, and then all others."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sdckit.charts.chart import Chart
from sdckit.charts.exposure import exposure
from sdckit.charts.risk_before_after import risk_before_after
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.hole_readings import hole_readings
from sdckit.evaluation.main_figures import main_risks
from sdckit.evaluation.verdict import risk_before
from sdckit.formatting import figure, percent
from sdckit.measure import Score

TITLE = "Disclosure risk before and after masking"
ORDER = 40
TEMPLATE = """
{% from "figures.html" import figure, folded with context %}
{% macro table(rows, defined=true) %}
{% set bounded = rows | selectattr("score.bound", "none") | list | length < rows | length %}
<div class="table stacked"><table>
  <tr>
    <th>Risk</th><th class="figure">After</th><th class="figure">95% interval</th><th class="figure">Guessing</th>
    <th class="figure">Before</th>{% if bounded %}<th class="figure">Proven bound</th>{% endif %}
  </tr>
  {% for row in rows %}
  {% set score, term = row.score, describe(row.score.name) %}
  <tr>
    <td class="long">
      <span class="strong">{{ row.heading or term.title }}</span>
      {% if row.heading and row.heading != term.title %}<p>{{ term.title }} <code>{{ score.name }}</code></p>{% endif %}
      {% if defined and term.definition %}<p>{{ term.definition | prose }}</p>{% endif %}
      {% if row.more %}<p>{{ row.more }}</p>{% endif %}
    </td>
    <td class="figure strong" data-label="After">{{ score.value | percent }}</td>
    <td class="figure" data-label="95% interval">{{ score.interval | between }}</td>
    <td class="figure" data-label="Guessing">{{ score.baseline | percent }}</td>
    <td class="figure" data-label="Before">{{ (row.before.value if row.before else none) | percent }}</td>
    {% if bounded %}<td class="figure" data-label="Proven bound">{{ score.bound | percent }}</td>{% endif %}
  </tr>
  {% endfor %}
</table></div>
{% endmacro %}
{{ figure(chart, title=false, roomy=true) }}
<p class="note">
  A dot is a risk and the bar behind it its 95% interval.
  {% if guessing %}The vertical mark shows what guessing reaches.{% endif %} Lower is safer.
</p>
{{ table(main) }}
{% if exposure %}
<h3>Distribution of the risk over the {{ unit }}s</h3>
<p>An average can hide single {{ unit }}s at high risk. Each histogram shows how many {{ unit }}s have which risk.</p>
<div class="grid">
{% for each in exposure %}{{ figure(each) }}{% endfor %}
</div>
{% endif %}
{% if every %}
{% call folded("All " ~ every | length ~ " risks measured") %}
<p class="note">The <a href="#glossary">glossary</a> defines them.</p>
{{ table(every, defined=false) }}
{% if more_exposure %}
<h3>Distribution of the other risks over the {{ unit }}s</h3>
<div class="grid">
{% for each in more_exposure %}{{ figure(each) }}{% endfor %}
</div>
{% endif %}
{% endcall %}
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no risk was measured."""
    result = dossier.assessment
    unit = dossier.release.original.unit
    every, main = result.of_kind("risk"), main_risks(result)
    chart = risk_before_after(result, {risk.score.name: risk.heading for risk in main})
    if chart is None:
        return None
    shown = {risk.score.name for risk in main}
    others = [score for score in every if score.name not in shown]
    return {
        "chart": chart,
        "main": [_row(result, risk.score, unit, risk.heading, risk.more if others else None) for risk in main],
        "every": [_row(result, score, unit) for score in every] if others else (),
        "guessing": any(risk.score.baseline is not None for risk in main),
        "exposure": _histograms((risk.score for risk in main), unit),
        "more_exposure": _histograms(others, unit),
    }


def _histograms(scores: Iterable[Score], unit: str) -> list[Chart]:
    return [replace(chart, title=describe_component(chart.title).title) for chart in exposure(scores, unit)]


def _row(
    result: Assessment, score: Score, unit: str, heading: str = "", more: Iterable[tuple[str, float]] | None = None
) -> Any:
    """A risk with what it was before; of its details those in `more`, else all that are numbers.

    Where the two readings of a missing key differ, the figures by both are added. How many records have no key at all
    is a fact of the file, and its section gives it.
    """
    if more is not None:
        details = [f"{label}: {figure(value) if value >= 1 else percent(value)}" for label, value in more]
    else:
        details = [
            f"{key.replace('_', ' ').replace('records', f'{unit}s')}: {figure(value)}"
            for key, value in score.details.items()
            if isinstance(value, int | float) and not isinstance(value, bool) and key != "suppressed_records"
        ]
    readings = hole_readings(score)
    if len({text for _, text in readings}) > 1:
        details += [f"{label}: {text}" for label, text in readings]
    return {"score": score, "before": risk_before(result, score), "heading": heading, "more": " · ".join(details)}
