"""Attacks on synthetic data: which of them apply to the release, why, and what they find."""

from collections.abc import Mapping
from typing import Any

from sdckit.catalogue import entries
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.measurement import has_synthetic_values
from sdckit.measure import Measure, Need
from sdckit.rows import Rows

TITLE = "Attacks on synthetic data"
ORDER = 46
TEMPLATE = """
<p>
  {% if synthesised %}
  No row of the release belongs to a record, so linkage has no correct match. Synthetic data are attacked in other ways:
  by what the rows disclose about people who were in the file and not about others.
  {% else %}
  The rows of the release belong to records. These attacks do not use that, and apply in addition to those that do.
  {% endif %}
  {% if control %}
  {{ control }} control records, which the method never saw, show what can be inferred about anybody; the excess is what
  being in the file adds to it, as a share of the attacks that fail on the control.
  {% else %}
  Without a control file (<code>--control</code>) the figures include what can be inferred about anybody.
  {% endif %}
</p>
<div class="table stacked"><table>
  <tr>
    <th>Attack</th><th class="figure">Succeeds</th><th class="figure">Guessing</th>
    {% if control %}<th class="figure">Control</th><th class="figure">Excess</th>{% endif %}
    <th>Applies</th>
  </tr>
  {% for row in rows %}
  <tr>
    <td>{{ row.title }} <code>{{ row.name }}</code></td>
    <td class="figure" data-label="Succeeds">
      <strong>{{ row.figure | percent }}</strong>{% if row.interval %}<br>{{ row.interval | between }}{% endif %}
    </td>
    <td class="figure" data-label="Guessing">{{ row.baseline | percent }}</td>
    {% if control %}
    <td class="figure" data-label="Control">{{ row.control | percent }}</td>
    <td class="figure" data-label="Excess">
      {{ row.excess | percent }}{% if row.excess_interval %}<br>{{ row.excess_interval | between }}{% endif %}
    </td>
    {% endif %}
    <td class="long" data-label="Applies">{{ row.state }}: {{ row.why }}</td>
  </tr>
  {% endfor %}
</table></div>
<p class="note">Below a figure is its 95% interval.</p>
{% for warning in warnings %}
<p class="warning">{{ warning }}</p>
{% endfor %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no value was synthesised and none of the attacks was measured."""
    result, release = dossier.assessment, dossier.release
    synthesised = release.recipe is not None and release.recipe.rows is Rows.SYNTHESISED
    attacks = [
        entry.component
        for entry in entries("risk")
        if issubclass(entry.component, Measure) and entry.component.for_synthesis
    ]
    measured = any(attack.name in result.scores for attack in attacks)
    if not (synthesised or measured or has_synthetic_values(release.recipe)):
        return None
    control = None if release.control is None else f"{len(release.control):,}"
    warnings = [
        f"{describe_component(attack.name).title}. {score.details['warning']}"
        for attack in attacks
        if (score := result.scores.get(attack.name)) is not None and "warning" in score.details
    ]
    rows = [_row(attack, result) for attack in attacks]
    return {"synthesised": synthesised, "control": control, "rows": rows, "warnings": warnings}


def _row(attack: type[Measure], result: Assessment) -> dict[str, Any]:
    """One attack: its figures, whether it applies, and why or why not."""
    words = describe_component(attack.name)
    score = result.scores.get(attack.name)
    details = {} if score is None else score.details
    if score is not None:
        state, why = "yes", _basis(attack)
    elif attack.name in result.skipped:
        state, why = "no", result.skipped[attack.name]
    else:
        state, why = "not measured", f"{_basis(attack)}; name it (--also {attack.name}) to measure it"
    return {
        "name": attack.name,
        "title": words.title,
        "figure": None if score is None else score.value,
        "interval": None if score is None else score.interval,
        "baseline": None if score is None else score.baseline,
        "control": details.get("control"),
        "excess": details.get("excess"),
        "excess_interval": details.get("excess_interval"),
        "state": state,
        "why": why,
    }


def _basis(attack: type[Measure]) -> str:
    """What the attack uses, by its declaration."""
    if Need.RECIPE in attack.needs:
        return "it uses the published method"
    return "it uses the released rows and needs no correspondence"
