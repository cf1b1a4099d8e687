"""How to read the figures."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.dossier import Dossier

TITLE = "How to read this report"
ORDER = 90
TEMPLATE = """
<ul class="plain">
  <li>
    <strong>Risk</strong> is a share of {{ unit }}s re-identified or of values disclosed, as each measure defines. 0%
    means that this attack failed; another attack may succeed.
  </li>
  <li>
    <strong>Guessing</strong> is what an intruder reaches who has the file but does not use its values. A safe file has
    a risk close to guessing.
  </li>
  <li><strong>Before</strong> is the same attack on the original file with its identifiers removed.</li>
  <li>
    <strong>The 95% interval</strong> is where the figure would lie for other {{ unit }}s of the same kind. With few
    {{ unit }}s it is wide.
  </li>
  <li>
    <strong>Loss</strong> is 0 when nothing changed by that measure. Read it together with the analyses that the file is
    meant for.
  </li>
  <li>
    <strong>The label above the verdict</strong> only compares: <em>no better than guessing</em> if the interval reaches
    down to guessing, <em>hardly reduced</em> if more than half of the risk before masking remains, else <em>reduced,
    but not removed</em>. It is not an approval: whether a risk is acceptable is for those responsible for the file.
  </li>
{% if public %}
  <li>
    <strong>This edition</strong> contains no {{ unit }}, no value of the original and no random draw; figures are
    rounded to three digits.
  </li>
{% endif %}
</ul>
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """The same in every report."""
    return {}
