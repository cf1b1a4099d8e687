"""Verdict: the main attack compared with guessing and with the unmasked file, what masking cost, and the gaps."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import headline_loss, is_synthesised, main_losses
from sdckit.evaluation.measure_traits import finds_records
from sdckit.evaluation.release_warnings import release_warnings
from sdckit.evaluation.verdict import (
    headline_risk,
    judgement_of,
    risk_before,
    stronger_attack,
    uses_published_method,
    worst_attribute,
)

TITLE = "Verdict"
ORDER = 10
TEMPLATE = """
{% if found %}
{% set attack = describe(found.name) %}
<p class="badge {{ judgement[1] }}">{{ judgement[0] }}</p>
<p class="lead">
  {% if finds %}
  {{ attack.title }} re-identifies <strong>{{ found.value | out_of(unit) }}</strong>.
  {% elif synthesised %}
  No released row belongs to a record. Of the attacks on synthetic data, {{ attack.title | lower }} exceeds
  {{ "guessing" if control is none else "what it achieves on control records" }} most: it succeeds in
  <strong>{{ found.value | percent }}</strong> of its attempts{% if control is not none %}, and in
  {{ control | percent }} of those on people who were not in the file{% endif %}.
  {% else %}
  By the highest risk measured ({{ attack.title }}), <strong>{{ found.value | out_of(unit) }}</strong>
  {{ "is" if found.value < 0.0095 or found.value >= 0.995 else "are" }} exposed.
  {% endif %}
  {% if found.baseline is not none %}
  Guessing reaches {{ found.baseline | percent if synthesised else found.baseline | out_of(unit) }}.
  {% endif %}
  {% if before %}
  On the unmasked file,
  {{ "the same attack" if before.name == found.name else describe(before.name).title | lower }}
  reaches {{ before.value | percent if synthesised else before.value | out_of(unit) }}.
  {% endif %}
</p>
{% endif %}
<div class="cards">
{% if found %}
  <div class="card main">
    <p class="label">Risk after masking</p>
    <p class="value">{{ found.value | percent }}</p>
    <p class="more">{{ attack.title }}{% if found.interval %}<br>95% interval {{ found.interval | between }}{% endif %}
    </p>
  </div>
  {% if before %}
  <div class="card">
    <p class="label">Risk before masking</p>
    <p class="value">{{ before.value | percent }}</p>
    <p class="more">
      {{ "the same attack" if before.name == found.name else describe(before.name).title }} on the unmasked file
    </p>
  </div>
  {% endif %}
  {% if found.baseline is not none %}
  <div class="card">
    <p class="label">Guessing</p>
    <p class="value">{{ found.baseline | percent }}</p>
    <p class="more">without using the released values</p>
  </div>
  {% endif %}
{% endif %}
{% if losses %}
  {% set loss = describe(losses[0].name) %}
  <div class="card">
    <p class="label">Information loss</p>
    <p class="value">{{ losses[0].value | figure }}</p>
    <p class="more">{{ loss.title }} (0 = no loss)</p>
  </div>
{% endif %}
{% if worst %}
  <div class="card">
    <p class="label">Attribute with the largest loss</p>
    <p class="value name">{{ worst.name }}</p>
    <p class="more">by {{ worst.times }} of {{ worst.of }} losses with a figure for each attribute</p>
  </div>
{% endif %}
</div>
{% if found and attack.definition %}
<p><strong>{{ attack.title }}:</strong> {{ attack.definition | prose }}</p>
{% endif %}
{% if losses %}
<p>Information loss by the main measures (details under <a href="#loss">Information loss</a>):</p>
<ul class="plain">
{% for score in losses %}
  {% set term = describe(score.name) %}
  <li><strong>{{ score.value | figure }}</strong> {{ term.title }}{% if term.gist %}: {{ term.gist }}{% endif %}</li>
{% endfor %}
</ul>
{% else %}
<p>No information loss was measured.</p>
{% endif %}
{% if stronger %}
<p class="callout">
  <strong>A stronger attack was tested.</strong> {{ describe(stronger.name).title }} (<code>{{ stronger.name }}</code>)
  re-identifies {{ stronger.value | out_of(unit) }}.
</p>
{% endif %}
{% for warning in warnings %}
<p class="callout"><strong>Not in any figure.</strong> {{ warning[:1] | upper }}{{ warning[1:] | prose }}.</p>
{% endfor %}
{% if not method_aware %}
<p class="callout">
  <strong>Not the worst case.</strong> No attack in this report uses the published method and its parameters. An
  intruder who knows them may re-identify more {{ unit }}s than the figures here show.
</p>
{% endif %}
{% if skipped %}
<p class="note">
  {{ skipped | length }} measure{{ "" if skipped | length == 1 else "s" }} did not apply ({{ skipped | listed }}): see
  <a href="#not_tested">What was not tested</a>.
</p>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """Headline figures and a judgement."""
    result = dossier.assessment
    found = headline_risk(result)
    before = risk_before(result, found) if found else None
    headline = headline_loss(result)
    return {
        "found": found,
        "before": before,
        "judgement": judgement_of(result),
        "stronger": stronger_attack(result, found) if found else None,
        "finds": found is not None and finds_records(found.name),
        "synthesised": is_synthesised(result),
        "control": found.details.get("control") if found and not public else None,  # an internal figure
        "losses": sorted(main_losses(result), key=lambda score: score is not headline),
        "worst": worst_attribute(result),
        "method_aware": uses_published_method(result),
        "skipped": tuple(result.skipped),
        "warnings": () if public else tuple(release_warnings(dossier.release)),
    }
