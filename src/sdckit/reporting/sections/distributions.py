"""Distributions: before and after in the internal edition, of the released file alone in the public one."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.distributions import distribution
from sdckit.charts.released_distributions import released_distribution
from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.evaluation.dossier import Dossier
from sdckit.microdata import Role

TITLE = "Distributions"
ORDER = 60
LIMIT = 24  # attributes drawn
TEMPLATE = """
{% from "figures.html" import figure with context %}
{% if public %}
<p>
  Distributions in the released file. Bins and categories of fewer than ten {{ unit }}s are not shown; values beyond the
  axis are counted in the last bins.
</p>
{% elif charts %}
<p class="key">
  <span style="--swatch:#bac0c7">before</span><span style="--swatch:#c3dcec;--edge:#0067a8">after</span>
</p>
<p class="note">Share of {{ unit }}s. Values beyond the axis are counted in the last bins.</p>
{% else %}
<p>No attribute that both files have in the same form was changed.</p>
{% endif %}
<div class="grid">
{% for chart in charts %}{{ figure(chart) }}{% endfor %}
</div>
{% if left_out %}
<p class="note">Not drawn: {{ left_out | length }} more attributes are left out ({{ left_out | listed }}).</p>
{% endif %}
{% if unchanged %}<p class="note">Unchanged: {{ unchanged | listed(30) }}.</p>{% endif %}
{% if recoded %}
<p class="note">Not drawn, since numbers in one file are categories in the other: {{ recoded | listed }}.</p>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """A histogram or bars for each attribute that changed; in public, for each that is released."""
    release = dossier.release
    if public:
        names = release.masked.names(role=set(Role) - {Role.IDENTIFIER, Role.HOUSEHOLD})
        charts = [released_distribution(release.masked, name) for name in names[:LIMIT]]
        return {"charts": charts, "left_out": names[LIMIT:], "unchanged": (), "recoded": ()} if charts else None
    names = changed_attributes(release)
    both = [each.name for each in release.original.attributes if each.name in release.masked]
    return {
        "charts": [distribution(release, name) for name in names[:LIMIT]],
        "left_out": names[LIMIT:],
        "unchanged": [name for name in release.shared_attributes() if name not in names],
        "recoded": [
            name for name in both if release.original.attribute(name).coded != release.masked.attribute(name).coded
        ],
    }
