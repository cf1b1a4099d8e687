"""What is written beside a masked file, and what its user is warned of as it is written."""

from pathlib import Path
from typing import TYPE_CHECKING

from sdckit.cli.inputs import write_text
from sdckit.cli.terminal import Terminal, count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe
    from sdckit.release import Release
    from sdckit.release_table import ReleaseTable
    from sdckit.schema import Schema

GUESSABLE_SEED = (
    "the seed is short, so anybody can find it by trying and undo the masking: leave out --seed for a file that is "
    "to be published"
)


def describe_release(
    release: "Release",
    masked: Path,
    schema: "Schema | None",
    recipe_out: Path | None,
    key_out: Path | None,
    *,
    force: bool,
) -> None:
    """Write the recipe and the private key of the masked file as it is read again: a format may round its values.

    Both are on disk before the masked file has its name: a file whose key was never written could not be assessed.
    """
    from dataclasses import replace

    from sdckit.files.key_file import write_key
    from sdckit.files.release_files import read_masked
    from sdckit.key import Key
    from sdckit.release_table import ReleaseTable

    release = replace(release, masked=read_masked(masked, schema))
    if recipe_out is not None and release.recipe is not None:
        table = ReleaseTable.of(release.masked, guessable_seed=release.guessable_seed)
        write_recipe(recipe_out, table, release.recipe, release.masked, force=force)
    if key_out is not None:
        write_key(Key.of(release), key_out, force=force)


def write_recipe(
    path: Path, table: "ReleaseTable", recipe: "Recipe", masked: "Microdata", *, force: bool = False
) -> None:
    """Write the recipe of a masked file, for its owner alone where it has texts that may be values of the original."""
    from sdckit.evaluation.publishable_parameters import withheld_parameters

    private = any(withheld_parameters(step.masking, masked) for step in recipe.steps)
    write_text(path, table.recipe_toml(recipe), force=force, private=private)


def warnings_of(release: "Release") -> list[str]:
    """What shows masked values or identifies records in a masked file that is being written, a sentence each."""
    from sdckit.evaluation.changed_attributes import unchanged_warnings
    from sdckit.evaluation.copy_checks import copy_warnings
    from sdckit.evaluation.derived_columns import derived_warnings
    from sdckit.evaluation.household_checks import household_warnings
    from sdckit.evaluation.release_warnings import digit_warnings, identifier_warnings
    from sdckit.evaluation.shown_groups import group_warnings
    from sdckit.row_order import order_warnings

    found = (
        *(unchanged_warnings, copy_warnings, identifier_warnings),
        *(order_warnings, digit_warnings, derived_warnings, household_warnings, group_warnings),
    )
    return [message for warnings in found for message in warnings(release)]


def missing_code_notes(data: "Microdata", schema: "Schema | None", target: Path) -> list[str]:
    """One sentence where values that the schema declares as codes of missing ones are written as empty cells.

    That is so in a format without room for them, and where values of the column were suppressed: they would show.
    """
    from sdckit.files.formats import format_of

    declared = {} if schema is None else schema.attributes
    names = [name for name, each in declared.items() if each.missing and name in data and data.missing(name)]
    form = format_of(target.suffix)
    written = {} if form is None else form.codes(data)
    return empty_cell_notes(name for name in names if name not in written)


def empty_cell_notes(names: "Iterable[str]") -> list[str]:
    """The sentence that names columns whose codes of missing values are not written."""
    left = [repr(name) for name in names]
    return [f"the codes of missing values in {', '.join(left)} are written as empty cells"] if left else []


def warn_of_formulas(terminal: Terminal, cells: int, *, escaped: bool) -> None:
    """Warn of cells that a spreadsheet would run."""
    if cells and not escaped:
        terminal.warn(
            f"a spreadsheet would run {count(cells, 'cell')} as a formula; --escape-formulas disarms such cells"
        )


def path_text(path: Path | None) -> str | None:
    """A path as JSON has it."""
    return None if path is None else str(path)
