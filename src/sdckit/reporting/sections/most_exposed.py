"""Most exposed: the records at highest risk with the values of their keys, in the internal edition only."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.most_exposed import most_exposed
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import main_risks
from sdckit.evaluation.most_exposed import key_values
from sdckit.microdata import Role

TITLE = "Who is most exposed"
ORDER = 50
PUBLIC = False  # names records
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  The {{ unit }}s with the highest mean of the risks below, numbered as in the original file: 1 is the first {{ unit }}.
  Risks that are equal for all {{ unit }}s are left out. Consider masking these {{ unit }}s more, or suppressing them.
</p>
{{ figure(chart, title=false, roomy=true) }}
{% if rows | default(()) %}
<p class="note">The values of their keys in the original file:</p>
<div class="table stacked"><table>
  <tr><th>{{ unit | capitalize }}</th>{% for name in names %}<th>{{ name }}</th>{% endfor %}</tr>
  {% for row in rows %}
  <tr>
    <td class="strong">{{ row.record }}</td>
    {% for text in row.texts %}<td data-label="{{ names[loop.index0] }}">{{ text or "missing" }}</td>{% endfor %}
  </tr>
  {% endfor %}
</table></div>
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no record stands out."""
    release = dossier.release
    chart = most_exposed((risk.score for risk in main_risks(dossier.assessment)), release.original.unit)
    if chart is None:
        return None
    numbers = list(dict.fromkeys(int(each["record"]) for each in chart.records))
    names = release.original.names(role=Role.KEY)
    keys = key_values(release, [number - 1 for number in numbers])
    rows = [
        {"record": number, "texts": [values[name] for name in names]}
        for number, values in zip(numbers, keys, strict=True)
    ]
    return {"chart": chart, "names": names, "rows": rows if names else ()}
