"""Bands beyond memory: texts of bands in a masked file become the numbers that represent them, as in memory."""

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute
from sdckit.bands import Bands
from sdckit.engines.engine import Engine
from sdckit.engines.parts import WorkingFile
from sdckit.errors import SdcError
from sdckit.recipe import Recipe, Step, refuse_other_bands
from sdckit.released_bands import RecodesToBands, banded, representing

STAGE = "masked bands"


def read_bands(masked: WorkingFile, original: WorkingFile, recipe: Recipe, engine: Engine) -> WorkingFile:
    """The masked file with numbers instead of the texts of bands, where the recipe says what the bands are.

    A column that has other texts, as after a change by hand, is left unchanged.
    """
    for step, names in zip(recipe.steps, recipe.touched(original.header), strict=True):
        if not isinstance(step.masking, RecodesToBands):
            continue
        for name in names:
            if name not in masked.stage_of or masked.header.attribute(name).bands is not None:
                continue
            with suppress(SdcError):  # the recipe is that of another file: the column is compared as it is
                bands = step.masking.bands_of(original.in_memory([name]), name)
                masked = _numbered(masked, original.header.attribute(name), bands, engine)
    return masked


def _numbered(masked: WorkingFile, original: Attribute, bands: Bands, engine: Engine) -> WorkingFile:
    name = original.name
    values = distinct(masked, name)
    numbers = representing(masked.header.attribute(name), values, original, bands)
    if numbers is None:
        return masked

    def kernel(part: int) -> None:
        if not masked.written(f"{STAGE} {name}", part):
            column = masked.columns(part, [name])[name]
            masked.write(f"{STAGE} {name}", part, {name: numbers[np.searchsorted(values, column)]})

    engine.run(kernel, range(len(masked.cut)))
    return masked.after(f"{STAGE} {name}", [name], [banded(original, bands)])


def refuse_computed_bands(step: Step, before: WorkingFile, after: WorkingFile) -> None:
    """Refuse a step that computed with the numbers that represent bands."""
    for name in step.attributes:
        attribute = before.header.attribute(name)
        if attribute.bands is not None and name in after.stage_of:
            values = [distinct(file, name) for file in (before, after)]
            numbers, masked = (each[each >= 0] if attribute.coded else each[~np.isnan(each)] for each in values)
            refuse_other_bands(step, name, numbers, masked)


def distinct(file: WorkingFile, name: str) -> NDArray[np.float64] | NDArray[np.int32]:
    """The distinct values of a column, in ascending order."""
    found = np.empty(0, np.int32 if file.header.attribute(name).coded else np.float64)
    return np.unique(np.concatenate([found, *(np.unique(columns[name]) for columns in file.batches([name]))]))
