"""The graph: degrees and spectrum before and after, and a picture of a small graph, in the internal edition."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.graph_structure import draw
from sdckit.evaluation.dossier import Dossier
from sdckit.graph import Graph

TITLE = "The graph"
ORDER = 58
PUBLIC = False  # draws the original
TEMPLATE = """
{% from "figures.html" import figure with context %}
<p>
  The graph has {{ "{:,}".format(nodes) }} nodes; it had {{ "{:,}".format(edges) }} {{ kind }} and has
  {{ "{:,}".format(masked_edges) }} {{ masked_kind if masked_kind != kind }} after masking.
  {% if unique %}Before masking, {{ unique }} of the nodes were unique by the degrees of their neighbours.{% endif %}
</p>
{% for chart in charts %}{{ figure(chart, roomy=true) }}{% endfor %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """The charts of a graph; None for a file without edges."""
    original, masked = dossier.release.original, dossier.release.masked
    if not isinstance(original, Graph) or not isinstance(masked, Graph):
        return None
    return {
        "nodes": len(original),
        "edges": original.edge_count,
        "masked_edges": masked.edge_count,
        "kind": original.kind_of_edges,
        "masked_kind": masked.kind_of_edges,
        "unique": _unique(dossier),
        "charts": draw(dossier, public=public),
    }


def _unique(dossier: Dossier) -> str | None:
    """The share of nodes unique by H₂ before masking, where it was measured."""
    from sdckit.formatting import percent

    score = dossier.assessment.before.get("refinement-attack")
    by_round = {} if score is None else score.details.get("by_round", {})
    return percent(by_round["H2"]["unique"]) if "H2" in by_round else None
