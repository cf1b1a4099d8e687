"""The file and the intruder: size and attributes of the file, and which of them the intruder is assumed to know."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.hole_readings import suppressed_records
from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.microdata import Microdata

TITLE = "The file and the intruder"
ORDER = 30
LIMIT = 40
TEMPLATE = """
<p>
  {% if original_records is not none and original_records != records %}
  The original has {{ "{:,}".format(original_records) }} {{ unit }}s, the released file {{ "{:,}".format(records) }}.
  {% else %}
  The file has {{ "{:,}".format(records) }} {{ unit }}{{ "" if records == 1 else "s" }}.
  {% endif %}
  {% if edges is number %}
  The released graph has {{ "{:,}".format(edges) }} {{ kind_of_edges }}.
  {% endif %}
  {% if suppressed %}
  {{ "{:,}".format(suppressed) }} of the released {{ unit }}s {{ "has" if suppressed == 1 else "have" }} all keys
  missing. Each figure that counts agreeing {{ unit }}s is given by both readings of a missing key, and the stricter
  one counts.
  {% endif %}
  {% if dropped %}Removed before release: {{ dropped | listed }}.{% endif %}
  {% if sampled %}
  The file was measured part by part: risks and losses are those of all {{ unit }}s, distributions and correlations
  those of a sample of {{ "{:,}".format(sampled) }}.
  {% endif %}
</p>
<p>
  The intruder is assumed to know
  {% if edges is number %}<strong>{{ known_links }}</strong>{% if known %} and {% endif %}{% endif %}
  {% if known %}<strong>{{ known | listed(30) }}</strong>{% elif edges is not number %}no attribute{% endif %}
  of {{ knows_records }}
  {%- if intruder.noise %}, with an error of {{ intruder.noise | percent }} of each attribute's standard deviation
  {%- else %}, without error{% endif %}
  {%- if intruder.knows_method and has_recipe %}, and to know the masking method and its parameters{% endif %}.
</p>
{% if attributes %}
<div class="table stacked compact"><table>
  <tr>
    <th>Attribute</th><th>Kind</th><th>Role</th><th>Known to the intruder</th>
    {% if not public %}<th>Values</th><th class="figure">Missing</th>{% endif %}
  </tr>
  {% for each in attributes %}
  <tr>
    <td class="strong">{{ each.name }}{% if each.label %}<p>{{ each.label }}</p>{% endif %}</td>
    <td data-label="Kind">{{ each.kind }}</td><td data-label="Role">{{ each.role }}</td>
    <td data-label="Known to the intruder">{{ "yes" if each.known else "no" }}</td>
    {% if not public %}
    <td data-label="Values">{{ "changed" if each.changed else "unchanged" }}</td>
    <td class="figure" data-label="Missing">{{ each.missing }}</td>
    {% endif %}
  </tr>
  {% endfor %}
</table></div>
{% endif %}
{% if left_out %}<p class="note">{{ left_out }} more attributes are not listed.</p>{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """Attributes with kind and role; counts of the original only in the internal edition."""
    release, intruder = dossier.release, dossier.intruder
    known = set(intruder.known_attributes(release))
    changed = None if public else set(changed_attributes(release))
    masked = release.masked.attributes
    return {
        "records": dossier.records,
        "sampled": None if dossier.sampled_from is None else len(release.masked),
        "unit": release.original.unit,
        "edges": release.masked.edge_count if isinstance(release.masked, Graph) else None,
        "kind_of_edges": release.masked.kind_of_edges if isinstance(release.masked, Graph) else None,
        "known_links": release.original.known_links if isinstance(release.original, Graph) else None,
        "suppressed": suppressed_records(release) if dossier.sampled_from is None else _counted_suppressed(dossier),
        "original_records": None if public else len(release.original),
        "dropped": ()
        if public
        else [each.name for each in release.original.attributes if each.name not in release.masked],
        "attributes": [
            {
                "name": each.name,
                "label": each.label,
                "kind": each.kind.title,
                "role": each.role.value,
                "known": each.name in known,
                "changed": None if changed is None else each.name in changed,
                "missing": None if public else _missing(release.original, release.masked, each.name),
            }
            for each in masked[:LIMIT]
        ],
        "left_out": max(0, len(masked) - LIMIT),
        "known": [name for name in release.shared_attributes() if name in known],
        "intruder": {"noise": intruder.noise, "knows_method": intruder.knows_method},
        "knows_records": _records(intruder, release.original.unit),
        "has_recipe": release.recipe is not None,
    }


def _counted_suppressed(dossier: Dossier) -> int:
    """How many released records have all keys missing, as a score of all records counted them."""
    return max((int(score.details.get("suppressed_records", 0)) for score in dossier.assessment.values()), default=0)


def _missing(original: Microdata, masked: Microdata, name: str) -> str:
    before = f"{original.missing(name):,}" if name in original else "–"
    after = f"{masked.missing(name):,}"
    return before if before == after else f"{before} → {after}"


def _records(intruder: Intruder, unit: str) -> str:
    known = intruder.records
    if known is None:
        return f"every {unit}"
    if isinstance(known, tuple):
        return f"{len(known):,} of the {unit}s"
    return f"a random {100 * known:.3g}% of the {unit}s"
