"""Glossary: the definition of each measure and method in the report, with its source."""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.reporting.main_figures import main_losses, main_risks
from sdckit.reporting.words import Words, words

TITLE = "Glossary and sources"
ORDER = 95


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """What was done and the main measures; then the others that were measured, and those that did not apply."""
    recipe = result.release.recipe
    methods = [step.masking.name for step in recipe.steps] if recipe else []
    main = [*methods, *(risk.score.name for risk in main_risks(result)), *(score.name for score in main_losses(result))]
    others = [name for name in (*result.scores, *result.skipped) if name not in main]
    return {"terms": _defined(main), "others": _defined(others)}


def _defined(names: Iterable[str]) -> list[Words]:
    return [term for term in map(words, dict.fromkeys(names)) if term.definition]
