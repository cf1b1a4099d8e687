"""Glossary: the definition of each measure and method in the report, with its source."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.report.words import words

TITLE = "Glossary and sources"
ORDER = 95


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """What was measured, what did not apply, and what was done."""
    recipe = result.release.recipe
    methods = [step.masking.name for step in recipe.steps] if recipe else []
    terms = [words(name) for name in dict.fromkeys([*methods, *result.scores, *result.skipped])]
    return {"terms": [term for term in terms if term.definition]}
