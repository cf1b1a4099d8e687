"""Relations: the strongest ones of the original, before and after masking. Before is original: internal only."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.relations import loses_like_shuffled, strongest_relations
from sdckit.evaluation.risk_utility_map import RELATIONS

TITLE = "Strongest relations"
ORDER = 72
PUBLIC = False
TEMPLATE = """
<p>
  How strongly two attributes are related before and after masking, for the {{ relations | length }} strongest relations
  of the original. A correlation lies between −1 and 1, the others between 0 and 1; 0 is no relation. Of the association
  of all pairs together, <strong>{{ lost | percent }}</strong> changed; if the keys were shuffled, it would be
  {{ shuffled | percent }}.
</p>
{% if like_shuffled %}
<p class="callout">
  <strong>Hardly any relation is left.</strong> About as much is lost as shuffling the keys would lose: tables of single
  attributes would serve users as well.
</p>
{% endif %}
<div class="table stacked"><table>
  <tr>
    <th>Attributes</th><th>Association</th><th class="figure">Before</th><th class="figure">After</th>
  </tr>
  {% for each in relations %}
  <tr>
    <td class="strong">{{ each.first }} – {{ each.second }}</td>
    <td data-label="Association">{{ each.measure }}</td>
    <td class="figure" data-label="Before">{{ "%.2f" | format(each.before) }}</td>
    <td class="figure strong" data-label="After">{{ "%.2f" | format(each.after) }}</td>
  </tr>
  {% endfor %}
</table></div>
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no two attributes are related beyond sampling error."""
    score = dossier.assessment.scores.get(RELATIONS)
    relations = () if score is None else strongest_relations(score)
    if score is None or not relations:
        return None
    return {
        "relations": relations,
        "lost": score.value,
        "shuffled": score.details["shuffled"],
        "like_shuffled": loses_like_shuffled(score),
    }
