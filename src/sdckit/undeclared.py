"""Undeclared columns: what the schema of a file does not name must not be released silently."""

from sdckit.errors import SchemaError
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe


def refuse_undeclared(original: Microdata, recipe: Recipe) -> None:
    """Refuse to release a column unmasked that the schema of the original does not name."""
    masked = set().union(*recipe.touched(original))
    named = original.names(role=[each for each in Role if each is not Role.IDENTIFIER])
    silent = [name for name in original.form.undeclared if name in named and name not in masked]
    if silent:
        others = f" and {len(silent) - 1} more columns" if len(silent) > 1 else ""
        raise SchemaError(
            f"the schema does not name {silent[0]!r}{others}, and no step masks it: it would be released unchanged; "
            'declare it (role = "identifier" leaves it out, role = "other" keeps it), or allow it (--allow-undeclared, '
            "allow_undeclared=True)"
        )
