"""What was done: the steps of the recipe with their parameters, definitions and sources."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.parameters import parameters_of
from sdckit.reporting.words import words

TITLE = "What was done"
ORDER = 20


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """The steps in order; none where the file was masked elsewhere."""
    release = result.release
    if release.recipe is None:
        return {"steps": ()}
    touched = release.recipe.touched(release.original)
    return {
        "steps": [
            {
                "words": words(step.masking.name),
                "attributes": names,
                "parameters": [
                    {"name": each.name, "value": _told(getattr(step.masking, each.name)), "help": each.help}
                    for each in parameters_of(type(step.masking))
                ],
            }
            for step, names in zip(release.recipe.steps, touched, strict=True)
        ]
    }


def _told(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(_told(each) for each in value)
    return "not set" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
