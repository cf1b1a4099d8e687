"""Chains of random changes of a category: the product of the transition matrices of the steps.

The matrix of a later step depends on the file that entered it, which nobody sees: on the categories that it had, or on
how often it had them. Expected counts stand for these, and the product is exact where only the categories matter and
the release still has them all.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Level
from sdckit.capabilities import HasLaw, MapsCategories
from sdckit.errors import SdcError
from sdckit.hierarchy import category_text
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Floats, Indices, Table
from sdckit.laws.release_law import RowClasses
from sdckit.likelihood import RecordTransitionLaw, TransitionLaw
from sdckit.masking import Masking
from sdckit.microdata import Microdata

BACKGROUND = 1e-3  # of the released shares in a product that is not exact
WHOLE = 1_000  # records of each category, where all are as frequent


class Needs(IntEnum):
    """What the matrix of a step depends on of the file that enters it."""

    NOTHING = 0
    CATEGORIES = 1  # which ones it has
    COUNTS = 2


class Transition(NamedTuple):
    """What a step makes of the categories: the attribute afterwards, and a matrix for each class of records."""

    after: Attribute
    matrices: Floats
    class_of: Indices | None
    independent: bool
    needs: Needs


def composed_categories(
    view: AttackerView, maskings: Sequence[Masking], name: str, rows: RowClasses, *, whole: bool
) -> tuple[Table, bool] | None:
    """The law of a category after several steps, and whether it is exact; None where a step has no matrix."""
    attribute = view.known.attribute(name)
    known = view.known.columns[name].astype(np.int64)
    counts = _entering(view, name, known, whole=whole)
    class_of, product = np.zeros(len(known), np.int64), np.eye(len(counts))[None]
    exact = whole
    seen = {*_texts(view.released, name)}
    for number, masking in enumerate(maskings):
        file = view.known if whole and number == 0 else None
        step = _transition(masking, attribute, counts, file)
        if step is None:
            return None
        kept = {text for text, count in zip(_written(attribute), counts, strict=True) if count > 0} <= seen
        certain = Needs.CATEGORIES if kept else Needs.NOTHING  # in which step a category vanished is not known
        exact &= step.independent and (file is not None or step.needs <= certain)
        attribute = step.after
        if step.class_of is not None:
            class_of = step.class_of
        product = product @ step.matrices
        counts = counts @ step.matrices.mean(axis=0)
    released = view.released.columns[name].astype(np.int64)
    code = {text: number for number, text in enumerate(_written(view.released.attribute(name)))}
    categories = len(code)
    placed = [code.get(text, categories + 1) for text in _written(attribute)]
    probability = np.zeros((*product.shape[:2], categories + 2))  # a hole, and what the release does not have
    for column, category in enumerate(placed):
        probability[:, :, category] += product[:, :, column]
    probability = probability[:, :, : categories + 1]
    if not exact:
        share = np.bincount(released[released >= 0], minlength=categories) / max(int((released >= 0).sum()), 1)
        probability[:, :, :categories] = (1 - BACKGROUND) * probability[:, :, :categories] + BACKGROUND * share
    with np.errstate(divide="ignore"):
        entries = np.log(probability).reshape(-1, categories + 1)
    of_record = np.where(known < 0, UNKNOWN, class_of * product.shape[1] + known)
    of_row = np.where(released < 0, categories, released)[rows.first]
    return Table((name,), entries, of_record, of_row), exact


def _entering(view: AttackerView, name: str, known: Indices, *, whole: bool) -> Floats:
    """How often the file that entered the chain has each category; those that are not known are not ruled out."""
    size = len(view.known.attribute(name).categories or ())
    counts = np.bincount(known[known >= 0], minlength=size).astype(float)  # longer where a code is beyond
    if whole:
        return counts
    return np.maximum(counts * len(view.original) / max(len(known), 1), 1.0)


def _texts(file: Microdata, name: str) -> list[str]:
    """The categories that a column has."""
    column = file.columns[name]
    categories = _written(file.attribute(name))
    return [categories[code] for code in np.unique(column[column >= 0])]


def _written(attribute: Attribute) -> list[str]:
    """The categories as text."""
    return [category_text(category) for category in attribute.categories or ()]


def _transition(masking: Masking, attribute: Attribute, counts: Floats, file: Microdata | None) -> Transition | None:
    """What a step makes of a category; `file` is the one that enters it, where it is known whole."""
    if masking.acts_on is Level.HOUSEHOLD:
        return None
    codes = _codes(counts)
    found = np.unique(codes)
    try:
        if not isinstance(masking, MapsCategories):
            return _by_law(masking, attribute, codes, file) if isinstance(masking, HasLaw) else None
        after, table = masking.table(attribute, codes)
        needs = max(
            needs
            for needs, other in (
                (Needs.NOTHING, codes),
                (Needs.CATEGORIES, found[:1]),
                (Needs.COUNTS, np.repeat(found, WHOLE)),
            )
            if not _same(masking.table(attribute, other), (after, table)) or not needs
        )
    except SdcError:
        return None
    if table.dtype.kind == "f":
        return Transition(after, table.astype(np.float64)[None], None, True, needs)
    # A map that the counts decide is not one that an intruder can follow.
    return Transition(after, _of_map(table, after), None, True, needs) if file is not None or not needs else None


def _same(one: tuple[Attribute, NDArray[np.generic]], other: tuple[Attribute, NDArray[np.generic]]) -> bool:
    return one[0].categories == other[0].categories and np.array_equal(one[1], other[1])


def _by_law(
    masking: HasLaw, attribute: Attribute, codes: NDArray[np.int32], file: Microdata | None
) -> Transition | None:
    """The matrix of a method that leaves the categories as they are."""
    expected = Microdata((attribute,), {attribute.name: codes})
    law = masking.law(expected, expected if file is None else file)
    if isinstance(law, RecordTransitionLaw):
        if file is None:
            return None
        return Transition(attribute, np.exp(law.log_probability[0]), law.class_of, False, Needs.COUNTS)
    if isinstance(law, TransitionLaw):
        return Transition(attribute, np.exp(law.log_probability[0])[None], None, law.independent, Needs.COUNTS)
    return None


def _codes(counts: Floats) -> NDArray[np.int32]:
    """A column with these counts, as nearly as whole numbers have them; no category that may occur is left out."""
    whole = np.maximum(np.rint(counts), counts > 0).astype(np.int64)
    return np.repeat(np.arange(len(counts), dtype=np.int32), whole)


def _of_map(table: NDArray[np.generic], after: Attribute) -> Floats:
    """A map of codes as a matrix of zeros and ones."""
    matrix = np.zeros((1, len(table), len(after.categories or ())))
    matrix[0, np.arange(len(table)), table.astype(np.int64)] = 1.0
    return matrix
