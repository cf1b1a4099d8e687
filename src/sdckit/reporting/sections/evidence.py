"""Evidence: why the claims of highest confidence are made, in the internal edition only."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.evidence import KINDS, waterfall
from sdckit.evaluation.dossier import Dossier

TITLE = "Evidence for the claims of highest confidence"
ORDER = 51
NEEDS = ("attack",)
PUBLIC = False  # names records
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  The intruder's correct claims of highest confidence, by the number of the {{ unit }} in the original file.
  Each bar is what an attribute adds to the logarithm of the likelihood ratio between the claimed row and the next one:
  to the right it points at the claimed row, to the left at the next one. The other {{ unit }}s count too, since no two
  of them share a row. A bar labelled “impossible” excludes the next row by itself.
</p>
<div class="grid">{% for each in charts %}{{ figure(each) }}{% endfor %}</div>
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """None where no claim is explained."""
    explained = () if dossier.attack is None else dossier.attack.explanations
    charts = [waterfall(each) for each in explained if each.weights]
    return {"charts": charts, "kinds": list(KINDS)} if charts else None
