"""Confidence: the expected share of correct claims, the claims of high confidence, and their calibration."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.reliability import reliability
from sdckit.evaluation.attack import Attack
from sdckit.evaluation.calibration_text import describe_calibration
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import certain_share
from sdckit.formatting import figure, percent

TITLE = "How confident the intruder is"
ORDER = 46
NEEDS = ("attack",)
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  A re-identification harms more if the intruder can tell that it is correct. Each claim has a confidence, the
  probability that it is correct as the intruder sees it.
  {% if bound %}
  No attack with the same knowledge is expected to re-identify more than <strong>{{ expected | percent }}</strong> of
  the {{ unit }}s.
  {% else %}
  {{ describe(leading).title }} expects to re-identify <strong>{{ expected | percent }}</strong> of the {{ unit }}s;
  this is an estimate, not a bound on every attack.
  {% endif %}
</p>
<div class="table stacked"><table>
  <tr><th></th>{% for score in intruders %}<th class="figure">{{ describe(score.name).title }}</th>{% endfor %}</tr>
  {% for row in rows %}
  <tr>
    <td>{{ row.label }}</td>
    {% for cell in row.cells %}
    <td class="figure" data-label="{{ describe(intruders[loop.index0].name).title }}">{{ cell }}</td>
    {% endfor %}
  </tr>
  {% endfor %}
</table></div>
<p class="note">
  A {{ unit }} is certain if the published method leaves exactly one possible row. The effective number of rows is
  k where k rows are equally likely (the exponential of the entropy).
</p>
{% if chart %}
{{ figure(chart) }}
<p class="note">
  On the dashed line, claims are correct as often as the intruder believes; the size of a dot is the number of claims,
  the bar behind it the 95% interval. {{ judgement }}
  {% if public %}Dots of fewer than 10 claims are left out.{% endif %}
</p>
<div class="table stacked"><table>
  <tr>
    <th>Confidence</th><th class="figure">Claims</th><th class="figure">Mean confidence</th>
    <th class="figure">Correct</th><th class="figure">95% interval</th>
  </tr>
  {% for bin in bins %}
  <tr>
    <td>{{ bin.label }}</td>
    <td class="figure" data-label="Claims">{{ bin.count | figure }}</td>
    <td class="figure" data-label="Mean confidence">{{ bin.stated | percent }}</td>
    <td class="figure strong" data-label="Correct">{{ bin.correct | percent }}</td>
    <td class="figure" data-label="95% interval">{{ bin.interval | between }}</td>
  </tr>
  {% endfor %}
</table></div>
<p class="note">The table has the claims of {{ describe(leading).title | lower }}.</p>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where the intruders state no confidence."""
    attack = dossier.attack
    if attack is None or "expected_found" not in attack.leading.details:
        return None
    leading = attack.leading
    return {
        "leading": leading.name,
        "expected": leading.details["expected_found"],
        "bound": bool(leading.details.get("expected_found_is_bound")),
        "intruders": attack.intruders,
        "rows": _rows(attack, dossier.release.original.unit),
        "bins": [
            {**each, "label": f"{100 * each['low']:.0f} to {100 * each['high']:.0f} %"}
            for each in reversed(leading.details.get("calibration", ()))
        ],
        "judgement": " ".join(describe_calibration(score) for score in attack.intruders),
        "chart": reliability(attack),
    }


def _rows(attack: Attack, unit: str) -> list[dict[str, Any]]:
    """One line for each figure, with the intruders side by side."""
    scores = attack.intruders
    details = [score.details for score in scores]
    certain = [certain_share(score) if score is attack.informed else None for score in scores]
    lines = {
        "Re-identified": [percent(score.value) for score in scores],
        "Expected to be re-identified": [percent(each.get("expected_found")) for each in details],
        f"{unit.title()}s attacked": [figure(each.get("records_attacked")) for each in details],
        "Claims with a confidence of 95 % or more": [figure(each.get("sure_claims")) for each in details],
        "Of these, correct": [figure(each.get("sure_claims_correct")) for each in details],
        "Certain: one possible row": [percent(share) for share in certain],
        "Effective number of rows, on average": [figure(each.get("rows_left_open")) for each in details],
    }
    return [{"label": label, "cells": cells} for label, cells in lines.items()]
