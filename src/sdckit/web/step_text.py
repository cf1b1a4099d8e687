"""A step in a few words, for the recipe and the history."""

from sdckit.parameters import parameters_of
from sdckit.recipe import Step
from sdckit.web.forms import text_of


def step_values(step: Step) -> list[tuple[str, str]]:
    """The parameters that differ from their defaults; the first one where none does."""
    declared = parameters_of(type(step.masking))
    values = step.masking.parameters()
    changed = [each for each in declared if values[each.name] != each.default] or list(declared[:1])
    return [(each.name, text_of(values[each.name])) for each in changed if text_of(values[each.name])]


def step_label(step: Step) -> str:
    """The method and its parameters."""
    text = ", ".join(f"{name}={value}" for name, value in step_values(step))
    return f"{step.masking.name} ({text})" if text else step.masking.name
