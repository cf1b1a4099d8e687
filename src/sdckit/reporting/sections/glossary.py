"""Glossary: the definition of each measure and method in the report, with its source."""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.evaluation.component_descriptions import ComponentDescription, describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import main_losses, main_risks

TITLE = "Glossary and sources"
ORDER = 95
TEMPLATE = """
{% from "figures.html" import folded with context %}
{% macro list(terms) %}
<dl>
{% for term in terms %}
  <dt>{{ term.title }}<code>{{ term.name }}</code></dt>
  <dd>
    <p>{{ term.definition | prose }}</p>
    {% if term.formula %}<p class="formula">{{ term.formula }}</p>{% endif %}
    {% for remark in term.remarks %}<p class="note">{{ remark | prose }}</p>{% endfor %}
    {% if term.source %}<p class="source">Source: {{ term.source }}</p>{% endif %}
  </dd>
{% endfor %}
</dl>
{% endmacro %}
{{ list(terms) }}
{% if others %}
{% call folded(others | length ~ " more measures") %}
{{ list(others) }}
{% endcall %}
{% endif %}
"""


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """The methods and the main measures; then the others that were measured, and those that did not apply."""
    result, recipe = dossier.assessment, dossier.release.recipe
    methods = [step.masking.name for step in recipe.steps] if recipe else []
    main = [*methods, *(risk.score.name for risk in main_risks(result)), *(score.name for score in main_losses(result))]
    others = [name for name in (*result.scores, *result.skipped) if name not in main]
    return {"terms": _defined(main), "others": _defined(others)}


def _defined(names: Iterable[str]) -> list[ComponentDescription]:
    return [term for term in map(describe_component, dict.fromkeys(names)) if term.definition]
