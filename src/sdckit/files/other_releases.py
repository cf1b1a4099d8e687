"""Other releases of the same file, from their files, linked to the rows of the release that is attacked."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sdckit.errors import ParameterError, SchemaError, private
from sdckit.files.release_files import read_masked
from sdckit.intruder import OtherRelease
from sdckit.microdata import Microdata, same_value
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.schema import Schema


def other_releases(
    release: Release,
    files: Sequence[Path],
    recipes: Sequence[Path] = (),
    *,
    linked_by: str | None = None,
    in_order: bool = False,
    schema: Schema | None = None,
    allow_code: Sequence[Path] = (),
) -> tuple[OtherRelease, ...]:
    """The other releases; their recipes in the same order. Rows are linked by a column, or by their order."""
    if recipes and len(recipes) != len(files):
        raise ParameterError(
            f"{len(files)} other releases and {len(recipes)} recipes are named; give --also-recipe once for each "
            "--also-released, or not at all"
        )
    found = []
    for number, path in enumerate(files):
        masked = read_masked(path, schema)
        recipe = Recipe.from_toml(recipes[number], allow_code=allow_code) if recipes else None
        if in_order and len(masked) != len(release.masked):
            raise ParameterError(
                f"{path} has {len(masked)} rows and the release {len(release.masked)}: they are not in the same order; "
                "leave out --also-rows-in-order"
            )
        links = _links(release.masked, masked, linked_by) if linked_by is not None else None
        found.append(OtherRelease.in_order(masked, recipe) if in_order else OtherRelease(masked, recipe, links))
    return tuple(found)


def _links(masked: Microdata, other: Microdata, column: str) -> np.ndarray:
    """The other's row with the same value of a column, for each row; −1 where there is none or the value is missing."""
    row_of: dict[str, int] = {}
    values = other.values(other.attribute(column).name)
    for row in np.flatnonzero(~other.absent(column)).tolist():
        text = same_value(values[row])
        if text in row_of:
            raise SchemaError(
                f"{column!r} has the value {private(text)} twice in the other release; link by another column"
            )
        row_of[text] = row
    values = masked.values(masked.attribute(column).name)
    links = [row_of.get(same_value(value), -1) for value in values]
    return np.where(masked.absent(column), -1, np.array(links, dtype=np.int64))
