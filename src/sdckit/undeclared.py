"""Undeclared columns: what the schema of a file does not name must not be released silently."""

from sdckit.errors import SchemaError
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe

LISTED = 5  # columns in a message


def refuse_undeclared(original: Microdata, recipe: Recipe) -> None:
    """Refuse to release a column unmasked that the schema of the original does not name."""
    masked = set().union(*recipe.touched(original))
    named = original.names(role=[each for each in Role if each is not Role.IDENTIFIER])
    silent = [name for name in original.form.undeclared if name in named and name not in masked]
    if silent:
        it, they = ("it", "it") if len(silent) == 1 else ("them", "they")
        raise SchemaError(
            f"the schema does not name {_listed(silent)}, and no step masks {it}: {they} would be released unchanged; "
            f'declare {it} (role = "identifier" leaves a column out, role = "other" keeps it), or '
            f"allow {it} (--allow-undeclared, allow_undeclared=True)"
        )


def _listed(names: list[str]) -> str:
    """The names, or the first of them and the number of the others."""
    quoted = [repr(name) for name in names]
    if len(names) > LISTED:
        return f"{', '.join(quoted[:LISTED])} and {len(names) - LISTED} more"
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
