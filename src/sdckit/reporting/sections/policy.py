"""Policy: each rule that a release must meet, with its figure and whether it is met."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.gate import Finding, distinct_figure

TITLE = "Policy"
ORDER = 15
NEEDS = ("gate",)
TEMPLATE = """
<p class="badge {{ "good" if met else "bad" }}">{{ "Every rule is met" if met else "The policy is not met" }}</p>
<div class="table stacked"><table>
  <tr><th>Rule</th><th class="figure">Limit</th><th class="figure">Figure</th><th>Result</th></tr>
  {% for rule in rules %}
  <tr>
    <td>
      <span class="strong">{{ describe(rule.measure).title }}</span>
      <p><code>{{ rule.title }}</code>{% if rule.note %} {{ rule.note }}{% endif %}</p>
    </td>
    <td class="figure" data-label="Limit">{{ rule.limit }}</td>
    <td class="figure wordy" data-label="Figure">{{ rule.found }}</td>
    <td class="word {{ "bad" if rule.word == "not met" else "good" if rule.word == "met" }}">{{ rule.word }}</td>
  </tr>
  {% endfor %}
</table></div>
<p class="note">
  Risks are shares: 0.05 is 5%. All figures are for the whole file and the intruder of the policy.
  {% if left_out %}<em>Left out</em> is an optional rule whose measure does not apply.{% endif %}
</p>
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no policy was given."""
    if dossier.gate is None:
        return None
    return {
        "met": dossier.gate.met,
        "rules": [
            {
                "title": each.rule.title,
                "measure": each.rule.measure.name,
                "limit": each.rule.limit,
                "found": figure_of(each),
                "note": each.rule.note,
                "word": "left out" if each.left_out else "met" if each.met else "not met",
            }
            for each in dossier.gate.findings
        ],
        "left_out": any(each.left_out for each in dossier.gate.findings),
    }


def figure_of(finding: Finding) -> str:
    """The figure, with the digits that distinguish it from its limits, or why there is none."""
    rule = finding.rule
    return finding.reason if finding.value is None else distinct_figure(finding.value, [rule.min, rule.max])
