"""What was not tested: without this section, a reader would take the report for complete."""

from collections.abc import Mapping
from typing import Any

from sdckit.catalogue import entries
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.measurement import domains_of
from sdckit.evaluation.verdict import uses_published_method

TITLE = "What was not tested"
ORDER = 85
TEMPLATE = """
<ul class="plain">
{% if no_method_aware_attack %}
  <li>
    <strong>Attacks that use the published method.</strong> None was tested: an intruder who knows the method and its
    parameters may re-identify more {{ unit }}s.
  </li>
{% endif %}
{% for term, reason in skipped %}
  <li><strong>{{ term.title }}</strong> <code>{{ term.name }}</code> does not apply: {{ reason }}.</li>
{% endfor %}
{% if not_asked %}
  <li>
    <strong>Measures not requested ({{ not_asked | length }}):</strong>
    {{ not_asked | map(attribute="name") | join(", ") }}.
  </li>
{% endif %}
{% if without_interval %}
  <li><strong>No interval</strong> is available for {{ without_interval | listed }}.</li>
{% endif %}
{% if no_before %}
  <li>The risk before masking was not measured.</li>
{% endif %}
  <li>
    <strong>Other intruders.</strong> The figures hold for the intruder described above. They do not cover an intruder
    who knows other attributes, or has another file on the same people.
  </li>
  <li>
    <strong>Group harm.</strong> The figures do not cover what can be inferred about groups of people without
    re-identifying anybody.
  </li>
</ul>
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """The measures that did not apply or were not requested, and the attacks that are not part of the result."""
    result = dossier.assessment
    domains = domains_of(result.release.original)
    considered = {*result.scores, *result.skipped}
    return {
        "skipped": [(describe_component(name), reason) for name, reason in result.skipped.items()],
        "not_asked": [
            describe_component(entry.name)
            for kind in ("risk", "loss")
            for entry in entries(kind)
            if entry.name not in considered and entry.domain in domains
        ],
        "no_method_aware_attack": not uses_published_method(result),
        "without_interval": [
            score.name for score in result.of_kind("risk") if score.interval is None and score.bound is None
        ],
        "no_before": not result.before,
    }
