"""Doubtful keys: numbers that no schema describes and that a masking of numbers would spoil.

Without a schema every number is a key. An identification number, a survey weight, the number of a household and a code
such as that of the sex are numbers, too, and no method of numbers should mask them silently.
"""

from collections.abc import Sequence

from sdckit.attribute import Kind, Role
from sdckit.errors import SchemaError
from sdckit.files.infer_schema import infer_schema
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.rows import Rows

NO_MEASUREMENT = (Role.IDENTIFIER, Role.WEIGHT, Role.HOUSEHOLD)


def doubtful_keys(data: Microdata) -> dict[str, str]:
    """The numbers that are probably no measurements, each with the reason."""
    guess = infer_schema(data)
    found = {}
    for each in data.attributes:
        declared = guess.schema.attributes[each.name]
        role = declared.role or each.role
        coded = declared.kind is not None and bool(declared.kind & Kind.CATEGORICAL)
        if not each.coded and each.role is Role.KEY and (role in NO_MEASUREMENT or coded):
            found[each.name] = "; ".join(guess.reasons[each.name])
    return found


def without_doubtful(recipe: Recipe, data: Microdata, sample: Microdata | None = None) -> tuple[Recipe, dict[str, str]]:
    """The recipe without the doubtful keys in steps that name no attributes, and these keys with the reasons.

    Of a file that is not in memory, the values of a sample show which keys are doubtful.
    """
    doubtful: dict[str, str] | None = None
    left_out: dict[str, str] = {}
    steps = []
    for step in recipe.steps:
        names: Sequence[str] = step.attributes
        if not names and step.masking.rows is Rows.KEPT and step.masking.domain is Microdata:
            doubtful = doubtful_keys(data if sample is None else sample) if doubtful is None else doubtful
            chosen = step.masking.chosen(data, ())
            names = tuple(name for name in chosen if name not in doubtful)
            left_out |= {name: doubtful[name] for name in chosen if name in doubtful}
            if chosen and not names:
                listed = ", ".join(f"{name!r} ({doubtful[name]})" for name in chosen)
                raise SchemaError(
                    f"without a schema, {step.masking.name} would mask {listed}; name the columns to mask "
                    "(--attributes), or draft a schema (`sdckit describe FILE --schema-out schema.toml`)"
                )
            names = names if left_out else ()
        steps.append(Step(step.masking, tuple(names)))
    return Recipe(tuple(steps)), left_out
