"""Row agreement: do two plain files list the same records in the same order?

The columns that the recipe left unmasked are the evidence. They must agree in every row, and the agreement must mean
something: a file that was shuffled or sorted anew would not show it as well.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError, near_miss, private
from sdckit.household_numbers import order_of_appearance
from sdckit.kernels.equivalence_classes import class_of
from sdckit.microdata import Microdata, Role, same_value
from sdckit.recipe import Recipe
from sdckit.rows import NOBODY, Correspondence, Matched, Rows, Sampled, Unknown, Unrelated, correspondence, in_order

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
    differing = disagreement(original, masked, recipe, np.arange(len(masked)))
    if differing:
        return Unknown(differing)
    rows = np.arange(len(masked))
    renumbered = [
        name
        for name in names
        if original.attribute(name).role is Role.HOUSEHOLD and not _equal(original, masked, name, rows, rows).all()
    ]
    return _significance(original, [name for name in names if name not in renumbered])


def disagreement(
    original: Microdata, masked: Microdata, recipe: Recipe | None, origin: NDArray[np.int64]
) -> str | None:
    """Why row i cannot be that of record `origin[i]`: a column left unmasked differs; None where none does."""
    if recipe is None or recipe.rows is Rows.SYNTHESISED:
        return None
    rows = np.flatnonzero(origin != NOBODY)
    for name in unmasked_columns(original, masked, recipe):
        differing = int((~_agrees(original, masked, name, origin[rows], rows)).sum())
        if differing:
            return (
                f"the recipe left {name!r} unmasked, and it differs in {differing:,} of {len(rows):,} rows: the rows "
                "are in another order, or the recipe is that of another file"
            )
    return None


def unmasked_columns(original: Microdata, masked: Microdata, recipe: Recipe) -> tuple[str, ...]:
    """The columns in both files, in the same form, that no step of the recipe touched."""
    touched = _masked_columns(masked, recipe)
    grossed_up = {Role.WEIGHT} if recipe.rows is not Rows.KEPT else set()
    return tuple(
        each.name
        for each in original.attributes
        if each.name in masked
        and each.name not in touched
        and each.role not in grossed_up
        and each.coded == masked.attribute(each.name).coded
    )


def _masked_columns(masked: Microdata, recipe: Recipe) -> set[str]:
    """The columns whose values a step changes; a step that samples drops records and leaves the values unchanged."""
    steps = zip(recipe.steps, recipe.touched(masked), strict=True)
    return {name for step, names in steps if step.masking.rows is not Rows.SAMPLED for name in names}


def _significance(original: Microdata, names: Sequence[str]) -> Correspondence:
    """Whether agreement on these columns shows the order of the rows: another order would not agree as well.

    The other orders considered are a random one; the masked file sorted anew by the columns that the original is
    sorted by, with the rows of one value in a random order; and, where a pattern repeats as the years of a panel do,
    whole repetitions in another order.
    """
    from scipy.special import gammaln

    codes = original.codes(names).astype(np.int64)
    sizes = _group_sizes(codes)
    if (sizes == 1).all():
        return in_order(len(original))
    sorted_by = _sorted_by(codes)
    log_orders = float(gammaln(_group_sizes(codes[:, sorted_by]) + 1).sum())
    if float(gammaln(sizes + 1).sum()) - log_orders <= COINCIDENCE:
        if not _repeats(codes, sorted_by):
            return in_order(len(original))
        return Unknown(
            f"the unmasked columns ({_shortened(names)}) repeat one pattern, as the years of a panel do, and would "
            "agree after its repetitions were put in another order, too"
        )
    columns = [names[position] for position in sorted_by if len(np.unique(codes[:, position])) > 1]
    if columns:
        return Unknown(
            f"the original is sorted by columns left unmasked ({_shortened(columns)}), and these would agree after the "
            "masked file was sorted anew, too"
        )
    return Unknown(
        f"the unmasked columns ({_shortened(names)}) would agree in another order, too: few records differ in them"
    )


def _sorted_by(codes: NDArray[np.int64]) -> list[int]:
    """The columns by which the rows are sorted, one within the other: equal combinations are consecutive."""
    found: list[int] = []
    rest = list(range(codes.shape[1]))
    while True:
        more = next((each for each in rest if _stand_together(codes[:, [*found, each]])), None)
        if more is None:
            return found
        found.append(more)
        rest.remove(more)


def _stand_together(codes: NDArray[np.int64]) -> bool:
    """Whether all rows of a combination of values follow each other."""
    runs = 1 + int((codes[1:] != codes[:-1]).any(axis=1).sum())
    return runs == len(_group_sizes(codes))


def _repeats(codes: NDArray[np.int64], sorted_by: list[int]) -> bool:
    """Whether the rows repeat one pattern, within each group of the columns that they are sorted by."""
    again = np.flatnonzero((codes[1:] == codes[0]).all(axis=1))
    if not len(again):
        return False
    period = int(again[0]) + 1
    earlier, later = codes[:-period], codes[period:]
    one_group = (earlier[:, sorted_by] == later[:, sorted_by]).all(axis=1)
    return bool((earlier[one_group] == later[one_group]).all())


def _group_sizes(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many rows have each combination of values; all of them one combination of no columns."""
    if not codes.shape[1]:
        return np.array([len(codes)])
    return np.bincount(class_of(codes).of)


