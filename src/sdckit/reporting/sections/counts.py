"""Counts: records that violate k-anonymity before and after each step, and what became of the values by attribute."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sdckit.counts import SIZES
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.release_counts import release_counts

TITLE = "Counts"
ORDER = 45
PUBLIC = False  # exact counts of the original file
TEMPLATE = """
{% if stages %}
<p>
  {{ unit | capitalize }}s that agree with fewer than k {{ unit }}s on {{ keys | listed(30) }}, themselves included, and
  the re-identifications to be expected of an intruder who knows these keys of everybody in the file and picks at random
  among the {{ unit }}s that agree. A missing key is a value of its own.
</p>
<div class="table stacked"><table>
  <tr>
    <th>Stage</th>{% for size in sizes %}<th class="figure">k = {{ size }}</th>{% endfor %}
    <th class="figure">Expected re-identifications</th>
  </tr>
  {% for each in stages %}
  <tr>
    <td class="strong">{{ each.stage }}</td>
    {% for size in sizes %}
    <td class="figure" data-label="k = {{ size }}">{{ "{:,}".format(each.violations[size | string]) }}</td>
    {% endfor %}
    <td class="figure" data-label="Expected">{{ "{:,.0f}".format(each.expected_reidentifications) }}</td>
  </tr>
  {% if each.violations_any_value %}
  <tr>
    <td>where a missing key agrees with every value</td>
    {% for size in sizes %}
    <td class="figure" data-label="k = {{ size }}">{{ "{:,}".format(each.violations_any_value[size | string]) }}</td>
    {% endfor %}
    <td></td>
  </tr>
  {% endif %}
  {% endfor %}
</table></div>
{% endif %}
{% if attributes %}
<h3>Values changed and suppressed</h3>
<div class="table stacked"><table>
  <tr>
    <th>Attribute</th><th class="figure">Values</th><th class="figure">Changed</th><th class="figure">Suppressed</th>
  </tr>
  {% for each in attributes %}
  <tr>
    <td class="strong">{{ each.name }}</td>
    <td class="figure" data-label="Values">{{ "{:,}".format(each.present) }}</td>
    <td class="figure" data-label="Changed">{{ "{:,}".format(each.changed) }}</td>
    <td class="figure" data-label="Suppressed">{{ "{:,}".format(each.suppressed) }}</td>
  </tr>
  {% for earlier in each.earlier %}
  <tr>
    <td>after {{ earlier.stage }}</td>
    <td class="figure" data-label="Values">{{ "{:,}".format(earlier.present) }}</td>
    <td class="figure" data-label="Changed">{{ "{:,}".format(earlier.changed) }}</td>
    <td class="figure" data-label="Suppressed">{{ "{:,}".format(earlier.suppressed) }}</td>
  </tr>
  {% endfor %}
  {% endfor %}
</table></div>
{% if unchanged %}<p class="note">Unchanged in every {{ unit }}: {{ unchanged | listed(30) }}.</p>{% endif %}
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where the file has neither keys nor rows that belong to records."""
    counts = release_counts(dossier.release)
    if not counts.stages and not counts.attributes:
        return None
    masked = [
        asdict(each) | {"earlier": [asdict(then) | {"stage": stage} for stage, then in counts.earlier(each.name)]}
        for each in counts.attributes
        if each.changed or each.suppressed
    ]
    unchanged = [each.name for each in counts.attributes if not each.changed and not each.suppressed]
    return counts.to_dict() | {"sizes": list(SIZES), "attributes": masked, "unchanged": unchanged}
