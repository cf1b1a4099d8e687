"""Attribute laws: how each attribute helps the intruder, and how many records are re-identified without it."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.dossier import Dossier

TITLE = "What each attribute reveals to the intruder"
ORDER = 47.5
NEEDS = ("attack",)
LAWS = {
    "untouched": "released unchanged: a row with another value is impossible",
    "exact": "masked by a published distribution, computed in closed form",
    "replayed": "masked by a deterministic method that the intruder applies again to the known file",
    "learned": "masked in a way that the intruder learns: by masking known records again, or from the two files alone",
}
TEMPLATE = """
<p>
  {{ describe(leading).title }} compares each known attribute of a {{ unit }} with the released rows by a likelihood:
  how probable a released value is, given that of the {{ unit }}.
  {% if worth %}If far fewer {{ unit }}s are re-identified without an attribute, mask that attribute more.{% endif %}
</p>
<div class="table stacked"><table>
  <tr>
    <th>Attribute</th>
    {% if worth %}<th class="figure">Re-identified without it</th><th class="figure">Contribution</th>{% endif %}
    <th>Likelihood</th>
  </tr>
  {% for row in rows %}
  <tr>
    <td>{{ row.attribute }}</td>
    {% if worth %}
    <td class="figure" data-label="Re-identified without it">{{ row.without | percent }}</td>
    <td class="figure strong" data-label="Contribution">{{ row.adds | percent }}</td>
    {% endif %}
    <td class="long" data-label="Likelihood">{{ row.law }}{% if row.meaning %}: {{ row.meaning }}{% endif %}</td>
  </tr>
  {% endfor %}
</table></div>
{% if worth and sampled %}
<p class="note">The share re-identified without an attribute is measured with {{ sampled }} known {{ unit }}s.</p>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where the attack has no laws."""
    attack = dossier.attack
    laws = {} if attack is None else attack.leading.details.get("laws", {})
    if attack is None or not laws:
        return None
    worth = {each.attribute: each for each in attack.worth}
    names = [*worth, *(name for name in laws if name not in worth)]
    return {
        "leading": attack.leading.name,
        "worth": bool(worth),
        "rows": [
            {
                "attribute": name,
                "without": worth[name].found_without if name in worth else None,
                "adds": max(worth[name].worth, 0.0) if name in worth else None,
                "law": laws.get(name, ""),
                "meaning": LAWS.get(laws.get(name, ""), ""),
            }
            for name in names
        ],
        "sampled": None if attack.curve_records is None else f"{attack.curve_records:,}",
    }
