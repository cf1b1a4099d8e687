"""Masking: the steps of the recipe with their parameters, definitions and sources."""

from collections.abc import Mapping
from typing import Any

from sdckit.attribute import Level
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.graph import Graph
from sdckit.parameters import parameters_of

TITLE = "How the file was masked"
ORDER = 20
TEMPLATE = """
{% if not steps %}
<p>The file was masked elsewhere, and no recipe is known: the report shows how the files differ, not why.</p>
{% else %}
<ol class="steps">
{% for step in steps %}
  <li>
    <h3>{{ step.words.title }} <code>{{ step.words.name }}</code></h3>
    <p>{{ step.words.definition | prose }}</p>
    {% if step.words.formula %}<p class="formula">{{ step.words.formula }}</p>{% endif %}
    {% if step.parameters %}
    <div class="table stacked"><table>
      <tr><th>Parameter</th><th>Value</th><th>Meaning</th></tr>
      {% for each in step.parameters %}
      <tr>
        <td><code>{{ each.name }}</code></td>
        <td class="strong" data-label="Value">{{ each.value }}</td>
        <td>{{ each.help }}</td>
      </tr>
      {% endfor %}
    </table></div>
    {% endif %}
    <p>Applied to {{ step.attributes | listed(30) or step.otherwise or "no attribute" }}.</p>
    {% if step.words.source %}<p class="source">Source: {{ step.words.source }}</p>{% endif %}
  </li>
{% endfor %}
</ol>
{% if draws_can_be_guessed %}
<p class="warning">
  <strong>The draws came from a short seed.</strong> It can be found by trying, and then the masking can be undone:
  mask the file again without a seed before it is published.
</p>
{% endif %}
{% endif %}
"""


HOUSEHOLD_LEVEL = {"name": "level", "value": "household", "help": "one value for all members of a household"}


def content(dossier: Dossier, *, public: bool) -> Mapping[str, Any] | None:
    """The steps in order; none where the file was masked elsewhere."""
    release = dossier.release
    if release.recipe is None:
        return {"steps": ()}
    touched = release.recipe.touched(release.original)
    return {
        "steps": [
            {
                "words": describe_component(step.masking.name),
                "attributes": names,
                "otherwise": "the edges" if step.masking.domain is Graph else "no attribute",
                "parameters": [
                    {"name": each.name, "value": _text(getattr(step.masking, each.name)), "help": each.help}
                    for each in parameters_of(type(step.masking))
                ]
                + ([HOUSEHOLD_LEVEL] if step.masking.acts_on is Level.HOUSEHOLD else []),
            }
            for step, names in zip(release.recipe.steps, touched, strict=True)
        ],
        "draws_can_be_guessed": release.guessable_seed and not public,
    }


def _text(value: Any) -> str:
    if value in ((), [], ""):
        return "not set"
    if isinstance(value, tuple | list):
        return ", ".join(_text(each) for each in value)
    return "not set" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
