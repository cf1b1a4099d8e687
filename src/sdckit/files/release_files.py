"""A release from the files on disk: the original, the masked file, its recipe, and how the rows correspond."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Secret
from sdckit.errors import SchemaError
from sdckit.files import read
from sdckit.files.key_file import read_key
from sdckit.microdata import Kind, Microdata
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.release_table import ReleaseTable
from sdckit.row_agreement import disagreement, rows_by_agreement, rows_matched_on
from sdckit.rows import Correspondence, Rows, Unknown, Unrelated, in_order
from sdckit.schema import Declared, Schema

NOT_DESCRIBED = (
    "the recipe does not say which masked file it describes (`protect --recipe-out` writes that), so nothing shows "
    "that the two files are not exchanged"
)


def read_release(
    original: str | Path,
    masked: str | Path,
    *,
    schema: Schema | None = None,
    recipe: str | Path | None = None,
    key: str | Path | None = None,
    match_on: str | None = None,
    rows_in_order: bool = False,
    allow_code: Iterable[str | Path] = (),
    **options: Any,
) -> Release:
    """The release of two files; how its rows correspond comes from the first of these that is given.

    Parameters
    ----------
    key: the private key file of the release
    match_on: a column whose values identify the records in both files
    rows_in_order: row i belongs to record i, as the caller confirms
    allow_code: Python files whose functions the recipe may name
    options: those of reading the original, such as the sheet of a workbook

    Without any of them, the columns that the recipe left unmasked must show that the rows are in order; otherwise the
    correspondence of the release is `Unknown`. A recipe that describes another masked file is refused, and one that
    describes none, because it was written by hand, shows nothing.
    """
    declared = schema or Schema()
    made_by = None if recipe is None else Recipe.from_toml(recipe, allow_code=allow_code)
    before, after = read(original, declared, **options), read_masked(masked, declared)
    unlinked = Release(before, after, made_by, Unrelated())
    described = None if recipe is None else ReleaseTable.from_toml(recipe)
    if described is not None:
        described.check(unlinked.original, unlinked.masked)
    guessable = described is not None and described.guessable_seed
    if key is not None:
        linked = read_key(key).release(before, after, made_by)
        if linked.corresponds:
            refuse_forged_rows(linked)
        return replace(linked, secret=Secret.unknown(guessable=True)) if guessable and linked.secret is None else linked
    secret = Secret.unknown(guessable=True) if guessable else None
    if described is None and made_by is not None and match_on is None and not rows_in_order:
        return replace(unlinked, rows=Unknown(NOT_DESCRIBED), secret=secret)
    return replace(unlinked, rows=_rows(unlinked, match_on, rows_in_order), secret=secret)


def _rows(release: Release, match_on: str | None, rows_in_order: bool) -> Correspondence:
    original, masked, recipe = release.original, release.masked, release.recipe
    if recipe is not None and recipe.rows is Rows.SYNTHESISED:
        return Unrelated()
    if match_on is not None:
        matched = rows_matched_on(original, masked, match_on, recipe)
        refuse_disagreement(release, matched.origin, f"the rows cannot be matched on {match_on!r}")
        return matched
    if rows_in_order:
        if len(original) != len(masked):
            raise SchemaError(
                f"the original has {len(original):,} records and the masked file {len(masked):,}, so the rows cannot "
                "be in order; give the key file (--key) or name a column to match the rows on (--match-on)"
            )
        ordered = in_order(len(original))
        refuse_disagreement(release, ordered.origin, "the rows cannot be in order")
        return ordered
    return rows_by_agreement(original, masked, recipe)


def refuse_disagreement(release: Release, origin: NDArray[np.int64], claim: str) -> None:
    """Refuse a correspondence that the columns left unmasked contradict."""
    reason = disagreement(release.original, release.masked, release.recipe, origin)
    if reason is not None:
        raise SchemaError(f"{claim}: {reason}; give the key file (--key), or a recipe that names all columns masked")


def refuse_forged_rows(release: Release) -> None:
    """Refuse the rows of a key that the columns left unmasked contradict."""
    reason = disagreement(release.original, release.masked, release.recipe, release.origin)
    if reason is not None:
        raise SchemaError(f"the rows of the key do not fit the two files: {reason}; restore the key from a copy")


def read_masked(path: str | Path, schema: Schema | None = None) -> Microdata:
    """The masked file with its own types; of the original's schema, missing values and categories apply."""
    masked = read(path, mixtures=True)
    declared = masked_schema(schema or Schema(), masked.columns)
    return read(path, declared, mixtures=True) if declared.attributes else masked


def read_released(path: str | Path, schema: Schema | None = None) -> Microdata:
    """A released file under the schema of the original; dropped columns, such as identifiers, are not errors."""
    names = [each.name for each in read(path, mixtures=True).attributes]
    declared = schema or Schema()
    still_there = {name: declaration for name, declaration in declared.attributes.items() if name in names}
    return read(path, Schema(still_there, declared.edits.among(names)), mixtures=True)


def masked_schema(declared: Schema, masked: Collection[str]) -> Schema:
    """What is declared of the columns of the original and holds for those of the masked file, whose values may differ.

    That is which values mean a missing one, and which columns have categories: '2.0' and '2020-01-31' are then read as
    text, as in the original, and not as a number and a date.
    """
    return Schema(
        {
            name: Declared(Kind.UNORDERED if _categorical(declaration) else None, missing=declaration.missing)
            for name, declaration in declared.attributes.items()
            if name in masked and (declaration.missing or _categorical(declaration))
        }
    )


def _categorical(declaration: Declared) -> bool:
    return declaration.categories is not None or bool(declaration.kind and declaration.kind & Kind.CATEGORICAL)
