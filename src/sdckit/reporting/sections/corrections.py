"""Corrections: statistics that researchers can correct with the published recipe, from the released file alone."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.dossier import Dossier
from sdckit.measure import number

TITLE = "Corrections for researchers"
ORDER = 75
NEEDS = ("corrections",)
TEMPLATE = """
{% set rest = uncorrected | default(untold) %}
<p>
  A researcher who knows the recipe can correct the bias that masking causes in statistics. These estimates use the
  released file and the recipe only; their standard errors include both sampling and masking.
</p>
<div class="table stacked"><table>
  <tr>
    <th>Statistic</th><th class="figure">As released</th><th class="figure">Corrected</th>
    <th class="figure">Standard error</th><th class="figure">95% interval</th>
  </tr>
  {% for each in estimates %}
  <tr>
    <td class="strong">{{ each.name }}</td>
    <td class="figure" data-label="As released">{{ each.released | figure }}</td>
    <td class="figure strong" data-label="Corrected">{{ each.corrected | figure }}</td>
    <td class="figure" data-label="Standard error">{{ each.standard_error | figure }}</td>
    <td class="figure" data-label="95% interval">{{ each.interval | between_figures }}</td>
  </tr>
  {% endfor %}
</table></div>
{% if rest %}
<p class="note">
  {{ rest }} more statistic{{ "" if rest == 1 else "s" }} cannot be corrected: no correction is known for the method.
</p>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no correction was asked for, or the method has none."""
    corrected = [each for each in dossier.corrections if number(each.corrected) is not None]
    if not corrected:
        return None
    return {
        "estimates": [each.to_dict() for each in corrected],
        "uncorrected": len(dossier.corrections) - len(corrected),
    }
