"""Row agreement: do two plain files list the same records in the same order?

The columns that the recipe left unmasked are the evidence. They must agree in every row, and the agreement must mean
something: a file that was shuffled or sorted anew would not show it as well.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.kernels.equivalence_classes import class_of
from sdckit.microdata import Microdata, Role, same_value
from sdckit.recipe import Recipe
from sdckit.rows import Correspondence, Rows, Unknown, Unrelated, correspondence, in_order

COINCIDENCE = np.log(1e-9)  # the probability up to which a random order is excluded
SHOWN = 3  # column names in a message


def rows_by_agreement(original: Microdata, masked: Microdata, recipe: Recipe | None) -> Correspondence:
    """The correspondence that the two files show by themselves, or why they show none."""
    if recipe is not None and recipe.rows is Rows.SYNTHESISED:
        return Unrelated()
    if len(original) != len(masked):
        return Unknown(f"the original has {len(original):,} records and the masked file {len(masked):,}")
    if recipe is None:
        return Unknown("no recipe says which columns were left unmasked, so nothing shows that the rows are in order")
    names = unmasked_columns(original, masked, recipe)
    if not names:
        return Unknown(
            "the recipe masked every column that the two files share, so nothing shows the order of the rows"
        )
    differing = [name for name in names if not _equal(original, masked, name).all()]
    if differing:
        rows = int((~_equal(original, masked, differing[0])).sum())
        return Unknown(
            f"the recipe left {differing[0]!r} unmasked, and it differs in {rows:,} of {len(masked):,} rows: the rows "
            "are in another order, or the recipe is that of another file"
        )
    return _weighed(original, names)


def unmasked_columns(original: Microdata, masked: Microdata, recipe: Recipe) -> tuple[str, ...]:
    """The columns in both files, in the same form, that no step of the recipe touched."""
    touched = set().union(*recipe.touched(masked))
    grossed_up = {Role.WEIGHT} if recipe.rows is not Rows.KEPT else set()
    return tuple(
        each.name
        for each in original.attributes
        if each.name in masked
        and each.name not in touched
        and each.role not in grossed_up
        and each.coded == masked.attribute(each.name).coded
    )


def _weighed(original: Microdata, names: Sequence[str]) -> Correspondence:
    """Whether agreement on these columns shows the order of the rows."""
    from scipy.special import gammaln

    group, sizes = _groups(original, names)
    shown = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    if (sizes == 1).all():
        return in_order(len(original))
    by_coincidence = float(gammaln(sizes + 1).sum() - gammaln(len(original) + 1))
    if by_coincidence > COINCIDENCE:
        return Unknown(f"the unmasked columns ({shown}) would agree in another order, too: few records differ in them")
    runs = 1 + int((group[1:] != group[:-1]).sum())
    if runs == len(sizes):
        return Unknown(
            f"the original is sorted by the unmasked columns ({shown}), so they would agree after sorting the masked "
            "file anew, too"
        )
    return in_order(len(original))


def _groups(data: Microdata, names: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The group of each record that agrees on these columns, and the sizes of the groups."""
    group: NDArray[np.int64] = class_of(data.codes(names).astype(np.int64)).of
    return group, np.bincount(group)


def _equal(original: Microdata, masked: Microdata, name: str) -> NDArray[np.bool_]:
    before, after = original.columns[name], masked.columns[name]
    same: NDArray[np.bool_] = before == after
    return same if original.attribute(name).coded else same | (np.isnan(before) & np.isnan(after))


def rows_matched_on(original: Microdata, masked: Microdata, column: str) -> Correspondence:
    """The correspondence that a column shows whose values identify the records in both files."""
    numbers: dict[str, int] = {}
    for file, title in ((original, "original"), (masked, "masked file")):
        if column not in file:
            raise SchemaError(f"the {title} has no column {column!r} to match the rows on")
    for record, value in enumerate(_texts(original, column)):
        if value in numbers:
            raise SchemaError(f"{column!r} cannot match the rows: {value!r} appears twice in the original")
        numbers[value] = record
    origin = [numbers.get(value, -1) for value in _texts(masked, column)]
    strangers = [value for value, record in zip(_texts(masked, column), origin, strict=True) if record < 0]
    if strangers:
        raise SchemaError(
            f"{column!r} cannot match the rows: {len(strangers):,} of its values in the masked file, such as "
            f"{strangers[0]!r}, are not in the original (were the two files exchanged?)"
        )
    return correspondence(np.array(origin, dtype=np.int64), len(original))


def _texts(data: Microdata, column: str) -> list[str]:
    if data.missing(column):
        raise SchemaError(f"{column!r} cannot match the rows: {data.missing(column):,} of its values are missing")
    return [same_value(value) for value in data.values(column).tolist()]
