"""Donor codes: which records can have been the donor of which drawn value, tree by tree."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.methods.synthesis.derived_attributes import derived_attributes
from sdckit.methods.synthesis.tree_sequence import Predictor, TreeDraw
from sdckit.microdata import Microdata

Codes = NDArray[np.int64]
MISSING = -1  # the code of a missing value that was not drawn


def donor_codes(
    draw: TreeDraw,
    data: Microdata,
    rows: Microdata,
    names: Sequence[str],
    given: Sequence[str] = (),
    *,
    missing_drawn: bool,
) -> tuple[Codes, Codes]:
    """Codes of records and rows by the leaf of each tree, a column for each drawn attribute.

    The trees are grown again on the original, and the rows are led down them. What an edit determines is not drawn.
    Unless missing values are drawn, they stay: a record without the value is no donor, and a row without it has none.
    """
    derived = {each.name for each in derived_attributes(data, names)}
    codes: list[tuple[Codes, Codes]] = []
    columns = {name: (data.columns[name], _known_categories(data, rows, name)) for name in (*given, *names)}
    before: list[str] = list(given)
    for name in names:
        seen = [~file.absent(name) | missing_drawn for file in (data, rows)]
        predictors = [
            Predictor(data.attribute(other), columns[other][0][seen[0]], columns[other][1][seen[1]]) for other in before
        ]
        if name not in derived:
            found = draw.donors(data.attribute(name), columns[name][0][seen[0]], columns[name][1][seen[1]], predictors)
            codes.append((_placed(found[0], seen[0]), _placed(found[1], seen[1])))
        before.append(name)
    return np.column_stack([each[0] for each in codes]), np.column_stack([each[1] for each in codes])


def _known_categories(data: Microdata, rows: Microdata, name: str) -> NDArray[Any]:
    """The column of the rows; a category that the original lacks leads where a missing one does."""
    attribute, drawn = data.attribute(name), rows.columns[name]
    return np.where(drawn < len(attribute.categories or ()), drawn, -1) if attribute.coded else drawn


def _placed(codes: Codes, seen: NDArray[np.bool_]) -> Codes:
    """The codes of the records that have a value, among all of them."""
    placed = np.full(len(seen), MISSING, dtype=np.int64)
    placed[seen] = codes
    return placed