def _shortened(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")


def _agrees(
    original: Microdata, masked: Microdata, name: str, records: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each of these records and its row have the same value; households may be numbered anew."""
    same = _equal(original, masked, name, records, rows)
    if original.attribute(name).role is not Role.HOUSEHOLD or same.all():
        return same
    before, after = original.columns[name][records], masked.columns[name][rows]
    absent = [file.absent(name)[which] for file, which in ((original, records), (masked, rows))]
    alike: NDArray[np.bool_] = absent[0] == absent[1]
    there = ~absent[0] & ~absent[1]
    alike[there] = order_of_appearance(before[there]) == order_of_appearance(after[there])
    return alike


def _equal(
    original: Microdata, masked: Microdata, name: str, records: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each of these records and its row have the same value."""
    before, after = original.columns[name][records], masked.columns[name][rows]
    same: NDArray[np.bool_] = before == after
    return same if original.attribute(name).coded else same | (np.isnan(before) & np.isnan(after))


def rows_matched_on(
    original: Microdata, masked: Microdata, column: str, recipe: Recipe | None = None
) -> Matched | Sampled:
    """The correspondence that a column shows whose values identify the records in both files."""
    for file, title in ((original, "original"), (masked, "masked file")):
        if column not in file:
            names = [each.name for each in file.attributes]
            raise SchemaError(f"the {title} has no column {column!r} to match the rows on{near_miss(column, names)}")
    if recipe is not None and column in _masked_columns(masked, recipe):
        raise SchemaError(
            f"{column!r} cannot match the rows: the recipe masks it; name a column that was left unmasked"
        )
    record_of = _index_by_value(original, column, "original")
    row_of = _index_by_value(masked, column, "masked file")
    strangers = [value for value in row_of if value not in record_of]
    if strangers:
        raise SchemaError(
            f"{column!r} cannot match the rows: {len(strangers):,} of its values in the masked file, such as "
            f"{private(strangers[0])}, are not in the original (were the two files exchanged?)"
        )
    return correspondence(np.array([record_of[value] for value in row_of], dtype=np.int64), len(original))


def _index_by_value(data: Microdata, column: str, title: str) -> dict[str, int]:
    """The row of each value of a column whose values are all there and all different, in the order of the rows."""
    if data.missing(column):
        raise SchemaError(
            f"{column!r} cannot match the rows: {data.missing(column):,} of its values are missing in the {title}"
        )
    values = [same_value(value) for value in data.values(column).tolist()]
    index = {value: row for row, value in enumerate(values)}
    if len(index) < len(values):
        repeated = next(value for row, value in enumerate(values) if index[value] != row)
        raise SchemaError(f"{column!r} cannot match the rows: {private(repeated)} appears twice in the {title}")
    return index
