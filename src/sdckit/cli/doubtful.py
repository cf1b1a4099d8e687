"""Columns that no schema describes and that are probably no keys: `protect` leaves them unmasked, and says so."""

from typing import TYPE_CHECKING

from sdckit.cli.terminal import Terminal

if TYPE_CHECKING:
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe


def steps_without_doubtful(
    terminal: Terminal, steps: "Recipe", data: "Microdata", sample: "Microdata | None" = None
) -> "Recipe":
    """The steps without the columns that are probably no keys, which no schema says."""
    from sdckit.files.doubtful_keys import without_doubtful

    steps, left_out = without_doubtful(steps, data, sample)
    if left_out:
        named, verb = ", ".join(map(repr, left_out)), "are" if len(left_out) > 1 else "is"
        terminal.warn(
            f"without a schema, {named} {verb} not masked: "
            "probably codes, weights or identification numbers (`sdckit describe` gives the reasons); name columns "
            "to mask by --attributes, or declare roles in a schema"
        )
    return steps
